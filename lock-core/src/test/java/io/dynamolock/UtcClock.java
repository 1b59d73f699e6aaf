/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.time.Clock;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** A clock of a test, of which only the instant matters. */
public abstract class UtcClock extends Clock {

    @Override
    public final ZoneId getZone() {
        return ZoneOffset.UTC;
    }

    @Override
    public final Clock withZone(ZoneId zone) {
        return this;
    }
}
