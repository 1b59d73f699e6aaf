/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import io.dynamolock.time.TestClock;
import java.time.Clock;
import org.springframework.beans.factory.ObjectProvider;

/** Clock for displaying and measuring locks: the system clock, or the clock of a test. */
final class LockTime {

    private LockTime() {}

    static Clock of(ObjectProvider<TestClock> testClock) {
        TestClock clock = testClock.getIfAvailable();
        return clock == null ? Clock.systemUTC() : clock;
    }
}
