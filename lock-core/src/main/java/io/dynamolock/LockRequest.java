/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The lock to acquire, or several of them, and the options of the acquisition. Immutable: each method returns a copy.
 * Options that are not set have the manager's defaults.
 *
 * @since 0.1
 */
public final class LockRequest {

    /** Not modified after construction. */
    private final RequestValues values;

    private LockRequest(RequestValues values) {
        values.check();
        this.values = values;
    }

    /**
     * Returns a request for a lock with the manager's defaults.
     *
     * @param name the lock name: not blank, no control characters or unpaired surrogates, at most 2,048 bytes in UTF-8
     *     with the manager's prefix
     * @return the request
     * @throws InvalidSettingException if the name is null or blank, or contains such characters
     */
    public static LockRequest of(String name) {
        return new LockRequest(new RequestValues(name));
    }

    /**
     * Returns a request for several locks with the manager's defaults: all of them are acquired, or none. They are
     * acquired one after the other, each by a request to the store of its own, in an order that is the same for all
     * callers, so that two of them cannot wait for each other. The wait time applies to all together. The result is one
     * {@link Lease} that stands for {@linkplain Lease#leases() all of them}, and releases them in reverse order; it is
     * lost as soon as one of them is. If one is lost while another is awaited, the acquisition throws a
     * {@link LeaseLostException} once that one is acquired, and none stays acquired; if it stays busy, the result is
     * that of a busy lock.
     *
     * @param names at least one lock name, each as in {@link #of(String)}; names that occur more than once count once
     * @return the request
     * @throws InvalidSettingException if there is no name, or if one is rejected by {@link #of(String)}
     */
    public static LockRequest ofAll(Collection<String> names) {
        return of("-").names(names);
    }

    /** {@return the lock name; of several, the one that is acquired first} */
    public String name() {
        return values.names.get(0);
    }

    /** {@return the lock names, in the order in which they are acquired; unmodifiable} */
    public List<String> names() {
        return values.names;
    }

    /** {@return how long the lease lasts without a renewal; null for the manager's default} */
    public @Nullable Duration leaseDuration() {
        return values.leaseDuration;
    }

    /** {@return how long to wait while another lease holds the lock; null for the manager's default} */
    public @Nullable Duration waitTime() {
        return values.waitTime;
    }

    /** {@return whether the heartbeat keeps the lease alive; true by default} */
    public boolean autoRenew() {
        return values.autoRenew;
    }

    /** {@return the longest time the lease is kept alive; null for no limit} */
    public @Nullable Duration maxHold() {
        return values.maxHold;
    }

    /** {@return the shortest time the lock stays taken, even if it is released earlier; null for none} */
    public @Nullable Duration minHold() {
        return values.minHold;
    }

    /** {@return the shortest interval between two polls while the lock is busy; null for the manager's default} */
    public @Nullable Duration pollMin() {
        return values.pollMin;
    }

    /** {@return the longest interval between two polls while the lock is busy; null for the manager's default} */
    public @Nullable Duration pollMax() {
        return values.pollMax;
    }

    /** {@return the readable identity of the holder; null for the manager's} */
    public @Nullable String owner() {
        return values.owner;
    }

    /** {@return the texts stored with the lease, for operators; unmodifiable} */
    public Map<String, String> metadata() {
        return values.metadata;
    }

    /**
     * {@return whether a thread that holds the lock through a reentrant request acquires it again without a request to
     * the store}
     */
    public boolean reentrant() {
        return values.reentrant;
    }

    /** {@return what happens to the work under the lease if it is lost} */
    public OnLost onLost() {
        return values.onLost;
    }

    /**
     * Returns a request for another lock with the same options.
     *
     * @param name the lock name: not blank, no control characters or unpaired surrogates, at most 2,048 bytes in UTF-8
     *     with the manager's prefix
     * @return a copy
     * @throws InvalidSettingException if the name is null or blank, or contains such characters
     */
    public LockRequest name(String name) {
        return with(copy -> copy.names = RequestValues.one(name));
    }

    /**
     * Returns a request for several other locks with the same options.
     *
     * @param names at least one lock name, see {@link #ofAll}
     * @return a copy
     * @throws InvalidSettingException if there is no name, or if one is rejected by {@link #of(String)}
     */
    public LockRequest names(Collection<String> names) {
        return with(copy -> copy.names = RequestValues.sorted(names));
    }

    /**
     * Sets how long the lease lasts without a renewal.
     *
     * @param leaseDuration 1 ms to 365 days
     * @return a copy
     * @throws InvalidSettingException if the duration is out of range
     */
    public LockRequest leaseDuration(Duration leaseDuration) {
        return with(copy -> copy.leaseDuration = Objects.requireNonNull(leaseDuration, "leaseDuration"));
    }

