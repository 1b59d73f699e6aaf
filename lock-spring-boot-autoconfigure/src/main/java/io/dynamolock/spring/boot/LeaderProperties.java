/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import static java.util.Objects.requireNonNullElse;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.convert.DurationUnit;

/**
 * Election of a leader among the processes of the application.
 *
 * @param name Name of the lock that the leader holds. No election by default.
 * @param leaseDuration Lease lifetime of the leader without a renewal: how long the place of a crashed leader stays
 *     empty. By default dynamolock.lease.duration. If a duration suffix is not specified, seconds will be used.
 * @param exitOnLoss Whether the application is closed and exits with status 1 when it has lost leadership.
 * @since 0.1
 */
public record LeaderProperties(
        @Nullable String name,
        @DurationUnit(ChronoUnit.SECONDS) @Nullable Duration leaseDuration,
        Boolean exitOnLoss) {

    @SuppressWarnings("NullAway") // the constructor replaces null
    static final LeaderProperties DEFAULT = new LeaderProperties(null, null, null);

    public LeaderProperties {
        exitOnLoss = requireNonNullElse(exitOnLoss, false);
    }

    /** Rejects options of an election that does not take place. */
    void validate() {
        if (name == null && (leaseDuration != null || exitOnLoss)) {
            throw PropertyKeys.DEFAULT.rejection(
                    "{leader.name} is not set, so the other properties of the leader have no effect",
                    "Set {leader.name}, or remove the others.",
                    null);
        }
    }
}
