/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.integration;

import io.dynamolock.InvalidSettingException;
import io.dynamolock.LockManager;
import io.dynamolock.LockRequest;
import java.time.Duration;
import java.util.ConcurrentModificationException;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.springframework.format.annotation.DurationFormat;
import org.springframework.format.datetime.standard.DurationFormatterUtils;
import org.springframework.integration.support.locks.DistributedLock;
import org.springframework.integration.support.locks.ExpirableLockRegistry;
import org.springframework.integration.support.locks.RenewableLockRegistry;
import org.springframework.integration.util.CheckedCallable;
import org.springframework.integration.util.CheckedRunnable;

/**
 * Spring Integration's registry of locks, each of which is a lock of a {@link LockManager}. The heartbeat of the
 * manager renews a held lock until it is unlocked, so that work may take any time; a renewal task scheduler is not
 * needed, and {@link #setRenewalTaskScheduler} has no effect.
 *
 * <p>A lock belongs to the thread that locked it, and is reentrant. Nested locking sends no request, also if the outer
 * lock is that of a {@link io.dynamolock.spring.DistributedLock @DistributedLock} method.
 *
 * <ul>
 *   <li>{@code unlock()} of a lock that was lost meanwhile throws a {@link ConcurrentModificationException}, whose
 *       cause, a {@link io.dynamolock.LeaseLostException}, says why; locking it once more throws the same until it is
 *       unlocked. The thread that does not hold the lock gets an {@link IllegalMonitorStateException}.
 *   <li>A failing store is an {@link io.dynamolock.LockStoreException}: of {@code lock()} and {@code tryLock()}, which
 *       then hold nothing, and of {@code unlock()}, after which the lock is free when its lease expires.
 *   <li>While the manager drains, {@code lock()} and {@code tryLock()} throw a
 *       {@link io.dynamolock.LockManagerDrainingException}, and a {@link io.dynamolock.LockManagerClosedException} when
 *       it is closed. This also ends a wait for another process; a wait for a thread of this process ends so when that
 *       thread unlocks. Held locks can be entered again, renewed and unlocked while the manager drains.
 *   <li>{@code lock(ttl)} and {@code tryLock(waitTime, ttl)} set the lease duration: how long a crashed process blocks
 *       the others, not a limit for the work. A nested lock keeps the lease duration.
 *   <li>{@code tryLock} with a wait time from half a second to a second, called again and again as a candidate of
 *       {@link org.springframework.integration.support.leader.LockRegistryLeaderInitiator LockRegistryLeaderInitiator}
 *       does, reads a lock that one lease holds for long once a second, and writes nothing. Such a call may return
 *       false without a request, for up to a second after the lock was released.
 *   <li>{@code newCondition()} is not supported.
 * </ul>
 *
 * <p>Locks take memory only while they are held or waited for, so there is no limit for their number. Thread-safe.
 *
 * @since 0.1
 */
