/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.util.Objects;
import java.util.concurrent.Callable;

/**
 * Runs work while holding a lock. Implemented by {@link LockManager}; code that only runs work under locks can depend
 * on this interface.
 *
 * <p>Each method acquires the lock, runs the work on the calling thread, and releases the lock when the work has ended.
 * A transaction that the caller has begun commits later, so that the next holder does not see its changes: begin and
 * end transactions within the work.
 *
 * @since 0.1
 */
public interface LockOperations {

    /**
     * Runs work while holding the lock, or throws {@link LockBusyException} naming the current holder. The lease is
     * kept alive until the work has ended, and is never released before.
     *
     * <p>If the lease is lost before the work has ended, the caller gets a {@link LeaseLostException} instead of the
     * result, with the exception of the work, if there is one, as suppressed. The same applies if the release finds the
     * lock freed or taken over. An {@link Error} of the work is thrown itself, with the LeaseLostException as
     * suppressed. With {@link OnLost#EVENT}, a loss does not change the outcome. Work that has released or detached its
     * lease itself, and work that ended before the loss, keeps its outcome.
     *
     * @param request the lock and the options
     * @param work the work to run
     * @param <T> the type of the result
     * @return the result of the work
     * @throws LockBusyException if another lease held the lock until the wait time had elapsed
     * @throws LeaseLostException if the lease was lost before the work had ended
     * @throws InterruptedException if the thread is interrupted while it waits; the work has not run
     * @throws LockStoreException if the store failed
     * @throws LockManagerClosedException if the manager is closed, before the call or during the wait
     * @throws LockManagerDrainingException if the manager drains, before the call or during the wait
     * @throws Exception the exception of the work, unchanged
     */
    default <T> T call(LockRequest request, Callable<T> work) throws Exception {
        Objects.requireNonNull(work, "work");
        return call(request, lease -> work.call());
    }

    /**
     * Runs work while holding the lock, with the manager's defaults; otherwise like
     * {@link #call(LockRequest, Callable)}.
     *
     * @param name the lock name
     * @param work the work to run
     * @param <T> the type of the result
     * @return the result of the work
     * @throws InvalidSettingException if the name is not allowed
     * @throws LockBusyException if another lease held the lock until the wait time had elapsed
     * @throws LeaseLostException if the lease was lost before the work had ended
     * @throws InterruptedException if the thread is interrupted while it waits; the work has not run
     * @throws LockStoreException if the store failed
     * @throws LockManagerClosedException if the manager is closed, before the call or during the wait
     * @throws LockManagerDrainingException if the manager drains, before the call or during the wait
     * @throws Exception the exception of the work, unchanged
     */
    default <T> T call(String name, Callable<T> work) throws Exception {
        return call(LockRequest.of(name), work);
    }

    /**
     * Runs work that uses its lease, or throws {@link LockBusyException} naming the current holder; otherwise like
     * {@link #call(LockRequest, Callable)}.
     *
     * @param request the lock and the options
     * @param work the work to run
     * @param <T> the type of the result
     * @return the result of the work
     * @throws LockBusyException if another lease held the lock until the wait time had elapsed
     * @throws LeaseLostException if the lease was lost before the work had ended
     * @throws InterruptedException if the thread is interrupted while it waits; the work has not run
     * @throws LockStoreException if the store failed
     * @throws LockManagerClosedException if the manager is closed, before the call or during the wait
     * @throws LockManagerDrainingException if the manager drains, before the call or during the wait
     * @throws Exception the exception of the work, unchanged
     */
    <T> T call(LockRequest request, LockedWork<T> work) throws Exception;

    /**
     * Runs work that uses its lease, with the manager's defaults; otherwise like
     * {@link #call(LockRequest, LockedWork)}.
     *
     * @param name the lock name
     * @param work the work to run
     * @param <T> the type of the result
     * @return the result of the work
     * @throws InvalidSettingException if the name is not allowed
     * @throws LockBusyException if another lease held the lock until the wait time had elapsed
     * @throws LeaseLostException if the lease was lost before the work had ended
     * @throws InterruptedException if the thread is interrupted while it waits; the work has not run
     * @throws LockStoreException if the store failed
     * @throws LockManagerClosedException if the manager is closed, before the call or during the wait
     * @throws LockManagerDrainingException if the manager drains, before the call or during the wait
     * @throws Exception the exception of the work, unchanged
     */
    default <T> T call(String name, LockedWork<T> work) throws Exception {
        return call(LockRequest.of(name), work);
    }

