/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Lock;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.LoggerFactory;

/**
 * Grants every request without locking. Only draining and closing have their usual effect, as both stop new work, but
 * not that of a thread which acquires again what it holds.
 */
final class UnlockedLockManager implements LockManager {

    private static final LockNames NAMES = new LockNames("");

    private final String owner = Owners.ofThisProcess();
    private final Clock clock = Clock.systemUTC();
    private final LockHolds lockHolds = new LockHolds();

    /** The leases of reentrant requests that are held. */
    private final Set<UnlockedLease> reentrant = ConcurrentHashMap.newKeySet();

    private volatile boolean draining;
    private volatile boolean closed;

    UnlockedLockManager() {
        LoggerFactory.getLogger(UnlockedLockManager.class)
                .warn("Locking is off: this lock manager lets all work run without locks, also at the same time");
    }

    @Override
    public Optional<Lease> tryAcquire(String name) {
        return Optional.of(acquire(LockRequest.of(name)));
    }

    @Override
    public Optional<Lease> tryAcquire(LockRequest request) {
        return Optional.of(acquire(request));
    }

    @Override
    public Lease acquire(LockRequest request) {
        Objects.requireNonNull(request, "request");
        if ((closed || draining) && !isReentered(request)) {
            throw closed ? new LockManagerClosedException() : new LockManagerDrainingException();
        }
        List<Lease> leases =
                request.names().stream().map(name -> lease(request.name(name))).toList();
        return leases.size() == 1 ? leases.get(0) : new LeaseGroup(leases);
    }

    private boolean isReentered(LockRequest request) {
        return request.reentrant()
                && request.names().stream()
                        .allMatch(name -> reentrant.stream().anyMatch(lease -> lease.isOfCurrentThread(name)));
    }

    private Lease lease(LockRequest request) {
        UnlockedLease lease = new UnlockedLease(request, owner, clock, reentrant::remove);
        if (request.reentrant()) {
            reentrant.add(lease);
        }
        return lease;
    }

    @Override
    public CompletableFuture<Optional<Lease>> tryAcquireAsync(LockRequest request) {
        return completed(() -> Optional.of(acquireOnNoThread(request)));
    }

    @Override
    public CompletableFuture<Lease> acquireAsync(LockRequest request) {
        return completed(() -> acquireOnNoThread(request));
    }

    /** Futures belong to no thread, so they do not reenter. */
    private Lease acquireOnNoThread(LockRequest request) {
        return acquire(Objects.requireNonNull(request, "request").reentrant(false));
    }

    private static <T> CompletableFuture<T> completed(Supplier<T> acquisition) {
        try {
            return CompletableFuture.completedFuture(acquisition.get());
        } catch (RuntimeException rejected) {
            return CompletableFuture.failedFuture(rejected);
        }
    }

    @Override
    public Lock asLock(LockRequest request) {
        return new LeaseLock(this, request, lockHolds);
    }

    @Override
    public LockState inspect(String name) {
        requireUsable(name);
        return LockState.of(name, null, false);
    }

    @Override
    public Stream<LockState> held() {
        return Stream.empty();
    }

    @Override
    public Lease resume(LeaseToken token) {
        Objects.requireNonNull(token, "token");
        return acquire(LockRequest.of(token.name()));
    }

    @Override
    public boolean revoke(String name, String leaseId) {
        Objects.requireNonNull(leaseId, "leaseId");
        requireUsable(name);
        return false;
    }

    @Override
    public boolean forceRelease(String name, String leaseId) {
        Objects.requireNonNull(leaseId, "leaseId");
        requireUsable(name);
        return false;
    }

    @Override
    public boolean keep(String name, String leaseId, Duration keep) {
        Objects.requireNonNull(leaseId, "leaseId");
        SettingsRules.requireKeep(keep);
        requireUsable(name);
        return false;
    }

    @Override
    public Optional<LockState> forceFree(String name) {
        requireUsable(name);
        return Optional.empty();
    }

    /** Rejects what other managers reject before they send a request. */
    private void requireUsable(String name) {
        if (closed) {
            throw new LockManagerClosedException();
        }
        var unused = NAMES.toStored(name);
    }

    @Override
    public void hint(String name) {
        LockNames.requireText(name); // nobody waits
    }

    @Override
    public void startDraining() {
        draining = true;
    }

    @Override
    public void stopDraining() {
        draining = false;
    }

    @Override
    public void close() {
        closed = true;
    }

    @Override
    public String toString() {
        return "LockManager[unlocked]";
    }
}
