/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.LockListener.Operation;
import io.dynamolock.LockStore.Answer;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Implements the manager's operations on top of the engine. */
final class DefaultLockManager implements LockManager {

    private final EngineContext context;
    private final String owner;
    private final ReentrantHolds holds = new ReentrantHolds();

    DefaultLockManager(EngineContext context, String owner) {
        this.context = context;
        this.owner = owner;
    }

    @Override
    public Optional<Lease> tryAcquire(String name) {
        context.requireOpen();
        LockRequest request = LockRequest.of(name);
        return Optional.ofNullable(
                new BlockingAcquisition(context, request, owner).await().result());
    }

    @Override
    public Optional<Lease> tryAcquire(LockRequest request) throws InterruptedException {
        Lease reentered = reentered(request);
        return reentered != null
                ? Optional.of(reentered)
                : Optional.ofNullable(shared(request, acquisition(request).result()));
    }

    @Override
    public Lease acquire(LockRequest request) throws InterruptedException {
        Lease reentered = reentered(request);
        return reentered != null
                ? reentered
                : Objects.requireNonNull(shared(request, acquisition(request).lease()));
    }

    private Acquisition acquisition(LockRequest request) throws InterruptedException {
        context.requireOpen();
        if (context.waitOf(request).isZero()) {
            return new BlockingAcquisition(context, request, owner).await();
        }
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        return new BlockingAcquisition(context, request, owner).awaitInterruptibly();
    }

    /**
     * Returns the lease that this thread already holds, even while the manager closes; null if it holds none, or if the
     * request is not reentrant.
     */
    private @Nullable Lease reentered(LockRequest request) {
        Objects.requireNonNull(request, "request");
        return request.reentrant() ? holds.reenter(request.name()) : null;
    }

    private @Nullable Lease shared(LockRequest request, @Nullable HeldLease lease) {
        return lease != null && request.reentrant() ? holds.register(request.name(), lease) : lease;
    }

    @Override
    public CompletableFuture<Optional<Lease>> tryAcquireAsync(LockRequest request) {
        return AsyncAcquisition.trying(context, request, owner);
    }

    @Override
    public CompletableFuture<Lease> acquireAsync(LockRequest request) {
        return AsyncAcquisition.insisting(context, request, owner);
    }

    @Override
    public Optional<LockSettings> settings() {
        return Optional.of(context.settings);
    }

    @Override
    public LockState inspect(String name) {
        context.requireOpen();
        String stored = context.names.stored(name);
        Duration lease = context.settings.leaseDuration();
        Answer answer = context.client.withRetries(
                name,
                Operation.READ,
                context.client.budget(context.callTimeout(lease)),
                context.attemptTimeout(lease),
                timeouts -> context.client.read(name, stored, true, timeouts));
        LockRow row = answer.row();
        ClockReading now = context.clock.now();
        boolean takeable = false;
        if (row != null) {
            context.observations.observed(stored, row, now.nanos());
            takeable = context.observations.isTakeable(stored, row, now);
            context.corruptRows.check(name, row, takeable, now);
        }
        return LockState.of(name, row, takeable);
    }

    @Override
    public Stream<LockState> held() {
        return List.copyOf(context.held).stream().filter(HeldLease::isHeld).map(HeldLease::snapshot);
    }

    @Override
    public Duration heartbeatLag() {
        return List.copyOf(context.held).stream()
                .map(lease -> lease.heartbeat().lag())
                .max(Comparator.naturalOrder())
                .orElse(Duration.ZERO);
    }

    @Override
    public Lease resume(LeaseToken token) {
        context.requireOpen();
        return new Resumption(context, owner).resume(token);
    }

    @Override
    public boolean revoke(String name, String leaseId) {
        Objects.requireNonNull(leaseId, "leaseId");
        context.requireOpen();
        String stored = context.names.stored(name);
        Duration lease = context.settings.leaseDuration();
        return context.client
                .withRetries(
                        name,
                        Operation.REVOKE,
                        context.client.budget(context.callTimeout(lease)),
                        context.attemptTimeout(lease),
                        timeouts -> context.client.revoke(name, stored, leaseId, timeouts))
                .applied();
    }

    @Override
    public boolean forceRelease(String name, String leaseId) {
        Objects.requireNonNull(leaseId, "leaseId");
        context.requireOpen();
        return new ForcedRelease(context, name).release(leaseId);
    }

    @Override
    public Optional<LockState> forceFree(String name) {
        context.requireOpen();
        return new ForcedRelease(context, name).free();
    }

    @Override
    public void close() {
        if (context.markClosed()) {
            new Shutdown(context).run();
        }
    }
}
