/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.time.Durations;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a manager, with the defaults and the rules for valid combinations. Immutable.
 *
 * @since 0.1
 */
public final class LockSettings {

    /** The default settings. */
    public static final LockSettings DEFAULTS = builder().build();

    private static final Duration SHORT_ATTEMPT = Duration.ofSeconds(1);
    private static final Duration LONGEST_ATTEMPT = Duration.ofSeconds(2);
    private static final Duration LONGEST_CALL = Duration.ofSeconds(10);
    private static final Duration FIRST_ANSWER = Duration.ofSeconds(10);

    /** Concurrent requests that neither renew a lease nor have a caller waiting for them. */
    static final int BACKGROUND_REQUESTS = 8;

    /** Concurrent requests that no limit counts. */
    private static final int OTHER_REQUESTS = 2;

    /** Not modified after construction. */
    private final Builder values;

    private LockSettings(Builder values) {
        this.values = new Builder(values);
        SettingsRules.check(this);
    }

    /**
     * Returns a builder that starts with the defaults.
     *
     * @return a new builder
     */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Returns a builder that starts with these settings.
     *
     * @return a new builder; these settings stay unchanged
     */
    public Builder toBuilder() {
        return new Builder(values);
    }

    /** {@return how long a lease lasts without a renewal} */
    public Duration leaseDuration() {
        return values.leaseDuration;
    }

