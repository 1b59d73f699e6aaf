/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.ReentrantHolds.Hold;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** One of several handles on a lease that its thread holds more than once; the last one that is released releases it. */
final class ReentrantLease implements StoredLease {

    private final Hold hold;
    private final HeldLease lease;
    private final AtomicBoolean left = new AtomicBoolean();

    /** Whether this was the last handle, so that its outcome is the lease's. */
    private volatile boolean releasesLease;

    ReentrantLease(Hold hold) {
        this.hold = hold;
        this.lease = hold.lease();
    }

    HeldLease lease() {
        return lease;
    }

    @Override
    public String name() {
        return lease.name();
    }

    @Override
    public LockStore store() {
        return lease.store();
    }

    @Override
    public String storedName() {
        return lease.storedName();
    }

    @Override
    public String owner() {
        return lease.owner();
    }

    @Override
    public String id() {
        return lease.id();
    }

    @Override
    public long fencingToken() {
        return lease.fencingToken();
    }

    @Override
    public Map<String, String> metadata() {
        return lease.metadata();
    }

    @Override
    public Instant acquiredAt() {
        return lease.acquiredAt();
    }

    @Override
    public Instant expiresAt() {
        return lease.expiresAt();
    }

    @Override
    public Duration remaining() {
        return left.get() ? Duration.ZERO : lease.remaining();
    }

    @Override
    public boolean isHeld() {
        return !left.get() && lease.isHeld();
    }

    @Override
    public void ensureHeld() {
        requireNotLeft();
        lease.ensureHeld();
    }

    @Override
    public Instant renew() {
        requireNotLeft();
        return lease.renew();
    }

    @Override
    public Instant renew(Duration leaseDuration) {
        requireNotLeft();
        return lease.renew(leaseDuration);
    }

    @Override
    public ReleaseOutcome release() {
        boolean first = left.compareAndSet(false, true);
        boolean last = first ? hold.leave() : releasesLease;
        releasesLease = last;
        return last ? lease.release() : ReleaseOutcome.RELEASED;
    }

    @Override
    public void close() {
        if (left.compareAndSet(false, true) && hold.leave()) {
            releasesLease = true;
            lease.close();
        }
    }

    @Override
    public CompletionStage<Void> closeAsync() {
        if (left.compareAndSet(false, true) && hold.leave()) {
            releasesLease = true;
            return lease.closeAsync();
        }
        return CompletableFuture.completedStage(null);
    }

    @Override
    public OnLost policy() {
        return lease.policy();
    }

    @Override
    public void onLost(Consumer<LeaseLost> action) {
        lease.onLost(action);
    }

    @Override
    public CompletionStage<LeaseLost> lost() {
        return lease.lost();
    }

    @Override
    public LeaseState state() {
        return left.get() && lease.isHeld() ? LeaseState.RELEASED : lease.state();
    }

    @Override
    public LeaseToken detach() {
        requireNotLeft();
        return lease.detach();
    }

    private void requireNotLeft() {
        if (left.get()) {
            throw new IllegalStateException("This hold on lock '%s' was released".formatted(name()));
        }
    }

    @Override
    public String toString() {
        return lease.toString();
    }
}
