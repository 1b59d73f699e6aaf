/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How a manager works: the one place that holds the defaults and says which combinations make sense. Immutable.
 *
 * @since 0.1
 */
public final class LockSettings {

    /** What holds unless something else is said. */
    public static final LockSettings DEFAULTS = builder().build();

    private static final Duration SHORT_ATTEMPT = Duration.ofSeconds(1);
    private static final Duration LONGEST_ATTEMPT = Duration.ofSeconds(2);
    private static final Duration LONGEST_CALL = Duration.ofSeconds(10);
    private static final Duration FIRST_ANSWER = Duration.ofSeconds(10);

    /** Requests that neither renew a lease nor have a caller who waits for them. */
    static final int BACKGROUND_REQUESTS = 8;

    /** Requests that none of the limits counts. */
    private static final int OTHER_REQUESTS = 2;

    /** Never changes after the construction. */
    private final Builder values;

    private LockSettings(Builder values) {
        this.values = new Builder(values);
        SettingsRules.check(this);
    }

    /**
     * Starts with the defaults.
     *
     * @return a builder of other settings
     */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Starts with these settings.
     *
     * @return a builder of other settings, which leaves these as they are
     */
    public Builder toBuilder() {
        return new Builder(values);
    }

    /** {@return how long a lease lasts without a renewal} */
    public Duration leaseDuration() {
        return values.leaseDuration;
    }

    /** {@return the longest lease that a request may ask for; null for no limit} */
    public @Nullable Duration maxLeaseDuration() {
        return values.maxLeaseDuration;
    }

    /** {@return which time decides when a lease has ended} */
    public LeaseTime time() {
        return values.time;
    }

    /** {@return how far the clocks that matter may disagree, in all} */
    public Duration maxClockSkew() {
        return values.maxClockSkew;
    }

    /** {@return how much longer than its holder believes a rival waits, so that writes under way can land} */
    public Duration lockDelay() {
        return values.lockDelay;
    }

    /** {@return how long a lease may be open before it is reported; null for never} */
    public @Nullable Duration warnAfter() {
        return values.warnAfter;
    }

    /** {@return how often a lease is renewed; null for a third of the lease} */
    public @Nullable Duration heartbeatInterval() {
        return values.heartbeatInterval;
    }

    /** {@return how many renewals run at once, at most} */
    public int heartbeatThreads() {
        return values.heartbeatThreads;
    }

    /** {@return how many requests of calling threads run at once, at most} */
    public int maxConcurrentRequests() {
        return values.maxConcurrentRequests;
    }

    /** {@return how long an acquire waits unless its request says otherwise} */
    public Duration waitTime() {
        return values.waitTime;
    }

    /** {@return the shortest gap between two looks at a busy lock} */
    public Duration pollMin() {
        return values.pollMin;
    }

    /** {@return the longest gap between two looks at a busy lock} */
    public Duration pollMax() {
        return values.pollMax;
    }

    /** {@return how long one request may take; null for a fitting part of the lease} */
    public @Nullable Duration attemptTimeout() {
        return values.attemptTimeout;
    }

    /** {@return how long one operation may take with all its retries; null for a fitting part of the lease} */
    public @Nullable Duration callTimeout() {
        return values.callTimeout;
    }

    /**
     * {@return how long a request may take until the first acquire is answered; null for 10 s, or for the call timeout if that
     * is set}
     */
    public @Nullable Duration firstAnswerTimeout() {
        return values.firstAnswerTimeout;
    }

    /** {@return what is put before every lock name in the table} */
    public String namePrefix() {
        return values.namePrefix;
    }

    /** {@return how long closing keeps open leases alive for their holders to release them} */
    public Duration shutdownGrace() {
        return values.shutdownGrace;
    }

    /** {@return what happens to the work under a lease that is lost, in addition to its notification} */
    public OnLost onLost() {
        return values.onLost;
    }

    /**
     * Counts the connections that a client needs so that a renewal always finds a free one, however many threads acquire and
     * release: those for all renewals and all callers at once, and a few for everything else. Managers that share a client
     * need the sum of theirs.
     *
     * @return 50 by default, which is what the AWS SDK allows by default
     */
    public int connections() {
        long all = (long) heartbeatThreads() + maxConcurrentRequests() + BACKGROUND_REQUESTS + OTHER_REQUESTS;
        return (int) Math.min(all, Integer.MAX_VALUE);
    }