    /**
     * Runs work while holding the lock, if the lock can be acquired within the wait time. The lease is kept alive until
     * the work has ended, and is never released before. A loss of the lease meanwhile is thrown as by
     * {@link #call(LockRequest, Callable)}.
     *
     * @param request the lock and the options
     * @param work the work to run
     * @param <T> the type of the result
     * @return whether the work ran, and its result
     * @throws LeaseLostException if the lease was lost before the work had ended
     * @throws InterruptedException if the thread is interrupted while it waits; the work has not run
     * @throws LockStoreException if the store failed
     * @throws LockManagerClosedException if the manager is closed, before the call or during the wait
     * @throws LockManagerDrainingException if the manager drains, before the call or during the wait
     * @throws Exception the exception of the work, unchanged
     */
    default <T> Execution<T> tryCall(LockRequest request, Callable<T> work) throws Exception {
        Objects.requireNonNull(work, "work");
        return tryCall(request, lease -> work.call());
    }

    /**
     * Runs work while holding the lock, if it can be acquired, with the manager's defaults; otherwise like
     * {@link #tryCall(LockRequest, Callable)}.
     *
     * @param name the lock name
     * @param work the work to run
     * @param <T> the type of the result
     * @return whether the work ran, and its result
     * @throws InvalidSettingException if the name is not allowed
     * @throws LeaseLostException if the lease was lost before the work had ended
     * @throws InterruptedException if the thread is interrupted while it waits; the work has not run
     * @throws LockStoreException if the store failed
     * @throws LockManagerClosedException if the manager is closed, before the call or during the wait
     * @throws LockManagerDrainingException if the manager drains, before the call or during the wait
     * @throws Exception the exception of the work, unchanged
     */
    default <T> Execution<T> tryCall(String name, Callable<T> work) throws Exception {
        return tryCall(LockRequest.of(name), work);
    }

    /**
     * Runs work that uses its lease, if the lock can be acquired within the wait time; otherwise like
     * {@link #tryCall(LockRequest, Callable)}.
     *
     * @param request the lock and the options
     * @param work the work to run
     * @param <T> the type of the result
     * @return whether the work ran, and its result
     * @throws LeaseLostException if the lease was lost before the work had ended
     * @throws InterruptedException if the thread is interrupted while it waits; the work has not run
     * @throws LockStoreException if the store failed
     * @throws LockManagerClosedException if the manager is closed, before the call or during the wait
     * @throws LockManagerDrainingException if the manager drains, before the call or during the wait
     * @throws Exception the exception of the work, unchanged
     */
    <T> Execution<T> tryCall(LockRequest request, LockedWork<T> work) throws Exception;

    /**
     * Runs work that uses its lease, if the lock can be acquired, with the manager's defaults; otherwise like
     * {@link #tryCall(LockRequest, LockedWork)}.
     *
     * @param name the lock name
     * @param work the work to run
     * @param <T> the type of the result
     * @return whether the work ran, and its result
     * @throws InvalidSettingException if the name is not allowed
     * @throws LeaseLostException if the lease was lost before the work had ended
     * @throws InterruptedException if the thread is interrupted while it waits; the work has not run
     * @throws LockStoreException if the store failed
     * @throws LockManagerClosedException if the manager is closed, before the call or during the wait
     * @throws LockManagerDrainingException if the manager drains, before the call or during the wait
     * @throws Exception the exception of the work, unchanged
     */
    default <T> Execution<T> tryCall(String name, LockedWork<T> work) throws Exception {
        return tryCall(LockRequest.of(name), work);
    }

    /**
     * Runs work while holding the lock, if the lock can be acquired within the wait time. The lease is kept alive until
     * the work has ended, and is never released before. A loss of the lease meanwhile is thrown as by
     * {@link #call(LockRequest, Callable)}.
     *
     * @param request the lock and the options
     * @param work the work to run
     * @return whether the work ran
     * @throws LeaseLostException if the lease was lost before the work had ended
     * @throws InterruptedException if the thread is interrupted while it waits; the work has not run
     * @throws LockStoreException if the store failed
     * @throws LockManagerClosedException if the manager is closed, before the call or during the wait
     * @throws LockManagerDrainingException if the manager drains, before the call or during the wait
     */
    boolean tryRun(LockRequest request, Runnable work) throws InterruptedException;

    /**
     * Runs work while holding the lock, if it can be acquired, with the manager's defaults; otherwise like
     * {@link #tryRun(LockRequest, Runnable)}.
     *
     * @param name the lock name
     * @param work the work to run
     * @return whether the work ran
     * @throws InvalidSettingException if the name is not allowed
     * @throws LeaseLostException if the lease was lost before the work had ended
     * @throws InterruptedException if the thread is interrupted while it waits; the work has not run
     * @throws LockStoreException if the store failed
     * @throws LockManagerClosedException if the manager is closed, before the call or during the wait
     * @throws LockManagerDrainingException if the manager drains, before the call or during the wait
     */
    default boolean tryRun(String name, Runnable work) throws InterruptedException {
        return tryRun(LockRequest.of(name), work);
    }
}