    /**
     * Sets how long to wait while another lease holds the lock.
     *
     * @param waitTime zero for a single attempt; without an upper limit
     * @return a copy
     * @throws InvalidSettingException if the wait time is negative
     */
    public LockRequest waitTime(Duration waitTime) {
        return with(copy -> copy.waitTime = Objects.requireNonNull(waitTime, "waitTime"));
    }

    /**
     * Sets whether the heartbeat keeps the lease alive.
     *
     * @param autoRenew false for a lease that is left to expire
     * @return a copy
     */
    public LockRequest autoRenew(boolean autoRenew) {
        return with(copy -> copy.autoRenew = autoRenew);
    }

    /**
     * Limits how long the lease is kept alive, so that stuck work cannot hold the lock forever.
     *
     * @param maxHold 1 ms to 365 days
     * @return a copy
     * @throws InvalidSettingException if the duration is out of range, or below {@code minHold}
     */
    public LockRequest maxHold(Duration maxHold) {
        return with(copy -> copy.maxHold = Objects.requireNonNull(maxHold, "maxHold"));
    }

    /**
     * Keeps the lock taken for a minimum time even if it is released earlier, so that a short job does not run again on
     * a node whose clock runs behind.
     *
     * @param minHold counted from the acquisition; zero to 365 days, and not above {@code maxHold}
     * @return a copy
     * @throws InvalidSettingException if the duration is out of range, or above {@code maxHold}
     */
    public LockRequest minHold(Duration minHold) {
        return with(copy -> copy.minHold = Objects.requireNonNull(minHold, "minHold"));
    }

    /**
     * Sets the shortest interval between two polls while the lock is busy, up to a tenth shorter or longer as jitter.
     *
     * @param pollMin 1 ms to 365 days, and not above {@code pollMax}; a default {@code pollMax} that is shorter is
     *     raised to it
     * @return a copy
     * @throws InvalidSettingException if the duration is out of range, or above {@code pollMax}
     */
    public LockRequest pollMin(Duration pollMin) {
        return with(copy -> copy.pollMin = Objects.requireNonNull(pollMin, "pollMin"));
    }

    /**
     * Sets the longest interval between two polls while the lock is busy: a longer one costs fewer reads, and a release
     * by another process is noticed later. Several waiters of one manager for one lock poll as the first of them does.
     *
     * @param pollMax 1 ms to 365 days, and not below {@code pollMin}; a default {@code pollMin} that is longer is
     *     lowered to it
     * @return a copy
     * @throws InvalidSettingException if the duration is out of range, or below {@code pollMin}
     */
    public LockRequest pollMax(Duration pollMax) {
        return with(copy -> copy.pollMax = Objects.requireNonNull(pollMax, "pollMax"));
    }

    /**
     * Sets the readable identity of the holder.
     *
     * @param owner for display only; at most 1,000 characters, no control characters or unpaired surrogates
     * @return a copy
     * @throws InvalidSettingException if the owner is too long or contains such characters
     */
    public LockRequest owner(String owner) {
        return with(copy -> copy.owner = Objects.requireNonNull(owner, "owner"));
    }

    /**
     * Sets the texts stored with the lease.
     *
     * @param metadata short texts for operators: at most 4,096 bytes of UTF-8 in total, keys included, no control
     *     characters or unpaired surrogates, no empty key, no null
     * @return a copy
     * @throws InvalidSettingException if the texts are too long or contain such characters, if a key is empty, or if a
     *     key or a value is null
     */
    public LockRequest metadata(Map<String, String> metadata) {
        return with(copy -> copy.metadata = Texts.copyOfMetadata(Objects.requireNonNull(metadata, "metadata")));
    }

    /**
     * Sets whether a thread that holds the lock through a reentrant request acquires it again without a request to the
     * store: it gets the same lease with the same fencing token, which is released at the last close. The durations of
     * the request that acquired the lock apply. A loss reaches the work of each request by its own {@code onLost}; only
     * {@code INTERRUPT} and {@code SHUTDOWN} act by that of the request that acquired the lock.
     *
     * @param reentrant true to share the lease
     * @return a copy
     */
    public LockRequest reentrant(boolean reentrant) {
        return with(copy -> copy.reentrant = reentrant);
    }

    /**
     * Sets what happens to the work under this lease if the lease is lost.
     *
     * @param onLost {@link OnLost#DEFAULT}, the default, for what the manager's settings define
     * @return a copy
     */
    public LockRequest onLost(OnLost onLost) {
        return with(copy -> copy.onLost = Objects.requireNonNull(onLost, "onLost"));
    }

    private LockRequest with(Consumer<RequestValues> change) {
        RequestValues copy = values.copy();
        change.accept(copy);
        return new LockRequest(copy);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof LockRequest request && values.all().equals(request.values.all());
    }

    @Override
    public int hashCode() {
        return values.all().hashCode();
    }

    @Override
    public String toString() {
        return "LockRequest" + values.all();
    }
}