    /**
     * Refuses a request that a manager with these settings would refuse each time.
     *
     * @param request what somebody means to ask for
     * @throws IllegalArgumentException if its lease is longer than the longest, or its name does not fit into a row
     */
    public void validate(LockRequest request) {
        new LockNames(namePrefix()).stored(request.name());
        leaseOf(request);
    }

    /** The duration that a request asks for, or gets by default. */
    Duration leaseOf(LockRequest request) {
        Duration lease = request.leaseDuration() == null ? leaseDuration() : request.leaseDuration();
        if (maxLeaseDuration() != null && lease.compareTo(maxLeaseDuration()) > 0) {
            throw new IllegalArgumentException("leaseDuration (%s) of lock '%s' must not exceed maxLeaseDuration (%s)"
                    .formatted(lease, request.name(), maxLeaseDuration()));
        }
        return request.maxHold() == null ? lease : Durations.min(lease, request.maxHold());
    }

    /**
     * How long one request of an operation on such a lease may take: after a regular renewal is due, two fit into what is left.
     * Not less, since a process that gets little of its machine, or has just started, would give up what is nearly answered.
     */
    Duration attemptTimeoutFor(Duration lease) {
        Duration fitting = Durations.min(Durations.max(Durations.part(lease, 3), SHORT_ATTEMPT), LONGEST_ATTEMPT);
        Duration wanted = attemptTimeout() == null ? fitting : attemptTimeout();
        return atLeastOneMilli(Durations.min(wanted, Durations.part(lease, 2)));
    }

    /** How long an operation on such a lease may take with all its retries. */
    Duration callTimeoutFor(Duration lease) {
        Duration wanted = callTimeout() == null ? Durations.min(Durations.part(lease, 2), LONGEST_CALL) : callTimeout();
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
        if (heartbeatInterval() == null) {
            return atLeastOneMilli(third);
        }
        boolean fits = lease.compareTo(leaseDuration()) >= 0;
        return atLeastOneMilli(fits ? heartbeatInterval() : Durations.min(heartbeatInterval(), third));
    }

    /** How long the first answer of the store may take, and each about its time. */
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
     * Builds {@link LockSettings}. What is not set has its default.
     *
     * <p>Not safe for use by several threads.
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
         * Sets how long a lease lasts without a renewal.
         *
         * @param leaseDuration 1 ms to 365 days; 30 s by default
         * @return this
         */
        public Builder leaseDuration(Duration leaseDuration) {
            this.leaseDuration = Objects.requireNonNull(leaseDuration, "leaseDuration");
            return this;
        }

        /**
         * Limits what requests may ask for.
         *
         * @param maxLeaseDuration the longest lease, 1 ms to 365 days; null, the default, for no limit
         * @return this
         */
        public Builder maxLeaseDuration(@Nullable Duration maxLeaseDuration) {
            this.maxLeaseDuration = maxLeaseDuration;
            return this;
        }

        /**
         * Sets which time decides when a lease has ended.
         *
         * @param time {@link LeaseTime#SERVER} by default
         * @return this
         */
        public Builder time(LeaseTime time) {
            this.time = Objects.requireNonNull(time, "time");
            return this;
        }

        /**
         * Sets how far the clocks that matter may disagree, in all.
         *
         * @param maxClockSkew at most 365 days; 1 s by default
         * @return this
         */
        public Builder maxClockSkew(Duration maxClockSkew) {
            this.maxClockSkew = Objects.requireNonNull(maxClockSkew, "maxClockSkew");
            return this;
        }

        /**
         * Makes a rival wait longer than its holder believes, so that writes under way can land.
         *
         * @param lockDelay at most one day; zero by default
         * @return this
         */
        public Builder lockDelay(Duration lockDelay) {
            this.lockDelay = Objects.requireNonNull(lockDelay, "lockDelay");
            return this;
        }

        /**
         * Reports a lease that is open for longer, once, at WARN and with its owner.
         *
         * @param warnAfter 1 ms to 365 days; null, the default, for never
         * @return this
         */
        public Builder warnAfter(@Nullable Duration warnAfter) {
            this.warnAfter = warnAfter;
            return this;
        }