public final class LeaseLockRegistry
        implements RenewableLockRegistry<DistributedLock>, ExpirableLockRegistry<DistributedLock> {

    private final String prefix;
    private final LocalLocks locks;

    /**
     * Creates a registry whose lock names are the texts of the keys.
     *
     * @param manager the manager of the locks; not closed with the registry, which needs no closing
     */
    public LeaseLockRegistry(LockManager manager) {
        this(manager, "");
    }

    /**
     * Creates a registry whose lock names begin with a prefix, to separate them from other locks of the application.
     *
     * @param manager the manager of the locks; not closed with the registry, which needs no closing
     * @param prefix the prefix of each lock name, such as {@code integration/}; empty for none
     */
    public LeaseLockRegistry(LockManager manager, String prefix) {
        this.locks = new LocalLocks(Objects.requireNonNull(manager, "manager"));
        this.prefix = Objects.requireNonNull(prefix, "prefix");
    }

    /**
     * Returns the lock of a key. Sends no request. Keys with the same text have the same lock, in all processes.
     *
     * @param lockKey the key, whose {@code toString()} is the lock name
     * @return the lock
     * @throws IllegalArgumentException if the text of the key is blank or contains control characters, or if its class
     *     does not implement {@code toString()}, so that its text differs between processes; one that is too long is
     *     rejected when the lock is acquired
     */
    @Override
    public DistributedLock obtain(Object lockKey) {
        return new RegistryLock(locks, LockRequest.of(name(lockKey)).reentrant(true));
    }

    private String name(Object lockKey) {
        String text = Objects.requireNonNull(lockKey, "lockKey").toString();
        if (text.equals(lockKey.getClass().getName() + "@" + Integer.toHexString(lockKey.hashCode()))) {
            throw new IllegalArgumentException(
                    "The lock key '%s' differs between processes: %s must implement toString()"
                            .formatted(text, lockKey.getClass().getName()));
        }
        if (text.isBlank()) {
            throw new IllegalArgumentException("The lock key '%s' must not be blank".formatted(text));
        }
        return prefix + text;
    }

    /**
     * Renews a lock for its own lease duration. Not needed to keep it: the heartbeat renews it.
     *
     * @param lockKey the key of a lock that this thread holds
     * @throws IllegalMonitorStateException if this thread does not hold it
     * @throws ConcurrentModificationException if it is lost
     * @throws io.dynamolock.LockStoreException if the store failed
     */
    @Override
    public void renewLock(Object lockKey) {
        renew(lockKey, null);
    }

    /**
     * Renews a lock for another lease duration, which the heartbeat uses from then on.
     *
     * @param lockKey the key of a lock that this thread holds
     * @param ttl the lease duration, from 1 ms to 365 days
     * @throws IllegalMonitorStateException if this thread does not hold it
     * @throws ConcurrentModificationException if it is lost
     * @throws InvalidSettingException if the lease duration is out of range
     * @throws io.dynamolock.LockStoreException if the store failed
     */
    @Override
    public void renewLock(Object lockKey, Duration ttl) {
        Objects.requireNonNull(ttl, "ttl");
        try {
            renew(lockKey, ttl);
        } catch (InvalidSettingException invalid) {
            throw RegistryLock.namingTtl(invalid);
        }
    }

    private void renew(Object lockKey, @Nullable Duration ttl) {
        locks.heldByThisThread(name(lockKey)).renew(ttl);
    }

    /**
     * Forgets which locks were busy a second ago. There is nothing else to remove: locks that are neither held nor
     * waited for take no memory.
     *
     * @param age ignored
     */
    @Override
    public void expireUnusedOlderThan(long age) {
        locks.pacer().removeUnused();
    }

    /**
     * Runs a task under the lock of a key, for which it waits without a limit. If the lock is lost before the task has
     * ended, the caller gets a {@link ConcurrentModificationException} instead of its outcome, with the exception of
     * the task as suppressed. A failed release does not fail the task: the lock is free when its lease expires.
     *
     * @param lockKey the key
     * @param runnable the task
     * @param <E> the type of its exception
     * @throws E the exception of the task
     * @throws InterruptedException if the thread is interrupted while it waits for the lock
     * @throws ConcurrentModificationException if the lock is lost
     * @throws io.dynamolock.LockStoreException if the store failed before the task, which is then not run
     */
    @Override
    public <E extends Throwable> void executeLocked(Object lockKey, CheckedRunnable<E> runnable)
            throws E, InterruptedException {
        Objects.requireNonNull(runnable, "runnable");
        DistributedLock lock = obtain(lockKey);
        lock.lockInterruptibly();
        run(lock, runnable);
    }

    /**
     * Runs a task under the lock of a key, for which it waits without a limit; otherwise like
     * {@link #executeLocked(Object, CheckedRunnable)}.
     *
     * @param lockKey the key
     * @param callable the task
     * @param <T> the type of its result
     * @param <E> the type of its exception
     * @return its result
     * @throws E the exception of the task
     * @throws InterruptedException if the thread is interrupted while it waits for the lock
     */
    @Override
    public <T extends @Nullable Object, E extends Throwable> T executeLocked(
            Object lockKey, CheckedCallable<T, E> callable) throws E, InterruptedException {
        Objects.requireNonNull(callable, "callable");
        DistributedLock lock = obtain(lockKey);
        lock.lockInterruptibly();
        return call(lock, callable);
    }

    /**
     * Runs a task under the lock of a key; otherwise like {@link #executeLocked(Object, CheckedRunnable)}.
     *
     * @param lockKey the key
     * @param waitLockDuration the longest wait for the lock; zero or less for one attempt
     * @param runnable the task
     * @param <E> the type of its exception
     * @throws E the exception of the task
     * @throws InterruptedException if the thread is interrupted while it waits for the lock
     * @throws TimeoutException if the lock was busy until the end of the wait
     */
    @Override
    public <E extends Throwable> void executeLocked(
            Object lockKey, Duration waitLockDuration, CheckedRunnable<E> runnable)
            throws E, InterruptedException, TimeoutException {
        Objects.requireNonNull(runnable, "runnable");
        run(locked(lockKey, waitLockDuration), runnable);
    }

    /**
     * Runs a task under the lock of a key; otherwise like {@link #executeLocked(Object, CheckedRunnable)}.
     *
     * @param lockKey the key
     * @param waitLockDuration the longest wait for the lock; zero or less for one attempt
     * @param callable the task
     * @param <T> the type of its result
     * @param <E> the type of its exception
     * @return its result
     * @throws E the exception of the task
     * @throws InterruptedException if the thread is interrupted while it waits for the lock
     * @throws TimeoutException if the lock was busy until the end of the wait
     */
    @Override
    public <T extends @Nullable Object, E extends Throwable> T executeLocked(
            Object lockKey, Duration waitLockDuration, CheckedCallable<T, E> callable)
            throws E, InterruptedException, TimeoutException {
        Objects.requireNonNull(callable, "callable");
        return call(locked(lockKey, waitLockDuration), callable);
    }

    private DistributedLock locked(Object lockKey, Duration wait) throws InterruptedException, TimeoutException {
        Objects.requireNonNull(wait, "waitLockDuration");
        DistributedLock lock = obtain(lockKey);
        if (!lock.tryLock(TimeUnit.NANOSECONDS.convert(wait), TimeUnit.NANOSECONDS)) {
            throw new TimeoutException("Lock '%s' was busy for %s".formatted(name(lockKey), shown(wait)));
        }
        return lock;
    }

    private static <E extends Throwable> void run(DistributedLock lock, CheckedRunnable<E> runnable) throws E {
        CheckedCallable<Boolean, E> task = () -> {
            runnable.run();
            return true;
        };
        call(lock, task);
    }

    private static <T extends @Nullable Object, E extends Throwable> T call(
            DistributedLock lock, CheckedCallable<T, E> callable) throws E {
        Throwable thrown = null;
        try {
            return callable.call();
        } catch (Throwable failure) {
            thrown = failure;
            throw failure;
        } finally {
            unlock(lock, thrown);
        }
    }

    private static void unlock(DistributedLock lock, @Nullable Throwable thrown) {
        try {
            lock.unlock();
        } catch (RuntimeException failure) {
            boolean lost = failure instanceof ConcurrentModificationException;
            if (lost && !(thrown instanceof Error)) {
                if (thrown != null) {
                    failure.addSuppressed(thrown);
                }
                throw failure;
            }
            if (thrown != null) {
                thrown.addSuppressed(failure);
            }
        }
    }

    private static String shown(Duration duration) {
        return DurationFormatterUtils.print(duration, DurationFormat.Style.COMPOSITE);
    }
}
