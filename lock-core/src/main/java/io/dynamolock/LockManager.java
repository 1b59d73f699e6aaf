/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Lock;
import java.util.stream.Stream;

/**
 * Acquires locks, renews their leases and releases them.
 *
 * <p>At most one lease per lock name is held at a time, across all threads of all processes that use the same table, as
 * long as the clock assumption of the chosen {@link LeaseTime} holds. Contention is a result (an empty
 * {@code Optional}, or a {@link LockBusyException}), a failure is another exception, and neither is ever reported as
 * the other. A free lock is busy, too, while it is reserved for a process that has waited longer.
 *
 * <p>By default no call waits for a busy lock: each makes a single attempt. A call waits if its request, or the
 * manager's default, has a {@code waitTime} above zero. An overload that takes only a name behaves as with
 * {@link LockRequest#of(String)}, except that {@link #tryAcquire(String)} throws no {@code InterruptedException}: an
 * interrupt ends its wait. A request for {@linkplain LockRequest#ofAll several locks} acquires all of them or none.
 *
 * <p>Thread-safe. An application usually has one manager.
 *
 * @since 0.1
 */
public interface LockManager extends LockOperations, LockAdministration, AutoCloseable {

    /**
     * Tries to acquire a lock with the manager's defaults, as {@link #tryAcquire(LockRequest)} does: a single attempt,
     * with one write, unless the manager has a {@linkplain LockSettings#waitTime() wait time}. Can be called on an
     * interrupted thread and preserves its interrupt flag; an interrupt ends the wait as if the wait time had elapsed.
     *
     * @param name the lock name
     * @return the lease, or empty if another lease held the lock until the wait time had elapsed
     * @throws LockStoreException if the store failed
     * @throws InvalidSettingException if the name is not allowed
     * @throws LockManagerClosedException if this manager is closed, before the call or during the wait
     * @throws LockManagerDrainingException if this manager drains, before the call or during the wait
     */
    Optional<Lease> tryAcquire(String name);

    /**
     * Tries to acquire a lock, and waits for a busy one up to the wait time of the request.
     *
     * @param request the lock and the options
     * @return the lease, or empty if another lease held the lock until the wait time had elapsed
     * @throws InterruptedException if the thread is interrupted while it waits; no lock stays acquired
     * @throws LockStoreException if the store failed
     * @throws LockManagerClosedException if this manager is closed, before the call or during the wait
     * @throws LockManagerDrainingException if this manager drains, before the call or during the wait
     */
    Optional<Lease> tryAcquire(LockRequest request) throws InterruptedException;

    /**
     * Tries to acquire a lock within a wait time, as {@link #tryAcquire(LockRequest)} does.
     *
     * @param name the lock name
     * @param waitTime zero for a single attempt; not negative
     * @return the lease, or empty if another lease held the lock until the wait time had elapsed
     * @throws InvalidSettingException if the name is not allowed, or the wait time is negative
     * @throws InterruptedException if the thread is interrupted while it waits; no lock stays acquired
     * @throws LockStoreException if the store failed
     * @throws LockManagerClosedException if this manager is closed, before the call or during the wait
     * @throws LockManagerDrainingException if this manager drains, before the call or during the wait
     */
    default Optional<Lease> tryAcquire(String name, Duration waitTime) throws InterruptedException {
        return tryAcquire(LockRequest.of(name).waitTime(waitTime));
    }

    /**
     * Acquires a lock, or throws {@link LockBusyException} naming the current holder.
     *
     * @param request the lock and the options
     * @return the lease
     * @throws LockBusyException if another lease held the lock until the wait time had elapsed
     * @throws InterruptedException if the thread is interrupted while it waits; no lock stays acquired
     * @throws LockStoreException if the store failed
     * @throws LockManagerClosedException if this manager is closed, before the call or during the wait
     * @throws LockManagerDrainingException if this manager drains, before the call or during the wait
     */
    Lease acquire(LockRequest request) throws InterruptedException;

    /**
     * Acquires a lock with the manager's defaults, as {@link #acquire(LockRequest)} does.
     *
     * @param name the lock name
     * @return the lease
     * @throws LockBusyException if another lease held the lock until the manager's wait time had elapsed
     * @throws InvalidSettingException if the name is not allowed
     * @throws InterruptedException if the thread is interrupted while it waits; no lock stays acquired
     * @throws LockStoreException if the store failed
     * @throws LockManagerClosedException if this manager is closed, before the call or during the wait
     * @throws LockManagerDrainingException if this manager drains, before the call or during the wait
     */
    default Lease acquire(String name) throws InterruptedException {
        return acquire(LockRequest.of(name));
    }