        /**
         * Sets how often a lease is renewed.
         *
         * @param heartbeatInterval 1 ms to half of the lease; null, the default, for a third of it
         * @return this
         */
        public Builder heartbeatInterval(@Nullable Duration heartbeatInterval) {
            this.heartbeatInterval = heartbeatInterval;
            return this;
        }

        /**
         * Limits how many renewals run at once.
         *
         * @param heartbeatThreads at least 1; 24 by default
         * @return this
         */
        public Builder heartbeatThreads(int heartbeatThreads) {
            this.heartbeatThreads = heartbeatThreads;
            return this;
        }

        /**
         * Limits how many requests the calling threads have under way at once. A caller beyond that waits for its turn, inside its
         * wait time and the call timeout.
         *
         * @param maxConcurrentRequests at least 1; 16 by default
         * @return this
         */
        public Builder maxConcurrentRequests(int maxConcurrentRequests) {
            this.maxConcurrentRequests = maxConcurrentRequests;
            return this;
        }

        /**
         * Sets how long an acquire waits unless its request says otherwise.
         *
         * @param waitTime not negative and without an upper limit; zero, the default, to try once
         * @return this
         */
        public Builder waitTime(Duration waitTime) {
            this.waitTime = Objects.requireNonNull(waitTime, "waitTime");
            return this;
        }

        /**
         * Sets the shortest gap between two looks at a busy lock.
         *
         * @param pollMin 1 ms to 365 days; 50 ms by default
         * @return this
         */
        public Builder pollMin(Duration pollMin) {
            this.pollMin = Objects.requireNonNull(pollMin, "pollMin");
            return this;
        }

        /**
         * Sets the longest gap between two looks at a busy lock.
         *
         * @param pollMax at least the shortest gap, at most 365 days; 1 s by default
         * @return this
         */
        public Builder pollMax(Duration pollMax) {
            this.pollMax = Objects.requireNonNull(pollMax, "pollMax");
            return this;
        }

        /**
         * Limits one request.
         *
         * @param attemptTimeout 1 ms to half of the lease; null, the default, for a fitting part of the lease, at most 2 s
         * @return this
         */
        public Builder attemptTimeout(@Nullable Duration attemptTimeout) {
            this.attemptTimeout = attemptTimeout;
            return this;
        }

        /**
         * Limits one operation with all its retries.
         *
         * @param callTimeout 1 ms to the lease; null, the default, for half of the lease, at most 10 s
         * @return this
         */
        public Builder callTimeout(@Nullable Duration callTimeout) {
            this.callTimeout = callTimeout;
            return this;
        }

        /**
         * Limits requests until the first acquire of this process is answered, and each request for the store's time: class
         * loading, TLS or a starved processor may take seconds then.
         *
         * @param firstAnswerTimeout 1 ms to 365 days; null, the default, for 10 s, or for the call timeout if that is set
         * @return this
         */
        public Builder firstAnswerTimeout(@Nullable Duration firstAnswerTimeout) {
            this.firstAnswerTimeout = firstAnswerTimeout;
            return this;
        }

        /**
         * Sets what is put before every lock name in the table.
         *
         * @param namePrefix empty by default
         * @return this
         */
        public Builder namePrefix(String namePrefix) {
            this.namePrefix = Objects.requireNonNull(namePrefix, "namePrefix");
            Texts.requireShowable("namePrefix", namePrefix);
            return this;
        }

        /**
         * Sets how long closing keeps open leases alive for their holders to release them; zero closes at once.
         *
         * @param shutdownGrace not negative and without an upper limit; 10 s by default
         * @return this
         */
        public Builder shutdownGrace(Duration shutdownGrace) {
            this.shutdownGrace = Objects.requireNonNull(shutdownGrace, "shutdownGrace");
            return this;
        }

        /**
         * Sets what happens to the work under a lease that is lost.
         *
         * @param onLost {@link OnLost#EVENT} by default; a request may say otherwise
         * @return this
         */
        public Builder onLost(OnLost onLost) {
            this.onLost = Objects.requireNonNull(onLost, "onLost");
            return this;
        }

        /**
         * Makes the settings.
         *
         * @return what was set, and the defaults
         * @throws IllegalArgumentException if a setting cannot work by itself or with the others; the message starts with its
         *     name
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
