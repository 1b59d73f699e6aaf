/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Which lock is wanted, and how. Immutable: each method returns a copy. What is not set has the manager's default.
 *
 * @since 0.1
 */
public final class LockRequest {

    /** Never changes after the construction. */
    private final Values values;

    private LockRequest(Values values) {
        LockNames.requireText(values.name);
        Durations.requireLease("leaseDuration", values.leaseDuration);
        Durations.requireNotNegative("waitTime", values.waitTime);
        Durations.requireLease("maxHold", values.maxHold);
        Durations.requireShort("minHold", values.minHold);
        if (values.minHold != null && values.maxHold != null && values.minHold.compareTo(values.maxHold) > 0) {
            throw new IllegalArgumentException(
                    "minHold (%s) must not exceed maxHold (%s)".formatted(values.minHold, values.maxHold));
        }
        if (values.owner != null) {
            Texts.requireOwner(values.owner);
        }
        Texts.requireMetadata(values.metadata);
        this.values = values;
    }

    /**
     * Asks for a lock with the manager's defaults.
     *
     * @param name the lock: not blank, no control characters, up to 2,048 bytes in UTF-8 with the manager's prefix
     * @return the request
     * @throws IllegalArgumentException if the name is null or blank
     */
    public static LockRequest of(String name) {
        return new LockRequest(new Values(name));
    }

    /** {@return the lock} */
    public String name() {
        return values.name;
    }

    /** {@return how long the lease lasts without a renewal; null for the manager's default} */
    public @Nullable Duration leaseDuration() {
        return values.leaseDuration;
    }

    /** {@return how long to wait while somebody else has the lock; null for the manager's default} */
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

    /** {@return the shortest time the lock stays taken, even if released earlier; null for none} */
    public @Nullable Duration minHold() {
        return values.minHold;
    }

    /** {@return the readable identity to show; null for the manager's} */
    public @Nullable String owner() {
        return values.owner;
    }

    /** {@return what is written beside the lease, for operators; unmodifiable} */
    public Map<String, String> metadata() {
        return values.metadata;
    }

    /** {@return whether a thread that holds the lock by a request like this one gets it again at no cost} */
    public boolean reentrant() {
        return values.reentrant;
    }

    /** {@return what happens to the work under a lease that is lost; null for the manager's default} */
    public @Nullable OnLost onLost() {
        return values.onLost;
    }

    /**
     * Asks for another lock in the same way.
     *
     * @param name the lock: not blank, no control characters, up to 2,048 bytes in UTF-8 with the manager's prefix
     * @return a copy
     */
    public LockRequest name(String name) {
        return with(copy -> copy.name = name);
    }

    /**
     * Says how long the lease lasts without a renewal.
     *
     * @param leaseDuration at least a millisecond, at most a year
     * @return a copy
     */
    public LockRequest leaseDuration(Duration leaseDuration) {
        return with(copy -> copy.leaseDuration = Objects.requireNonNull(leaseDuration, "leaseDuration"));
    }

    /**
     * Says how long to wait while somebody else holds the lock.
     *
     * @param waitTime zero to try once; without an upper limit
     * @return a copy
     */
    public LockRequest waitTime(Duration waitTime) {
        return with(copy -> copy.waitTime = Objects.requireNonNull(waitTime, "waitTime"));
    }

    /**
     * Says whether the heartbeat keeps the lease alive.
     *
     * @param autoRenew false for a lease that just runs out
     * @return a copy
     */
    public LockRequest autoRenew(boolean autoRenew) {
        return with(copy -> copy.autoRenew = autoRenew);
    }

    /**
     * Limits how long the lease is kept alive, so that stuck work cannot hold the lock for ever.
     *
     * @param maxHold at least a millisecond, at most a year
     * @return a copy
     */
    public LockRequest maxHold(Duration maxHold) {
        return with(copy -> copy.maxHold = Objects.requireNonNull(maxHold, "maxHold"));
    }

    /**
     * Keeps the lock taken for a while even if it is released earlier, so that a job that is over in a moment does not run
     * again on a node whose schedule is a little late.
     *
     * @param minHold counted from the acquisition; not negative, at most 365 days, and not longer than {@code maxHold}
     * @return a copy
     */
    public LockRequest minHold(Duration minHold) {
        return with(copy -> copy.minHold = Objects.requireNonNull(minHold, "minHold"));
    }

    /**
     * Says which owner to show.
     *
     * @param owner for display only, it decides nothing; at most 1,000 characters, no control characters
     * @return a copy
     */
    public LockRequest owner(String owner) {
        return with(copy -> copy.owner = Objects.requireNonNull(owner, "owner"));
    }

    /**
     * Says what to write beside the lease.
     *
     * @param metadata small texts for operators: at most 4,096 bytes of UTF-8 in all, no control characters
     * @return a copy
     */
    public LockRequest metadata(Map<String, String> metadata) {
        return with(copy -> copy.metadata = Map.copyOf(Objects.requireNonNull(metadata, "metadata")));
    }

    /**
     * Says whether the thread that holds the lock by a request that says so, too, gets it again without a request: the same
     * lease, the same fencing token, released at the last close.
     *
     * @param reentrant true to share
     * @return a copy
     */
    public LockRequest reentrant(boolean reentrant) {
        return with(copy -> copy.reentrant = reentrant);
    }

    /**
     * Says what happens to the work under this lease if the lease is lost.
     *
     * @param onLost null for the manager's default
     * @return a copy
     */
    public LockRequest onLost(@Nullable OnLost onLost) {
        return with(copy -> copy.onLost = onLost);
    }

    private LockRequest with(Consumer<Values> change) {
        Values copy = new Values(values);
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

    private static final class Values {
        private String name;
        private @Nullable Duration leaseDuration;
        private @Nullable Duration waitTime;
        private boolean autoRenew = true;
        private @Nullable Duration maxHold;
        private @Nullable Duration minHold;
        private @Nullable String owner;
        private Map<String, String> metadata = Map.of();
        private boolean reentrant;
        private @Nullable OnLost onLost;

        Values(String name) {
            this.name = name;
        }

        Values(Values other) {
            name = other.name;
            leaseDuration = other.leaseDuration;
            waitTime = other.waitTime;
            autoRenew = other.autoRenew;
            maxHold = other.maxHold;
            minHold = other.minHold;
            owner = other.owner;
            metadata = other.metadata;
            reentrant = other.reentrant;
            onLost = other.onLost;
        }

        Map<String, @Nullable Object> all() {
            Map<String, @Nullable Object> all = new LinkedHashMap<>();
            all.put("name", name);
            all.put("leaseDuration", leaseDuration);
            all.put("waitTime", waitTime);
            all.put("autoRenew", autoRenew);
            all.put("maxHold", maxHold);
            all.put("minHold", minHold);
            all.put("owner", owner);
            all.put("metadata", metadata);
            all.put("reentrant", reentrant);
            all.put("onLost", onLost);
            return all;
        }
    }
}
