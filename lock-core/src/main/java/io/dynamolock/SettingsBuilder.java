/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The setters of {@link LockSettings}, which the builders of settings and of managers have in common.
 *
 * @param <B> the type of the builder
 */
abstract sealed class SettingsBuilder<B extends SettingsBuilder<B>> permits LockSettings.Builder, LockManagerBuilder {

    SettingsValues values;

    SettingsBuilder(SettingsValues values) {
        this.values = values;
    }

    abstract B self();

    /**
     * Sets the lease duration: how long a lease lasts without a renewal.
     *
     * @param leaseDuration 1 ms to 365 days; 30 s by default
     * @return this builder
     */
    public B leaseDuration(Duration leaseDuration) {
        values.leaseDuration = Objects.requireNonNull(leaseDuration, "leaseDuration");
        return self();
    }

    /**
     * Limits the lease duration of requests.
     *
     * @param maxLeaseDuration the longest lease duration allowed, 1 ms to 365 days; null, the default, for no limit
     * @return this builder
     */
    public B maxLeaseDuration(@Nullable Duration maxLeaseDuration) {
        values.maxLeaseDuration = maxLeaseDuration;
        return self();
    }

    /**
     * Sets the time source that decides when a lease has expired.
     *
     * @param time {@link LeaseTime#SERVER} by default
     * @return this builder
     */
    public B time(LeaseTime time) {
        values.time = Objects.requireNonNull(time, "time");
        return self();
    }

    /**
     * Sets the allowance for clock skew: how far the clocks involved may disagree in total.
     *
     * @param maxClockSkew zero to 365 days; 1 s by default
     * @return this builder
     */
    public B maxClockSkew(Duration maxClockSkew) {
        values.maxClockSkew = Objects.requireNonNull(maxClockSkew, "maxClockSkew");
        return self();
    }

    /**
     * Delays takeovers: another process can take a lock over only this long after its holder treats the lease as
     * expired, so that writes in flight can arrive.
     *
     * @param lockDelay zero to one day; zero by default
     * @return this builder
     */
    public B lockDelay(Duration lockDelay) {
        values.lockDelay = Objects.requireNonNull(lockDelay, "lockDelay");
        return self();
    }

    /**
     * Sets how long a lease can be open before it is reported, once, at WARN and with its owner.
     *
     * @param warnAfter 1 ms to 365 days; null, the default, for never
     * @return this builder
     */
    public B warnAfter(@Nullable Duration warnAfter) {
        values.warnAfter = warnAfter;
        return self();
    }

    /**
     * Sets the interval between renewals of a lease. The first comes earlier, later ones up to a tenth later, as
     * jitter.
     *
     * @param heartbeatInterval 1 ms to half of the lease duration; null, the default, for a third of it; more than 20
     *     minutes counts as 20 minutes
     * @return this builder
     */
    public B heartbeatInterval(@Nullable Duration heartbeatInterval) {
        values.heartbeatInterval = heartbeatInterval;
        return self();
    }

    /**
     * Limits the number of concurrent renewals.
     *
     * @param heartbeatThreads at least 1; 24 by default
     * @return this builder
     */
    public B heartbeatThreads(int heartbeatThreads) {
        values.heartbeatThreads = heartbeatThreads;
        return self();
    }

    /**
     * Limits the number of concurrent requests by calling threads. A caller beyond the limit waits for its turn,
     * within its wait time and the call timeout.
     *
     * @param maxConcurrentRequests at least 1; 16 by default
     * @return this builder
     */
    public B maxConcurrentRequests(int maxConcurrentRequests) {
        values.maxConcurrentRequests = maxConcurrentRequests;
        return self();
    }

    /**
     * Sets how long an acquire waits for a busy lock if its request sets no wait time.
     *
     * @param waitTime zero or more, without an upper limit; zero, the default, for a single attempt
     * @return this builder
     */
    public B waitTime(Duration waitTime) {
        values.waitTime = Objects.requireNonNull(waitTime, "waitTime");
        return self();
    }

    /**
     * Sets the shortest interval between two polls of a busy lock, up to a tenth shorter or longer as jitter.
     *
     * @param pollMin 1 ms to 365 days; 50 ms by default
     * @return this builder
     */
    public B pollMin(Duration pollMin) {
        values.pollMin = Objects.requireNonNull(pollMin, "pollMin");
        return self();
    }

    /**
     * Sets the longest interval between two polls of a busy lock.
     *
     * @param pollMax at least {@code pollMin}, at most 365 days; 1 s by default
     * @return this builder
     */
    public B pollMax(Duration pollMax) {
        values.pollMax = Objects.requireNonNull(pollMax, "pollMax");
        return self();
    }

    /**
     * Sets the timeout of a single request to the store.
     *
     * @param attemptTimeout 1 ms to half of the lease duration, and not above the call timeout if that is set;
     *     null, the default, for a value derived from the lease duration, at most 2 s
     * @return this builder
     */
    public B attemptTimeout(@Nullable Duration attemptTimeout) {
        values.attemptTimeout = attemptTimeout;
        return self();
    }

    /**
     * Sets the timeout of one operation with all its retries.
     *
     * @param callTimeout 1 ms to the lease duration; null, the default, for half of the lease duration, at most 10
     *     s
     * @return this builder
     */
    public B callTimeout(@Nullable Duration callTimeout) {
        values.callTimeout = callTimeout;
        return self();
    }

    /**
     * Sets the timeout of one operation with all its retries until the first acquire of this process has a
     * response, and of one that must sample the store's clock, unless the call timeout is longer. A single request, or
     * sample, has half of it. Class loading, TLS or a starved processor can make these take seconds.
     *
     * @param firstResponseTimeout 1 ms to 365 days; null, the default, for 10 s, or for the call timeout if that is
     *     set
     * @return this builder
     */
    public B firstResponseTimeout(@Nullable Duration firstResponseTimeout) {
        values.firstResponseTimeout = firstResponseTimeout;
        return self();
    }

    /**
     * Sets the prefix of every lock name in the table.
     *
     * @param namePrefix shorter than 2,048 bytes in UTF-8, without control characters or unpaired surrogates; empty by
     *     default
     * @return this builder
     * @throws InvalidSettingException if the prefix is too long, or contains such characters
     */
    public B namePrefix(String namePrefix) {
        values.namePrefix = Objects.requireNonNull(namePrefix, "namePrefix");
        LockNames.requirePrefix(namePrefix);
        return self();
    }

    /**
     * Sets how long {@link LockManager#close()} keeps open leases alive for their holders to release them; with
     * zero it does not wait for that.
     *
     * @param shutdownGrace zero or more, without an upper limit; 10 s by default
     * @return this builder
     */
    public B shutdownGrace(Duration shutdownGrace) {
        values.shutdownGrace = Objects.requireNonNull(shutdownGrace, "shutdownGrace");
        return self();
    }

    /**
     * Sets what happens to the work under a lost lease.
     *
     * @param onLost {@link OnLost#THROW} by default; a request can override it
     * @return this builder
     */
    public B onLost(OnLost onLost) {
        values.onLost = Objects.requireNonNull(onLost, "onLost");
        return self();
    }
}