    /** {@return the longest lease duration that a request can ask for; null for no limit} */
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
     * can land}
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
     * {@return the timeout of a request until the first acquire has got a response; null for 10 s, or for the call
     * timeout if that is set}
     */
    public @Nullable Duration firstAnswerTimeout() {
        return values.firstAnswerTimeout;
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
     * for everything else. Managers that share a client need the sum of their numbers.
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
     * @throws IllegalArgumentException if its lease duration is above the maximum, or its name does not fit into a row
     */
    public void validate(LockRequest request) {
        new LockNames(namePrefix()).stored(request.name());
        leaseOf(request);
    }

    /** Returns the lease duration of a request: its own or the default, and at most its {@code maxHold}. */
    Duration leaseOf(LockRequest request) {
        Duration lease = request.leaseDuration() == null ? leaseDuration() : request.leaseDuration();
        if (maxLeaseDuration() != null && lease.compareTo(maxLeaseDuration()) > 0) {
            throw new IllegalArgumentException("leaseDuration (%s) of lock '%s' must not exceed maxLeaseDuration (%s)"
                    .formatted(lease, request.name(), maxLeaseDuration()));
        }
        return request.maxHold() == null ? lease : Durations.min(lease, request.maxHold());
    }

    /**
     * Returns the timeout of one request of an operation on such a lease. After a regular renewal is due, two requests
     * fit into the rest of the lease. It is not shorter than that, since a process that is short of CPU time, or has
     * just started, would give up on a response that is about to arrive.
     */
    Duration attemptTimeoutFor(Duration lease) {
        Duration fitting = Durations.min(Durations.max(Durations.part(lease, 3), SHORT_ATTEMPT), LONGEST_ATTEMPT);
        Duration wanted = attemptTimeout() == null ? fitting : attemptTimeout();
        return atLeastOneMilli(Durations.min(wanted, Durations.part(lease, 2)));
    }

    /** Returns the timeout of an operation on such a lease with all its retries. */
    Duration callTimeoutFor(Duration lease) {
        Duration wanted = callTimeout() == null ? Durations.min(Durations.part(lease, 2), LONGEST_CALL) : callTimeout();
        return atLeastOneMilli(Durations.max(Durations.min(wanted, lease), attemptTimeoutFor(lease)));
    }

    /**
     * Returns the interval between renewals for leases of a given duration; at most a third of a duration that is
     * shorter than the default one.
     *
     * @param lease the lease duration
     * @return at least 1 ms
     */
    public Duration heartbeatIntervalFor(Duration lease) {
        Duration third = Durations.part(lease, 3);
        if (heartbeatInterval() == null) {
            return atLeastOneMilli(third);
        }
        boolean fits = lease.compareTo(leaseDuration()) >= 0;
        return atLeastOneMilli(fits ? heartbeatInterval() : Durations.min(heartbeatInterval(), third));
    }

    /** Returns the timeout of the first response of the store, and of each request that samples its clock. */
    Duration firstAnswerTimeoutOrDefault() {
        if (firstAnswerTimeout() != null) {
            return firstAnswerTimeout();
        }
        return callTimeout() == null ? FIRST_ANSWER : callTimeout();
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
    public static final class Builder {

        private Duration leaseDuration = Duration.ofSeconds(30);
        private @Nullable Duration maxLeaseDuration;
        private LeaseTime time = LeaseTime.SERVER;
        private Duration maxClockSkew = Duration.ofSeconds(1);
        private Duration lockDelay = Duration.ZERO;
        private @Nullable Duration warnAfter;
        private @Nullable Duration heartbeatInterval;
        private int heartbeatThreads = 24;
        private int maxConcurrentRequests = 16;
        private Duration waitTime = Duration.ZERO;
        private Duration pollMin = Duration.ofMillis(50);
        private Duration pollMax = Duration.ofSeconds(1);
        private @Nullable Duration attemptTimeout;
        private @Nullable Duration callTimeout;
        private @Nullable Duration firstAnswerTimeout;
        private String namePrefix = "";
        private Duration shutdownGrace = Duration.ofSeconds(10);
        private OnLost onLost = OnLost.EVENT;

        private Builder() {}

        private Builder(Builder other) {
            leaseDuration = other.leaseDuration;
            maxLeaseDuration = other.maxLeaseDuration;
            time = other.time;
            maxClockSkew = other.maxClockSkew;
            lockDelay = other.lockDelay;
            warnAfter = other.warnAfter;
            heartbeatInterval = other.heartbeatInterval;
            heartbeatThreads = other.heartbeatThreads;
            maxConcurrentRequests = other.maxConcurrentRequests;
            waitTime = other.waitTime;
            pollMin = other.pollMin;
            pollMax = other.pollMax;
            attemptTimeout = other.attemptTimeout;
            callTimeout = other.callTimeout;
            firstAnswerTimeout = other.firstAnswerTimeout;
            namePrefix = other.namePrefix;
            shutdownGrace = other.shutdownGrace;
            onLost = other.onLost;
        }

        /**
         * Sets the lease duration: how long a lease lasts without a renewal.
         *
         * @param leaseDuration 1 ms to 365 days; 30 s by default
         * @return this builder
         */
        public Builder leaseDuration(Duration leaseDuration) {
            this.leaseDuration = Objects.requireNonNull(leaseDuration, "leaseDuration");
            return this;
        }

        /**
         * Limits the lease duration that a request can ask for.
         *
         * @param maxLeaseDuration the longest lease duration allowed, 1 ms to 365 days; null, the default, for no limit
         * @return this builder
         */
        public Builder maxLeaseDuration(@Nullable Duration maxLeaseDuration) {
            this.maxLeaseDuration = maxLeaseDuration;
            return this;
        }

        /**
         * Sets the time source that decides when a lease has expired.
         *
         * @param time {@link LeaseTime#SERVER} by default
         * @return this builder
         */
        public Builder time(LeaseTime time) {
            this.time = Objects.requireNonNull(time, "time");
            return this;
        }

        /**
         * Sets the allowance for clock skew: how far the clocks involved may disagree in total.
         *
         * @param maxClockSkew zero to 365 days; 1 s by default
         * @return this builder
         */
        public Builder maxClockSkew(Duration maxClockSkew) {
            this.maxClockSkew = Objects.requireNonNull(maxClockSkew, "maxClockSkew");
            return this;
        }

        /**
         * Delays takeovers: another process can take a lock over only this long after its holder treats the lease as
         * expired, so that writes in flight can land.
         *
         * @param lockDelay zero to one day; zero by default
         * @return this builder
         */
        public Builder lockDelay(Duration lockDelay) {
            this.lockDelay = Objects.requireNonNull(lockDelay, "lockDelay");
            return this;
        }

        /**
         * Sets how long a lease can be open before it is reported, once, at WARN and with its owner.
         *
         * @param warnAfter 1 ms to 365 days; null, the default, for never
         * @return this builder
         */
        public Builder warnAfter(@Nullable Duration warnAfter) {
            this.warnAfter = warnAfter;
            return this;
        }

        /**
         * Sets the interval between renewals of a lease.
         *
         * @param heartbeatInterval 1 ms to half of the lease duration; null, the default, for a third of it
         * @return this builder
         */
        public Builder heartbeatInterval(@Nullable Duration heartbeatInterval) {
            this.heartbeatInterval = heartbeatInterval;
            return this;
        }

        /**
         * Limits the number of concurrent renewals.
         *
         * @param heartbeatThreads at least 1; 24 by default
         * @return this builder
         */
        public Builder heartbeatThreads(int heartbeatThreads) {
            this.heartbeatThreads = heartbeatThreads;
            return this;
        }

        /**
         * Limits the number of concurrent requests by calling threads. A caller beyond the limit waits for its turn,
         * within its wait time and the call timeout.
         *
         * @param maxConcurrentRequests at least 1; 16 by default
         * @return this builder
         */
        public Builder maxConcurrentRequests(int maxConcurrentRequests) {
            this.maxConcurrentRequests = maxConcurrentRequests;
            return this;
        }

        /**
         * Sets how long an acquire waits for a busy lock if its request sets no wait time.
         *
         * @param waitTime zero or more, without an upper limit; zero, the default, for a single attempt
         * @return this builder
         */
        public Builder waitTime(Duration waitTime) {
            this.waitTime = Objects.requireNonNull(waitTime, "waitTime");
            return this;
        }

        /**
         * Sets the shortest interval between two polls of a busy lock.
         *
         * @param pollMin 1 ms to 365 days; 50 ms by default
         * @return this builder
         */
        public Builder pollMin(Duration pollMin) {
            this.pollMin = Objects.requireNonNull(pollMin, "pollMin");
            return this;
        }

        /**
         * Sets the longest interval between two polls of a busy lock.
         *
         * @param pollMax at least {@code pollMin}, at most 365 days; 1 s by default
         * @return this builder
         */
        public Builder pollMax(Duration pollMax) {
            this.pollMax = Objects.requireNonNull(pollMax, "pollMax");
            return this;
        }

        /**
         * Sets the timeout of a single request to the store.
         *
         * @param attemptTimeout 1 ms to half of the lease duration, and not above the call timeout if that is set;
         *     null, the default, for a value derived from the lease duration, at most 2 s
         * @return this builder
         */
        public Builder attemptTimeout(@Nullable Duration attemptTimeout) {
            this.attemptTimeout = attemptTimeout;
            return this;
        }

        /**
         * Sets the timeout of one operation with all its retries.
         *
         * @param callTimeout 1 ms to the lease duration; null, the default, for half of the lease duration, at most 10
         *     s
         * @return this builder
         */
        public Builder callTimeout(@Nullable Duration callTimeout) {
            this.callTimeout = callTimeout;
            return this;
        }

        /**
         * Sets the timeout of requests until the first acquire of this process has got a response, and of each request
         * that samples the store's clock. Class loading, TLS or a starved processor can make these take seconds.
         *
         * @param firstAnswerTimeout 1 ms to 365 days; null, the default, for 10 s, or for the call timeout if that is
         *     set
         * @return this builder
         */
        public Builder firstAnswerTimeout(@Nullable Duration firstAnswerTimeout) {
            this.firstAnswerTimeout = firstAnswerTimeout;
            return this;
        }

        /**
         * Sets the prefix of every lock name in the table.
         *
         * @param namePrefix no control characters; empty by default
         * @return this builder
         * @throws IllegalArgumentException if the prefix contains control characters
         */
        public Builder namePrefix(String namePrefix) {
            this.namePrefix = Objects.requireNonNull(namePrefix, "namePrefix");
            Texts.requireShowable("namePrefix", namePrefix);
            return this;
        }

        /**
         * Sets how long {@link LockManager#close()} keeps open leases alive for their holders to release them; with
         * zero it does not wait.
         *
         * @param shutdownGrace zero or more, without an upper limit; 10 s by default
         * @return this builder
         */
        public Builder shutdownGrace(Duration shutdownGrace) {
            this.shutdownGrace = Objects.requireNonNull(shutdownGrace, "shutdownGrace");
            return this;
        }

        /**
         * Sets what happens to the work under a lost lease.
         *
         * @param onLost {@link OnLost#EVENT} by default; a request can override it
         * @return this builder
         */
        public Builder onLost(OnLost onLost) {
            this.onLost = Objects.requireNonNull(onLost, "onLost");
            return this;
        }

        /**
         * Builds the settings.
         *
         * @return the settings
         * @throws IllegalArgumentException if a setting is out of range or conflicts with another one; the message
         *     starts with its name
         */
        public LockSettings build() {
            return new LockSettings(this);
        }

        private Map<String, @Nullable Object> all() {
            Map<String, @Nullable Object> all = new LinkedHashMap<>();
            all.put("leaseDuration", leaseDuration);
            all.put("maxLeaseDuration", maxLeaseDuration);
            all.put("time", time);
            all.put("maxClockSkew", maxClockSkew);
            all.put("lockDelay", lockDelay);
            all.put("warnAfter", warnAfter);
            all.put("heartbeatInterval", heartbeatInterval);
            all.put("heartbeatThreads", heartbeatThreads);
            all.put("maxConcurrentRequests", maxConcurrentRequests);
            all.put("waitTime", waitTime);
            all.put("pollMin", pollMin);
            all.put("pollMax", pollMax);
            all.put("attemptTimeout", attemptTimeout);
            all.put("callTimeout", callTimeout);
            all.put("firstAnswerTimeout", firstAnswerTimeout);
            all.put("namePrefix", namePrefix);
            all.put("shutdownGrace", shutdownGrace);
            all.put("onLost", onLost);
            return all;
        }
    }
}
