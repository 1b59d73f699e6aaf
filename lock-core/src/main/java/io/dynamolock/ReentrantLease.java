/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.ReentrantHolds.Hold;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One of several handles on a lease that its thread holds more than once; releasing the last handle releases the lease.
 */
final class ReentrantLease implements GrantedLease {

    private final Hold hold;
    private final HeldLease lease;
    private final OnLost policy;
    private volatile boolean released;
    private volatile boolean failed;
    private volatile boolean unused;

    /**
     * Whether this was the last handle, so that its outcome is the lease's. Decided once, when the handle is released.
     */
    private boolean releasesLease;

    /** Whether this handle was released before others, while the lease was held: it has no part in a later loss. */
    private volatile boolean outlived;

    /** Each makes the lease forget a callback of this handle; run if it is released before others. */
    private final List<Runnable> registrations = new ArrayList<>(0);

    /** Created when it is asked for: the lease keeps nothing of a handle of which nobody asks. */
    private @Nullable CompletionStage<LeaseLost> lost;

    ReentrantLease(Hold hold, OnLost policy) {
        this.hold = hold;
        this.lease = hold.lease();
        this.policy = policy;
    }

    HeldLease lease() {
        return lease;
    }

    @Override
    public LeaseGrant grant() {
        return lease.grant();
    }

    @Override
    public LockStore store() {
        return lease.store();
    }

    @Override
    public OnLost policy() {
        return policy;
    }

    @Override
    public Duration age() {
        return lease.age();
    }

    @Override
    public Instant expiresAt() {
        return lease.expiresAt();
    }

    @Override
    public Duration remaining() {
        return released ? Duration.ZERO : lease.remaining();
    }

    @Override
    public boolean isHeld() {
        return !released && lease.isHeld();
    }

    @Override
    public void ensureHeld() {
        requireNotReleased();
        lease.ensureHeld();
    }

    @Override
    public Instant renew() {
        requireNotReleased();
        return lease.renew();
    }

    @Override
    public Instant renew(Duration leaseDuration) {
        requireNotReleased();
        return lease.renew(leaseDuration);
    }

    /** Counts if this is the last handle: the outcome of nested work is part of that of the outer work. */
    @Override
    public void markFailed() {
        failed = true;
    }

    /** Counts if no work has used any of the handles. */
    @Override
    public void markUnused() {
        unused = true;
    }

    @Override
    public ReleaseOutcome release() {
        return releaseHold() ? lease.release() : ReleaseOutcome.RELEASED;
    }

    @Override
    public ReleaseOutcome release(Duration keep) {
        SettingsRules.requireKeep(keep);
        keepUnlessReleased(keep);
        return release();
    }

    private synchronized void keepUnlessReleased(Duration keep) {
        if (!released || releasesLease) {
            lease.keep(keep);
        }
    }

    /** Releases the hold unless that was done before. Returns whether this was the last handle. */
    private synchronized boolean releaseHold() {
        if (!released) {
            boolean held = lease.isHeld();
            releasesLease = hold.leave(!unused);
            outlived = held && !releasesLease;
            released = true;
            if (outlived) {
                registrations.forEach(Runnable::run);
                registrations.clear();
            }
            if (releasesLease && failed) {
                lease.markFailed();
            }
            if (releasesLease && !hold.isUsed()) {
                lease.markUnused();
            }
        }
        return releasesLease;
    }

    @Override
    public void close() {
        if (releaseHold()) {
            lease.close();
        }
    }

    @Override
    public CompletionStage<Void> closeAsync() {
        return releaseHold() ? lease.closeAsync() : CompletableFuture.completedStage(null);
    }

    @Override
    public boolean verify() {
        return !released && lease.verify();
    }

    @Override
    public void onAtRisk(Consumer<Lease> action) {
        Objects.requireNonNull(action, "action");
        registered(lease.risk().register(shared -> {
            if (!released) {
                action.accept(this);
            }
        }));
    }

    @Override
    public void onLost(Consumer<LeaseLost> action) {
        Objects.requireNonNull(action, "action");
        registered(lease.lossNotice().register(loss -> {
            if (!outlived) {
                action.accept(loss);
            }
        }));
    }

    private synchronized void registered(Runnable registration) {
        if (outlived) {
            registration.run();
        } else {
            registrations.add(registration);
        }
    }

    @Override
    public synchronized CompletionStage<LeaseLost> lost() {
        CompletionStage<LeaseLost> known = lost;
        if (known == null) {
            CompletableFuture<LeaseLost> own = new CompletableFuture<>();
            registered(lease.lossNotice().registerCompletion(loss -> {
                if (!outlived) {
                    own.complete(loss);
                }
            }));
            known = own.minimalCompletionStage();
            lost = known;
        }
        return known;
    }

    @Override
    public LeaseState state() {
        LeaseState shared = lease.state();
        return released && (outlived || shared.isHeld()) ? LeaseState.RELEASED : shared;
    }

    @Override
    public LeaseToken detach() {
        requireNotReleased();
        return lease.detach();
    }

    private void requireNotReleased() {
        if (released && state() != LeaseState.LOST) {
            throw new IllegalStateException("This handle on lock '%s' was released".formatted(name()));
        }
    }

    @Override
    public String toString() {
        return lease.toString(state());
    }
}
