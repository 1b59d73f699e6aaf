/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import java.time.Clock;
import java.util.Optional;
import org.springframework.beans.factory.ObjectProvider;

/** Clock of locks: the bean for it, of which that of a test comes first, else the system clock. */
final class LockTime {

    /** Bean name of the clock, or qualifier. Other clocks of the application are ignored: they may be fixed. */
    static final String CLOCK = "dynamolockClock";

    private LockTime() {}

    static Clock of(ObjectProvider<Clock> clocks) {
        return bean(clocks).orElseGet(Clock::systemUTC);
    }

    static Optional<Clock> bean(ObjectProvider<Clock> clocks) {
        return clocks.orderedStream().findFirst();
    }
}
