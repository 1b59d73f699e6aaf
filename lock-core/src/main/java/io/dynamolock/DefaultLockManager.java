/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Lock;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Implements the manager's operations on top of the engine. */
final class DefaultLockManager implements LockManager, LockDiagnostics {

    private static final Logger LOG = LoggerFactory.getLogger(DefaultLockManager.class);

    final LeaseRegistry registry;
    final AcquireContext acquire;
    private final EngineContext context;
    final LockHolds lockHolds = new LockHolds();

    DefaultLockManager(EngineContext context, ShutdownOnLoss shutdownOnLoss, String owner) {
        this.context = context;
        this.registry = new LeaseRegistry(context.clock);
        Undo undo = new Undo(context, registry::isClosed);
        this.acquire = new AcquireContext(context, registry, undo, shutdownOnLoss, owner);
        context.onStoreRecovered(registry::onStoreRecovered);
    }

    @Override
    public Optional<Lease> tryAcquire(String name) {
        registry.requireAcquiring();
        LockRequest request = LockRequest.of(name);
        return Optional.ofNullable(
                new BlockingAcquisition(acquire, request).await().result());
    }

    @Override
    public Optional<Lease> tryAcquire(LockRequest request) throws InterruptedException {
        if (isForSeveral(request)) {
            return all(request).tryAcquire(this);
        }
        Lease reentered = reentered(request);
        return reentered != null
                ? Optional.of(reentered)
                : Optional.ofNullable(shared(request, acquisition(request).result()));
    }

    @Override
    public Lease acquire(LockRequest request) throws InterruptedException {
        if (isForSeveral(request)) {
            return all(request).acquire(this);
        }
        Lease reentered = reentered(request);
        return reentered != null
                ? reentered
                : Objects.requireNonNull(shared(request, acquisition(request).lease(!request.reentrant())));
    }

    private static boolean isForSeveral(LockRequest request) {
        return request != null && request.names().size() > 1;
    }

    private GroupAcquisition all(LockRequest request) {
        return new GroupAcquisition(request, context.waitOf(request), context.clock::nanos);
    }

    private Acquisition acquisition(LockRequest request) throws InterruptedException {
        registry.requireAcquiring();
        if (context.waitOf(request).isZero()) {
            return new BlockingAcquisition(acquire, request).await();
        }
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        return new BlockingAcquisition(acquire, request).awaitInterruptibly();
    }

    /**
     * Returns the lease that this thread already holds, even while the manager closes; null if it holds none, or if the
     * request is not reentrant.
     */
    private @Nullable Lease reentered(LockRequest request) {
        Objects.requireNonNull(request, "request");
        return request.reentrant() ? registry.holds.reenter(request.name(), context.onLostOf(request)) : null;
    }

    private @Nullable Lease shared(LockRequest request, @Nullable HeldLease lease) {
        return lease != null && request.reentrant() ? registry.holds.register(request.name(), lease) : lease;
    }

    @Override
    public CompletableFuture<Optional<Lease>> tryAcquireAsync(LockRequest request) {
        return isForSeveral(request)
                ? AsyncGroupAcquisition.tryAcquire(this, all(request))
                : AsyncAcquisition.tryAcquire(acquire, request);
    }

    @Override
    public CompletableFuture<Lease> acquireAsync(LockRequest request) {
        return isForSeveral(request)
                ? AsyncGroupAcquisition.acquire(this, all(request))
                : AsyncAcquisition.acquire(acquire, request);
    }

    @Override
    public Lock asLock(LockRequest request) {
        return new LeaseLock(this, request, lockHolds);
    }

    @Override
    public Optional<LockDiagnostics> diagnostics() {
        return Optional.of(this);
    }

    @Override
    public LockSettings settings() {
        return context.settings;
    }

    @Override
    public LockStore store() {
        return context.store;
    }

    @Override
    public LockState inspect(String name) {
        registry.requireOpen();
        return new RowAdministration(context, name).inspect();
    }

    @Override
    public boolean isHeldByThisThread(String name) {
        return registry.holds.isHeld(name);
    }

    @Override
    public long nanoTime() {
        return context.clock.nanos();
    }

    @Override
    public Stream<LockState> held() {
        return List.copyOf(registry.held).stream().filter(HeldLease::isHeld).map(HeldLease::snapshot);
    }

    @Override
    public Duration heartbeatLag() {
        return List.copyOf(registry.held).stream()
                .map(lease -> lease.heartbeat().lag())
                .max(Comparator.naturalOrder())
                .orElse(Duration.ZERO);
    }

    @Override
    public Lease resume(LeaseToken token) {
        Objects.requireNonNull(token, "token");
        return new Resumption(acquire).resume(token);
    }

    @Override
    public boolean revoke(String name, String leaseId) {
        Objects.requireNonNull(leaseId, "leaseId");
        registry.requireOpen();
        return new RowAdministration(context, name).revoke(leaseId);
    }

    @Override
    public boolean forceRelease(String name, String leaseId) {
        Objects.requireNonNull(leaseId, "leaseId");
        registry.requireOpen();
        return new RowAdministration(context, name).release(leaseId);
    }

    @Override
    public boolean keep(String name, String leaseId, Duration keep) {
        Objects.requireNonNull(leaseId, "leaseId");
        SettingsRules.requireKeep(keep);
        registry.requireOpen();
        return new RowAdministration(context, name).keep(leaseId, keep);
    }

    @Override
    public Optional<LockState> forceFree(String name) {
        registry.requireOpen();
        return new RowAdministration(context, name).free();
    }

    @Override
    public void hint(String name) {
        context.waitQueues.hint(context.names.toStored(name));
    }

    @Override
    public void startDraining() {
        if (registry.drain(true)) {
            List<String> held =
                    List.copyOf(registry.held).stream().map(HeldLease::name).toList();
            LOG.info(
                    "Draining: new acquisitions are rejected; {}",
                    held.isEmpty() ? "no lock is held" : "the leases on " + held + " are kept");
        }
        context.requestLimit.rejectWaiting();
        registry.wakeAcquisitions();
    }

    @Override
    public void stopDraining() {
        if (registry.drain(false)) {
            LOG.info("Draining has stopped: locks can be acquired again");
        }
    }

    @Override
    public boolean isDraining() {
        return registry.isDraining();
    }

    /** Whether the calling thread is one of this manager, or acquires, renews or releases one of its leases. */
    boolean isAtWorkHere() {
        return context.scheduler.hasThisThread() || registry.isAtWorkHere();
    }

    @Override
    public void close() {
        if (registry.markClosed()) {
            new Shutdown(context, registry, acquire.undo()).run();
        }
    }
}