    /**
     * Acquires a lock within a wait time, as {@link #acquire(LockRequest)} does.
     *
     * @param name the lock name
     * @param waitTime zero for a single attempt; not negative
     * @return the lease
     * @throws LockBusyException if another lease held the lock until the wait time had elapsed
     * @throws InvalidSettingException if the name is not allowed, or the wait time is negative
     * @throws InterruptedException if the thread is interrupted while it waits; no lock stays acquired
     * @throws LockStoreException if the store failed
     * @throws LockManagerClosedException if this manager is closed, before the call or during the wait
     * @throws LockManagerDrainingException if this manager drains, before the call or during the wait
     */
    default Lease acquire(String name, Duration waitTime) throws InterruptedException {
        return acquire(LockRequest.of(name).waitTime(waitTime));
    }

    /**
     * Tries to acquire a lock without blocking the calling thread; otherwise like {@link #tryAcquire(LockRequest)}.
     *
     * @param request the lock and the options
     * @return a future that completes with the lease, with empty if the lock was busy, or with the failure. Cancelling
     *     this future, or completing it as {@code orTimeout} does, cancels the attempt and leaves nothing behind;
     *     cancelling a future derived from it, such as that of {@code thenApply(..)}, does not
     */
    CompletableFuture<Optional<Lease>> tryAcquireAsync(LockRequest request);

    /**
     * Acquires a lock without blocking the calling thread; otherwise like {@link #acquire(LockRequest)}.
     *
     * @param request the lock and the options
     * @return a future that completes with the lease, with {@link LockBusyException} if the lock was busy, or with
     *     another failure. Cancelling this future, or completing it as {@code orTimeout} does, cancels the attempt and
     *     leaves nothing behind; cancelling a future derived from it, such as that of {@code thenApply(..)}, does not
     */
    CompletableFuture<Lease> acquireAsync(LockRequest request);

    @Override
    default <T> T call(LockRequest request, LockedWork<T> work) throws Exception {
        Objects.requireNonNull(work, "work");
        return LeasedWork.call(acquire(request), work);
    }

    @Override
    default <T> Execution<T> tryCall(LockRequest request, LockedWork<T> work) throws Exception {
        Objects.requireNonNull(work, "work");
        Optional<Lease> lease = tryAcquire(request);
        return lease.isPresent() ? Execution.of(LeasedWork.call(lease.get(), work)) : Execution.skipped();
    }

    @Override
    default boolean tryRun(LockRequest request, Runnable work) throws InterruptedException {
        Objects.requireNonNull(work, "work");
        Optional<Lease> lease = tryAcquire(request);
        lease.ifPresent(held -> LeasedWork.run(held, work));
        return lease.isPresent();
    }

    /**
     * Returns a lock of {@code java.util.concurrent} on the manager's defaults; otherwise like
     * {@link #asLock(LockRequest)}.
     *
     * @param name the lock name
     * @return a new object
     * @since 0.1
     */
    default Lock asLock(String name) {
        return asLock(LockRequest.of(name));
    }

    /**
     * Returns a lock of {@code java.util.concurrent} for code that is written against {@link Lock}. It keeps that
     * contract: {@code lock()} waits without a limit, whatever the wait time of the request, and keeps an interrupt for
     * later; a lock is owned by the thread that acquired it, and can be acquired again by it, without a request. That
     * applies across all objects of this manager for the same lock: what a thread locked through one of them, it can
     * unlock through another. Locking and unlocking without contention is two requests, on the calling thread.
     *
     * <p>Beyond that contract, each method throws {@link LockStoreException} if the store failed,
     * {@code IllegalStateException} if this manager is closed or drains, and {@link LeaseLostException} if one of
     * several locks was lost while others were awaited; nothing stays locked. {@code unlock()} throws
     * {@link LeaseLostException} if the lease was lost meanwhile, so that the work was not protected to its end; the
     * lock then counts as unlocked. There are no conditions. A fencing token needs a {@link Lease}.
     *
     * @param request the lock, or {@linkplain LockRequest#ofAll several}, and the options; always reentrant
     * @return a new object, thread-safe, without a lock yet
     * @since 0.1
     */
    Lock asLock(LockRequest request);

