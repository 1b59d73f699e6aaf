/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.time.Durations;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a manager, with the defaults and the rules for valid combinations. Immutable.
 *
 * @since 0.1
 */
public final class LockSettings {

    private static final Duration SHORT_ATTEMPT = Duration.ofSeconds(1);
    private static final Duration LONGEST_ATTEMPT = Duration.ofSeconds(2);
    private static final Duration LONGEST_CALL = Duration.ofSeconds(10);
    private static final Duration FIRST_RESPONSE = Duration.ofSeconds(10);

    /** The store's time is known until an hour after a response: a renewal may fail meanwhile. */
    private static final Duration LONGEST_INTERVAL = Duration.ofMinutes(20);

    /** The default settings. */
    public static final LockSettings DEFAULTS = builder().build();

    /** Concurrent requests that neither renew a lease nor have a caller waiting for them. */
    static final int BACKGROUND_REQUESTS = 8;

    /** Concurrent requests that no limit counts. */
    private static final int OTHER_REQUESTS = 2;

    /** Not modified after construction. */
    private final SettingsValues values;

    /** For the default lease duration, which most requests have. */
    private final Duration attemptTimeoutOfDefault;

    private final Duration callTimeoutOfDefault;

    LockSettings(SettingsValues values) {
        this.values = values.copy();
        SettingsRules.check(this);
        this.attemptTimeoutOfDefault = newAttemptTimeout(leaseDuration());
        this.callTimeoutOfDefault = newCallTimeout(leaseDuration());
    }

    /**
     * Returns a builder that starts with the defaults.
     *
     * @return a new builder
     */
    public static Builder builder() {
        return new Builder(new SettingsValues());
    }

    /**
     * Returns a builder that starts with these settings.
     *
     * @return a new builder; these settings stay unchanged
     */
    public Builder toBuilder() {
        return new Builder(values());
    }

    /** Returns a copy of the values, for a builder. */
    SettingsValues values() {
        return values.copy();
    }

    /** {@return how long a lease lasts without a renewal} */
    public Duration leaseDuration() {
        return values.leaseDuration;
    }

    /** {@return the longest lease duration of a request; null for no limit} */
    public @Nullable Duration maxLeaseDuration() {
        return values.maxLeaseDuration;
    }

    /** {@return the time source that decides when a lease has expired} */
    public LeaseTime time() {
        return values.time;
    }

    /** {@return how far the clocks involved may disagree in total} */
    public Duration maxClockSkew() {
        return values.maxClockSkew;
    }

    /**
     * {@return how long a takeover is delayed after the holder treats its lease as expired, so that writes in flight
     * can arrive}
     */
    public Duration lockDelay() {
        return values.lockDelay;
    }

    /** {@return how long a lease can be open before it is reported; null for never} */
    public @Nullable Duration warnAfter() {
        return values.warnAfter;
    }

    /** {@return the interval between renewals of a lease; null for a third of the lease duration} */
    public @Nullable Duration heartbeatInterval() {
        return values.heartbeatInterval;
    }

    /** {@return the maximum number of concurrent renewals} */
    public int heartbeatThreads() {
        return values.heartbeatThreads;
    }

    /** {@return the maximum number of concurrent requests by calling threads} */
    public int maxConcurrentRequests() {
        return values.maxConcurrentRequests;
    }

    /** {@return how long an acquire waits for a busy lock if its request sets no wait time} */
    public Duration waitTime() {
        return values.waitTime;
    }

    /** {@return the shortest interval between two polls of a busy lock} */
    public Duration pollMin() {
        return values.pollMin;
    }

    /** {@return the longest interval between two polls of a busy lock} */
    public Duration pollMax() {
        return values.pollMax;
    }

    /** {@return the timeout of a single request; null for a value derived from the lease duration} */
    public @Nullable Duration attemptTimeout() {
        return values.attemptTimeout;
    }

    /** {@return the timeout of one operation with all its retries; null for a value derived from the lease duration} */
    public @Nullable Duration callTimeout() {
        return values.callTimeout;
    }

    /**
     * {@return the timeout of one operation until the first acquire has a response, of which each request has half;
     * null for 10 s, or for the call timeout if that is set}
     */
    public @Nullable Duration firstResponseTimeout() {
        return values.firstResponseTimeout;
    }

    /** {@return the prefix of every lock name in the table} */
    public String namePrefix() {
        return values.namePrefix;
    }

    /** {@return how long closing keeps open leases alive for their holders to release them} */
    public Duration shutdownGrace() {
        return values.shutdownGrace;
    }

    /** {@return what happens to the work under a lost lease, in addition to its notification} */
    public OnLost onLost() {
        return values.onLost;
    }

