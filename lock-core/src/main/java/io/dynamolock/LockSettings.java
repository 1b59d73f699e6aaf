/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How a manager works: the one place that holds the defaults and says which combinations make sense.
 *
 * @param leaseDuration how long a lease lasts without a renewal
 * @param maxLeaseDuration the longest lease that a request may ask for; null for no limit
 * @param time which time decides when a lease has ended
 * @param maxClockSkew how far the clocks that matter may disagree, in all
 * @param grace how much longer than its holder believes a rival waits, so that writes under way can land
 * @param heartbeatInterval how often a lease is renewed; null for a third of the lease
 * @param heartbeatThreads how many renewals run at once, at most
 * @param waitTime how long an acquire waits unless its request says otherwise
 * @param pollMin the shortest gap between two looks at a busy lock
 * @param pollMax the longest gap between two looks at a busy lock
 * @param attemptTimeout how long one request may take; null for a fitting part of the lease
 * @param callTimeout how long one operation may take with all its retries; null for a fitting part of the lease
 * @param namePrefix what is put before every lock name in the table
 * @param shutdownGrace how long closing waits for work that runs under a lease
 * @param onLost what happens to the work under a lease that is lost, besides its being told
 * @param warnAfter how long a lease may be open before that is reported at WARN; null for no report
 * @since 0.1
 */
public record LockSettings(
        Duration leaseDuration,
        @Nullable Duration maxLeaseDuration,
        LeaseTime time,
        Duration maxClockSkew,
        Duration grace,
        @Nullable Duration heartbeatInterval,
        int heartbeatThreads,
        Duration waitTime,
        Duration pollMin,
        Duration pollMax,
        @Nullable Duration attemptTimeout,
        @Nullable Duration callTimeout,
        String namePrefix,
        Duration shutdownGrace,
        OnLost onLost,
        @Nullable Duration warnAfter) {

    /** What holds unless something else is said. */
    public static final LockSettings DEFAULTS = new LockSettings(
            Duration.ofSeconds(30),
            null,
            LeaseTime.SERVER,
            Duration.ofSeconds(1),
            Duration.ZERO,
            null,
            32,
            Duration.ZERO,
            Duration.ofMillis(50),
            Duration.ofSeconds(1),
            null,
            null,
            "",
            Duration.ofSeconds(10),
            OnLost.EVENT,
            null);

    private static final Duration SHORT_ATTEMPT = Duration.ofSeconds(1);
    private static final Duration LONGEST_ATTEMPT = Duration.ofSeconds(3);
    private static final Duration LONGEST_CALL = Duration.ofSeconds(10);

    /** Refuses what cannot work, naming the setting. */
    public LockSettings {
        Durations.requireLease("leaseDuration", leaseDuration);
        Durations.requireLease("maxLeaseDuration", maxLeaseDuration);
        if (maxLeaseDuration != null) {
            require(
                    leaseDuration.compareTo(maxLeaseDuration) <= 0,
                    "leaseDuration",
                    leaseDuration,
                    "must not exceed maxLeaseDuration (" + maxLeaseDuration + ")");
        }
        Durations.requireShort("maxClockSkew", maxClockSkew);
        Durations.requireShort("grace", grace);
        if (heartbeatInterval != null) {
            Durations.requireLease("heartbeatInterval", heartbeatInterval);
            require(
                    heartbeatInterval.multipliedBy(2).compareTo(leaseDuration) <= 0,
                    "heartbeatInterval",
                    heartbeatInterval,
                    "must be at most half of leaseDuration (" + leaseDuration + "), so that one beat may fail");
        }
        require(heartbeatThreads > 0, "heartbeatThreads", heartbeatThreads, "must be at least 1");
        Durations.requireNotNegative("waitTime", waitTime);
        Durations.requireLease("pollMin", pollMin);
        require(pollMax.compareTo(pollMin) >= 0, "pollMax", pollMax, "must not be below pollMin (" + pollMin + ")");
        requireInside("attemptTimeout", attemptTimeout, Durations.part(leaseDuration, 2), "half of leaseDuration");
        requireInside("callTimeout", callTimeout, leaseDuration, "leaseDuration");
        if (attemptTimeout != null && callTimeout != null) {
            requireInside("attemptTimeout", attemptTimeout, callTimeout, "callTimeout");
        }
        Durations.requireNotNegative("shutdownGrace", shutdownGrace);
        Durations.requireLease("warnAfter", warnAfter);
    }

    private static void requireInside(String what, @Nullable Duration value, Duration limit, String ofWhat) {
        if (value != null) {
            Durations.requireLease(what, value);
            require(value.compareTo(limit) <= 0, what, value, "must be at most " + ofWhat + " (" + limit + ")");
        }
    }

    private static void require(boolean right, String what, Object value, String rule) {
        if (!right) {
            throw new IllegalArgumentException(what + " " + rule + ", but is " + value);
        }
    }

    /**
     * Refuses a request that a manager with these settings would refuse each time.
     *
     * @param request what somebody means to ask for
     * @throws IllegalArgumentException if its lease is longer than the longest, or its name does not fit into a row
     */
    public void requireFit(LockRequest request) {
        new LockNames(namePrefix).stored(request.name());
        leaseOf(request);
    }

    /** The duration that a request asks for, or gets by default. */
    Duration leaseOf(LockRequest request) {
        Duration lease = request.leaseDuration() == null ? leaseDuration : request.leaseDuration();
        if (maxLeaseDuration != null && lease.compareTo(maxLeaseDuration) > 0) {
            throw new IllegalArgumentException("leaseDuration (%s) of lock '%s' must not exceed maxLeaseDuration (%s)"
                    .formatted(lease, request.name(), maxLeaseDuration));
        }
        return request.maxHold() == null ? lease : Durations.min(lease, request.maxHold());
    }

    /**
     * How long one request of an operation on such a lease may take: after a regular renewal is due, two fit into what is left.
     * Not less, since a process that gets little of its machine, or has just started, would give up what is nearly answered.
     */
    Duration attemptTimeoutFor(Duration lease) {
        Duration fitting = Durations.min(Durations.max(Durations.part(lease, 3), SHORT_ATTEMPT), LONGEST_ATTEMPT);
        Duration wanted = attemptTimeout == null ? fitting : attemptTimeout;
        return atLeastOneMilli(Durations.min(wanted, Durations.part(lease, 2)));
    }

    /** How long an operation on such a lease may take with all its retries. */
    Duration callTimeoutFor(Duration lease) {
        Duration wanted = callTimeout == null ? Durations.min(Durations.part(lease, 2), LONGEST_CALL) : callTimeout;
        return atLeastOneMilli(Durations.max(Durations.min(wanted, lease), attemptTimeoutFor(lease)));
    }

    /**
     * The time from one renewal to the next for leases of a length; never more than a third of one that is shorter than usual.
     *
     * @param lease the length of the leases
     * @return at least a millisecond
     */
    public Duration heartbeatIntervalFor(Duration lease) {
        Duration third = Durations.part(lease, 3);
        if (heartbeatInterval == null) {
            return atLeastOneMilli(third);
        }
        boolean fits = lease.compareTo(leaseDuration) >= 0;
        return atLeastOneMilli(fits ? heartbeatInterval : Durations.min(heartbeatInterval, third));
    }

    private static Duration atLeastOneMilli(Duration duration) {
        return Durations.max(duration, Duration.ofMillis(1));
    }
}
