/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.time.ThreadParker;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** A lease without a lock: held until it is released, as if it had always just been renewed, and never lost. */
final class UnlockedLease implements Lease {

    private final LockRequest request;
    private final String owner;
    private final String id = UUID.randomUUID().toString();
    private final Clock clock;
    private final Thread holder = Thread.currentThread();
    private final Consumer<UnlockedLease> onEnd;
    private final Instant acquiredAt;
    private final long acquiredNanos = ThreadParker.nanoTime();
    private final CompletionStage<LeaseLost> never = new CompletableFuture<LeaseLost>().minimalCompletionStage();
    private volatile Duration duration;
    private volatile LeaseState state = LeaseState.UNLOCKED;

    UnlockedLease(LockRequest request, String owner, Clock clock, Consumer<UnlockedLease> onEnd) {
        this.request = request;
        this.owner = request.owner() == null ? owner : request.owner();
        this.clock = clock;
        this.onEnd = onEnd;
        this.acquiredAt = clock.instant();
        this.duration = LockSettings.DEFAULTS.leaseOf(request);
    }

    boolean isOfCurrentThread(String name) {
        return holder == Thread.currentThread() && name().equals(name);
    }

    @Override
    public String name() {
        return request.name();
    }

    @Override
    public String owner() {
        return owner;
    }

    @Override
    public String id() {
        return id;
    }

    @Override
    public long fencingToken() {
        return 0;
    }

    @Override
    public Map<String, String> metadata() {
        return request.metadata();
    }

    @Override
    public Instant acquiredAt() {
        return acquiredAt;
    }

    @Override
    public Duration age() {
        return Duration.ofNanos(ThreadParker.nanoTime() - acquiredNanos);
    }

    @Override
    public Instant expiresAt() {
        return clock.instant().plus(remaining());
    }

    @Override
    public Duration remaining() {
        return isHeld() ? duration : Duration.ZERO;
    }

    @Override
    public boolean isHeld() {
        return state == LeaseState.UNLOCKED;
    }

    @Override
    public void ensureHeld() {
        if (!isHeld()) {
            throw new IllegalStateException("The lease on lock '%s' is %s".formatted(name(), state));
        }
    }

    @Override
    public boolean verify() {
        return isHeld();
    }

    @Override
    public Instant renew() {
        ensureHeld();
        return expiresAt();
    }

    @Override
    public Instant renew(Duration leaseDuration) {
        SettingsRules.requireLease("leaseDuration", Objects.requireNonNull(leaseDuration, "leaseDuration"));
        ensureHeld();
        duration = leaseDuration;
        return expiresAt();
    }

    @Override
    public void markFailed() {
        // nothing is written
    }

    @Override
    public ReleaseOutcome release() {
        if (state == LeaseState.DETACHED) {
            throw new IllegalStateException("The lease on lock '%s' is detached".formatted(name()));
        }
        end(LeaseState.RELEASED);
        return ReleaseOutcome.RELEASED;
    }

    private void end(LeaseState last) {
        state = last;
        onEnd.accept(this);
    }

    @Override
    public ReleaseOutcome release(Duration keep) {
        SettingsRules.requireKeep(keep);
        return release();
    }

    @Override
    public void close() {
        if (isHeld()) {
            release();
        }
    }

    @Override
    public CompletionStage<Void> closeAsync() {
        close();
        return CompletableFuture.completedStage(null);
    }

    @Override
    public void onAtRisk(Consumer<Lease> action) {
        Objects.requireNonNull(action, "action");
    }

    @Override
    public void onLost(Consumer<LeaseLost> action) {
        Objects.requireNonNull(action, "action");
    }

    @Override
    public CompletionStage<LeaseLost> lost() {
        return never;
    }

    @Override
    public OnLost policy() {
        return request.onLost() == OnLost.DEFAULT ? LockSettings.DEFAULTS.onLost() : request.onLost();
    }

    @Override
    public LeaseState state() {
        return state;
    }

    @Override
    public LeaseToken detach() {
        ensureHeld();
        end(LeaseState.DETACHED);
        return LeaseToken.of("unlocked", name(), id, null);
    }

    @Override
    public String toString() {
        return "Lease[%s, token %s, %s]".formatted(name(), fencingToken(), state);
    }
}