    /**
     * Returns the number of connections that a client needs so that a renewal always finds a free one, however many
     * threads acquire and release: one for each concurrent renewal and each concurrent request of a caller, and a few
     * for everything else. For a client that managers share, add their numbers.
     *
     * @return 50 by default, which is the default limit of the AWS SDK
     */
    public int connections() {
        long all = (long) heartbeatThreads() + maxConcurrentRequests() + BACKGROUND_REQUESTS + OTHER_REQUESTS;
        return (int) Math.min(all, Integer.MAX_VALUE);
    }

    /**
     * Rejects a request that a manager with these settings would always reject.
     *
     * @param request the request
     * @throws InvalidSettingException if its lease duration is above the maximum, or its name does not fit into a row
     */
    public void validate(LockRequest request) {
        LockNames prefixed = new LockNames(namePrefix());
        request.names().forEach(prefixed::toStored);
        leaseOf(request);
    }

    /** Returns the lease duration of a request: its own or the default, and at most its {@code maxHold}. */
    Duration leaseOf(LockRequest request) {
        Duration leaseDuration = request.leaseDuration() == null ? leaseDuration() : request.leaseDuration();
        SettingsRules.requireAtMost(leaseDuration, request.name(), maxLeaseDuration());
        return request.maxHold() == null ? leaseDuration : Durations.min(leaseDuration, request.maxHold());
    }

    /**
     * Returns the timeout of one request of an operation on such a lease. After a regular renewal is due, two requests
     * fit into the rest of the lease. It is not shorter than that, since a process that is short of CPU time, or has
     * just started, would give up on a response that is about to arrive.
     */
    Duration attemptTimeoutFor(Duration leaseDuration) {
        return leaseDuration.equals(leaseDuration()) ? attemptTimeoutOfDefault : newAttemptTimeout(leaseDuration);
    }

    private Duration newAttemptTimeout(Duration leaseDuration) {
        Duration fitting =
                Durations.min(Durations.max(Durations.part(leaseDuration, 3), SHORT_ATTEMPT), LONGEST_ATTEMPT);
        Duration wanted = attemptTimeout() == null ? fitting : attemptTimeout();
        return atLeastOneMilli(Durations.min(wanted, Durations.part(leaseDuration, 2)));
    }

    /** Returns the timeout of an operation on such a lease with all its retries. */
    Duration callTimeoutFor(Duration leaseDuration) {
        return leaseDuration.equals(leaseDuration()) ? callTimeoutOfDefault : newCallTimeout(leaseDuration);
    }

    private Duration newCallTimeout(Duration leaseDuration) {
        if (callTimeout() != null) {
            return atLeastOneMilli(Durations.min(callTimeout(), leaseDuration));
        }
        Duration half = Durations.min(Durations.part(leaseDuration, 2), LONGEST_CALL);
        return Durations.max(half, attemptTimeoutFor(leaseDuration));
    }

    /**
     * Returns the interval between renewals for leases of a given duration: at most 20 minutes, and at most a third of
     * a duration that is shorter than the default one.
     *
     * @param leaseDuration the lease duration
     * @return at least 1 ms
     */
    public Duration heartbeatIntervalFor(Duration leaseDuration) {
        Duration third = Durations.part(leaseDuration, 3);
        Duration own = heartbeatInterval() == null ? third : heartbeatInterval();
        boolean fits = leaseDuration.compareTo(leaseDuration()) >= 0;
        Duration wanted = fits ? own : Durations.min(own, third);
        return atLeastOneMilli(Durations.min(wanted, LONGEST_INTERVAL));
    }

    /** Returns the timeout of the first response of the store, and of each request that samples its clock. */
    Duration firstResponseTimeoutOrDefault() {
        if (firstResponseTimeout() != null) {
            return firstResponseTimeout();
        }
        return callTimeout() == null ? FIRST_RESPONSE : callTimeout();
    }

    private static Duration atLeastOneMilli(Duration duration) {
        return Durations.max(duration, Duration.ofMillis(1));
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof LockSettings settings && values.all().equals(settings.values.all());
    }

    @Override
    public int hashCode() {
        return values.all().hashCode();
    }

    @Override
    public String toString() {
        return "LockSettings" + values.all();
    }

    /**
     * Builds {@link LockSettings}. Options that are not set have their defaults; ranges are checked by
     * {@link #build()}.
     *
     * <p>Not thread-safe.
     *
     * @since 0.1
     */
    public static final class Builder extends SettingsBuilder<Builder> {

        private Builder(SettingsValues values) {
            super(values);
        }

        @Override
        Builder self() {
            return this;
        }

        /**
         * Builds the settings.
         *
         * @return the settings
         * @throws InvalidSettingException if a setting is out of range or conflicts with another one
         */
        public LockSettings build() {
            return new LockSettings(values);
        }
    }
}
