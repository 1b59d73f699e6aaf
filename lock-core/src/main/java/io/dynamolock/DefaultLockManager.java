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

/** The manager: each operation once, from the caller's wish to the store's answer. */
final class DefaultLockManager implements LockManager {

    private final EngineContext engine;
    private final String owner;
    private final ReentrantHolds holds = new ReentrantHolds();

    DefaultLockManager(EngineContext engine, String owner) {
        this.engine = engine;
        this.owner = owner;
    }

    @Override
    public Optional<Lease> tryAcquire(String name) {
        engine.requireOpen();
        LockRequest request = LockRequest.of(name);
        return Optional.ofNullable(
                new BlockingAcquisition(engine, request, owner).await().result());
    }

    @Override
    public Optional<Lease> tryAcquire(LockRequest request) throws InterruptedException {
        Lease again = again(request);
        return again != null
                ? Optional.of(again)
                : Optional.ofNullable(shared(request, acquisition(request).result()));
    }

    @Override
    public Lease acquire(LockRequest request) throws InterruptedException {
        Lease again = again(request);
        return again != null
                ? again
                : Objects.requireNonNull(shared(request, acquisition(request).lease()));
    }

    private Acquisition acquisition(LockRequest request) throws InterruptedException {
        engine.requireOpen();
        if (engine.waitOf(request).isZero()) {
            return new BlockingAcquisition(engine, request, owner).await();
        }
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        return new BlockingAcquisition(engine, request, owner).awaitInterruptibly();
    }

    /** The lease that this thread may share, also while the manager closes; null if it holds none, or does not want to. */
    private @Nullable Lease again(LockRequest request) {
        Objects.requireNonNull(request, "request");
        return request.reentrant() ? holds.again(request.name()) : null;
    }

    private @Nullable Lease shared(LockRequest request, @Nullable HeldLease lease) {
        return lease != null && request.reentrant() ? holds.first(request.name(), lease) : lease;
    }

    @Override
    public CompletableFuture<Optional<Lease>> tryAcquireAsync(LockRequest request) {
        return AsyncAcquisition.trying(engine, request, owner);
    }

    @Override
    public CompletableFuture<Lease> acquireAsync(LockRequest request) {
        return AsyncAcquisition.insisting(engine, request, owner);
    }

    @Override
    public Optional<LockSettings> settings() {
        return Optional.of(engine.settings);
    }

    @Override
    public LockState inspect(String name) {
        engine.requireOpen();
        String stored = engine.names.stored(name);
        Duration lease = engine.settings.leaseDuration();
        Answer answer = engine.gate.persistently(
                name,
                Operation.READ,
                engine.gate.budget(engine.callTimeout(lease)),
                engine.attemptTimeout(lease),
                timeouts -> engine.gate.read(name, stored, true, timeouts));
        LockRow row = answer.row();
        ClockReading now = engine.clock.now();
        boolean takeable = false;
        if (row != null) {
            engine.observations.saw(stored, row, now.nanos());
            takeable = engine.observations.isTakeable(stored, row, now);
            engine.damagedRows.saw(name, row, takeable, now);
        }
        return LockState.of(name, row, takeable);
    }

    @Override
    public Stream<LockState> held() {
        return List.copyOf(engine.held).stream().filter(HeldLease::isHeld).map(HeldLease::snapshot);
    }

    @Override
    public Duration heartbeatLag() {
        return List.copyOf(engine.held).stream()
                .map(lease -> lease.heartbeat().lag())
                .max(Comparator.naturalOrder())
                .orElse(Duration.ZERO);
    }

    @Override
    public Lease resume(LeaseToken token) {
        engine.requireOpen();
        return new Resumption(engine, owner).resume(token);
    }

    @Override
    public boolean revoke(String name, String leaseId) {
        Objects.requireNonNull(leaseId, "leaseId");
        engine.requireOpen();
        String stored = engine.names.stored(name);
        Duration lease = engine.settings.leaseDuration();
        return engine.gate
                .persistently(
                        name,
                        Operation.REVOKE,
                        engine.gate.budget(engine.callTimeout(lease)),
                        engine.attemptTimeout(lease),
                        timeouts -> engine.gate.revoke(name, stored, leaseId, timeouts))
                .applied();
    }

    @Override
    public boolean forceRelease(String name, String leaseId) {
        Objects.requireNonNull(leaseId, "leaseId");
        engine.requireOpen();
        return new ForcedRelease(engine, name).release(leaseId);
    }

    @Override
    public Optional<LockState> forceFree(String name) {
        engine.requireOpen();
        return new ForcedRelease(engine, name).free();
    }

    @Override
    public void close() {
        if (engine.shut()) {
            new Shutdown(engine).run();
        }
    }
}
