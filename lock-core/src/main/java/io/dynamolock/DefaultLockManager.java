/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.LockListener.Operation;
import io.dynamolock.LockStore.Answer;
import io.dynamolock.LockStore.Release;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The manager: each operation once, from the caller's wish to the store's answer. */
final class DefaultLockManager implements LockManager {

    private static final Logger LOG = LoggerFactory.getLogger(DefaultLockManager.class);

    private final Engine engine;
    private final String owner;
    private final ReentrantHolds holds = new ReentrantHolds();

    DefaultLockManager(Engine engine, String owner) {
        this.engine = engine;
        this.owner = owner;
    }

    @Override
    public Optional<Lease> tryAcquire(String name) {
        try {
            return tryAcquire(LockRequest.of(name).waitTime(Duration.ZERO));
        } catch (InterruptedException impossible) {
            throw new IllegalStateException("An acquire that does not wait cannot be interrupted", impossible);
        }
    }

    @Override
    public Optional<Lease> tryAcquire(LockRequest request) throws InterruptedException {
        engine.requireOpen();
        Lease again = again(request);
        return again != null ? Optional.of(again) : Optional.ofNullable(leaseOf(request, attempt(request)));
    }

    @Override
    public Lease acquire(LockRequest request) throws InterruptedException {
        engine.requireOpen();
        Lease again = again(request);
        if (again != null) {
            return again;
        }
        Acquisition attempt = attempt(request);
        Lease lease = leaseOf(request, attempt);
        if (lease == null) {
            throw new LockBusyException(attempt.busyState());
        }
        return lease;
    }

    /** The lease that this thread may share; null if it holds none, or the request does not want it. */
    private @Nullable Lease again(LockRequest request) {
        return request.reentrant() ? holds.again(request.name()) : null;
    }

    private @Nullable Lease leaseOf(LockRequest request, Acquisition attempt) {
        HeldLease lease = attempt.result();
        return lease != null && request.reentrant() ? holds.first(request.name(), lease) : lease;
    }

    private Acquisition attempt(LockRequest request) throws InterruptedException {
        if (engine.waitOf(request).isZero()) {
            Acquisition attempt = new Acquisition(engine, request, owner, Thread.currentThread(), () -> {});
            runShielded(attempt);
            return attempt;
        }
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        AsyncAcquisition<Optional<Lease>> attempt =
                AsyncAcquisition.trying(engine, request, owner, Thread.currentThread());
        attempt.signal();
        return attempt.await();
    }

    /** The SDK refuses to send on an interrupted thread, so the flag is put aside meanwhile. */
    private void runShielded(Acquisition attempt) {
        boolean interrupted = false;
        try {
            while (!attempt.isDone()) {
                interrupted |= Thread.interrupted();
                attempt.advance();
                if (!attempt.isDone()) {
                    long nanos = attempt.wakeNanos() - engine.clock.nanos();
                    interrupted |= engine.tasks.pause().uninterruptibly(Duration.ofNanos(Math.max(0, nanos)));
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public CompletableFuture<Optional<Lease>> tryAcquireAsync(LockRequest request) {
        engine.requireOpen();
        AsyncAcquisition<Optional<Lease>> attempt = AsyncAcquisition.trying(engine, request, owner, null);
        attempt.signal();
        return attempt;
    }

    @Override
    public CompletableFuture<Lease> acquireAsync(LockRequest request) {
        engine.requireOpen();
        AsyncAcquisition<Lease> attempt = AsyncAcquisition.insisting(engine, request, owner);
        attempt.signal();
        return attempt;
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
                engine.settings.callTimeoutFor(lease),
                () -> engine.gate.read(name, stored, true, engine.attemptTimeout(lease)));
        LockRow row = answer.row();
        ClockReading now = engine.clock.now();
        if (row != null) {
            engine.observations.saw(stored, row, now.nanos());
            engine.damagedRows.saw(name, row);
        }
        boolean takeable = row != null && engine.observations.isTakeable(stored, row, now);
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
        engine.requireOpen();
        String stored = engine.names.stored(name);
        Duration lease = engine.settings.leaseDuration();
        return engine.gate
                .persistently(
                        name,
                        Operation.REVOKE,
                        engine.settings.callTimeoutFor(lease),
                        () -> engine.gate.revoke(name, stored, leaseId, engine.attemptTimeout(lease)))
                .applied();
    }

    @Override
    public boolean forceRelease(String name, String leaseId) {
        engine.requireOpen();
        String stored = engine.names.stored(name);
        Duration lease = engine.settings.leaseDuration();
        Release write = new Release(stored, leaseId, engine.clock.now().storeNow(), null);
        RetryBudget budget = engine.gate.budget(engine.settings.callTimeoutFor(lease));
        Answer answer = engine.gate.persistently(
                name,
                Operation.RELEASE,
                budget,
                () -> engine.gate.release(name, Operation.RELEASE, write, engine.attemptTimeout(lease)));
        boolean freed = answer.applied()
                || Refusals.ofRelease(leaseId, answer.row(), budget.anyUnanswered()) == ReleaseOutcome.RELEASED;
        if (freed) {
            LOG.warn("Lock '{}' was released by force; whoever held it may still be at work", name);
            engine.lines.handOver(stored);
        }
        return freed;
    }

    @Override
    public void close() {
        close(Thread.currentThread());
    }

    /** Closes, on whatever thread, as that of the caller would. */
    void close(Thread caller) {
        if (engine.shut()) {
            new Shutdown(engine, caller).run();
        }
    }
}