    /**
     * Lists the leases that this manager holds now. Sends no request.
     *
     * @return one state per lease, from memory
     */
    Stream<LockState> held();

    /**
     * Returns a view for health checks, metrics and validation.
     *
     * @return empty if the implementation has none
     */
    default Optional<LockDiagnostics> diagnostics() {
        return Optional.empty();
    }

    /**
     * Resumes a lease that another process {@linkplain Lease#detach() detached}: it becomes a lease of this manager,
     * with its owner and {@link OnLost}, a new id and a higher fencing token. A token can be resumed once. Only the
     * duration and metadata of its request remain: it is renewed in any case, and has no minimum or maximum hold.
     *
     * @param token the token of the detached lease
     * @return the lease
     * @throws LeaseLostException if the lease was already resumed, released or taken over
     * @throws IllegalArgumentException if the token is for another table, Region or name prefix, its signature is
     *     rejected, or its lease is longer than {@link LockSettings#maxLeaseDuration()}. Both managers must know their
     *     Region, or neither; a client that wraps another may hide it
     * @throws IllegalStateException if the lease is not detached
     * @throws LockManagerClosedException if this manager is closed
     * @throws LockManagerDrainingException if this manager drains
     * @throws LockStoreException if the store failed
     */
    Lease resume(LeaseToken token);

    /**
     * Suggests that a lock has been released, for example because a message of the application says so: the first
     * caller of this process that waits for it tries to acquire it immediately, with one write, instead of at its next
     * poll. Has no effect if nobody waits.
     *
     * @param name the lock name
     * @throws InvalidSettingException if the name is not allowed
     * @since 0.1
     */
    void hint(String name);

    /**
     * Starts to drain this manager, for example before its process is stopped: from the return of this call on, no new
     * lease begins. New acquisitions and resumptions are rejected with {@link LockManagerDrainingException}, and those
     * that wait end with it, at the latest when their request in flight ends; a lock that such a request acquires is
     * released again. Everything else goes on: held leases are renewed, and can be released or detached, and a thread
     * that holds a lock by a reentrant request can acquire it again. Has no effect on a manager that drains or is
     * closed.
     *
     * @since 0.1
     */
    void startDraining();

    /**
     * Stops draining: locks can be acquired again. Has no effect on a manager that does not drain or is closed.
     *
     * @since 0.1
     */
    void stopDraining();

    /**
     * Closes this manager: rejects new acquisitions and resumptions, ends waits, keeps each open lease alive for the
     * grace period, so that its holder can finish the work and release it, renew it, or
     * {@linkplain Lease#detach() detach it}, then stops the heartbeat. Returns as soon as no lease is open; immediately
     * if none was.
     *
     * <p>Requests that the store has not answered then, and callbacks that have not returned, are awaited for up to ten
     * seconds more, whatever the grace period.
     *
     * <p>Never releases a lease itself. Leases can be passed between threads, so a holder's thread that is idle, has
     * ended, or is the closing one proves nothing about the work. A lease that is still open after the grace period is
     * no longer renewed, counts as {@linkplain LeaseLost.Reason#CLOSED lost}, and is left to expire. An unreleased
     * lease thus costs the whole grace period, and then keeps its lock until it expires: release leases before closing,
     * or {@linkplain LockManagerBuilder#shutdownGrace shorten the grace period}. An interrupt of the closing thread
     * ends the wait. A listener may close the manager: that does not wait for the operation during which it is called;
     * a lease during whose automatic renewal it is called is not renewed meanwhile. A second call has no effect.
     */
    @Override
    void close();

    /**
     * Returns a manager that grants every request without locking, for an application that is to run without locks.
     * Each acquisition succeeds immediately, also of a lock that is held; nothing is stored or sent. Its leases
     * have the fencing token 0 and the state {@link LeaseState#UNLOCKED}, and are held until they are released or
     * detached. Options of a request have no effect, and its manager needs no settings. Draining and closing stop new
     * acquisitions as usual. Logs one warning.
     *
     * @return a new manager
     * @since 0.1
     */
    static LockManager unlocked() {
        return new UnlockedLockManager();
    }

    /**
     * Returns a builder of a manager.
     *
     * @param store the store of the lock rows; not closed with the manager
     * @return a builder with the defaults of {@link LockSettings#DEFAULTS}
     */
    static LockManagerBuilder builder(LockStore store) {
        return new LockManagerBuilder(store);
    }
}
