/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.coordination;

import io.dynamolock.Execution;
import io.dynamolock.Lease;
import io.dynamolock.LeaseLostException;
import io.dynamolock.LeasedWork;
import io.dynamolock.LockDiagnostics;
import io.dynamolock.LockManager;
import io.dynamolock.LockRequest;
import io.dynamolock.LockState;
import io.dynamolock.LockStoreException;
import io.dynamolock.OnLost;
import io.dynamolock.ReleaseOutcome;
import java.time.Duration;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Work that is done once for all processes and all time, for example a migration. While it runs, its lock is held; if
 * it succeeds, the lock stays taken forever, and its row names who did the work and when ({@link #state()}); if it
 * fails, the lock is free, and the next call tries again.
 *
 * <p>Never runs in two processes at once, as far as a lock excludes. It can run again although it has succeeded, if its
 * process ends, or the store fails, before that is recorded: let the work recognize what is there already.
 *
 * <p>It needs a name of its own: its row is marked, and a lock of another use with that name neither counts as done nor
 * is freed.
 *
 * <p>On {@linkplain LockManager#unlocked() a manager that does not lock}, the work is never done: each call runs it.
 * Thread-safe.
 *
 * @since 0.1
 */
public final class Once {

    private static final Duration SHORTEST_TURN = Duration.ofSeconds(2);
    private static final Duration LONGEST_TURN = Duration.ofMinutes(1);

    /** The work that each thread runs. */
    private static final ThreadLocal<@Nullable Set<Work>> RUNNING = new ThreadLocal<>();

    private record Work(LockManager locks, String name) {}

    private final LockManager locks;
    private final LockRequest request;
    private volatile boolean done;

    private Once(LockManager locks, LockRequest request) {
        this.locks = locks;
        this.request = Kind.ONCE
                .mark(request)
                .reentrant(false)
                .minHold(Duration.ZERO)
                .onLost(OnLost.THROW)
                .waitTime(Duration.ZERO);
    }

    /**
     * Returns a guard with the manager's defaults.
     *
     * @param locks the manager
     * @param name the lock name, for example that of a migration; never use it again for other work
     * @return a new object, without a request to the store yet
     * @throws IllegalArgumentException if the name is not allowed
     */
    public static Once of(LockManager locks, String name) {
        return of(locks, LockRequest.of(name));
    }

    /**
     * Returns a guard with the options of a request, for example its metadata, which stay in the row.
     *
     * @param locks the manager
     * @param request for one lock; its wait time, minimum hold, reentrancy and {@link OnLost} have no effect
     * @return a new object, without a request to the store yet
     * @throws IllegalArgumentException if the request is for several locks, or if the manager would always reject it
     */
    public static Once of(LockManager locks, LockRequest request) {
        return new Once(locks, Requests.forOne(locks, request));
    }

    /**
     * Runs the work, unless it is done; waits while another process, or another thread, runs it. Afterwards the work is
     * done. A waiting call notices within two seconds that others have done the work; after a wait of more than 20
     * seconds, within a tenth of the time waited, at most a minute.
     *
     * @param work the work
     * @return whether this call ran it
     * @throws InterruptedException if the thread is interrupted while it waits
     * @throws LeaseLostException if the lease was lost before the work had ended; it is not recorded as done
     * @throws LockStoreException if the store failed; if the work has run, it may not be recorded
     * @throws IllegalStateException if the manager is closed or drains, if the name is that of a lock with another use,
     *     or if this thread runs the work already
     */
    public boolean run(Runnable work) throws InterruptedException {
        Objects.requireNonNull(work, "work");
        try {
            return call(callable(work)).executed();
        } catch (InterruptedException | RuntimeException failure) {
            throw failure;
        } catch (Exception impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /**
     * Runs the work, unless it is done or another process runs it.
     *
     * @param work the work
     * @return whether this call ran it; if not, see {@link #isDone()} for the reason
     * @throws LeaseLostException if the lease was lost before the work had ended; it is not recorded as done
     * @throws LockStoreException if the store failed; if the work has run, it may not be recorded
     * @throws IllegalStateException if the manager is closed or drains, or if the name is that of a lock with another
     *     use
     */
    public boolean tryRun(Runnable work) {
        Objects.requireNonNull(work, "work");
        try {
            return tryCall(callable(work)).executed();
        } catch (RuntimeException failure) {
            throw failure;
        } catch (Exception impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static Callable<Boolean> callable(Runnable work) {
        return () -> {
            work.run();
            return true;
        };
    }

    /**
     * Runs work that has a result, unless it is done; waits while others run it; otherwise like {@link #run(Runnable)}.
     *
     * @param work the work
     * @param <T> the type of the result
     * @return the result, if this call ran the work
     * @throws Exception the exception of the work, unchanged, or one of {@link #run(Runnable)}
     */
    public <T> Execution<T> call(Callable<T> work) throws Exception {
        Objects.requireNonNull(work, "work");
        if (done || isDone()) {
            return Execution.skipped();
        }
        requireNotRunningHere();
        LongSupplier nanoTime = LockDiagnostics.clockOf(locks);
        long startedNanos = nanoTime.getAsLong();
        Execution<T> execution;
        do {
            Duration waited = Duration.ofNanos(nanoTime.getAsLong() - startedNanos);
            execution = locks.tryCall(request.waitTime(turn(waited)), lease -> callAndKeep(lease, work));
        } while (!execution.executed() && !isDone());
        return execution;
    }

    private void requireNotRunningHere() {
        Set<Work> running = RUNNING.get();
        if (running != null && running.contains(new Work(locks, request.name()))) {
            throw new IllegalStateException(
                    "This thread already runs the work '%s', so run and call would wait forever; use tryRun or tryCall"
                            .formatted(request.name()));
        }
    }

    /** Returns how long to wait for the lock before the row is read: only a read shows that the work is done. */
    private static Duration turn(Duration waited) {
        Duration tenth = waited.dividedBy(10);
        Duration turn = tenth.compareTo(SHORTEST_TURN) < 0 ? SHORTEST_TURN : tenth;
        return turn.compareTo(LONGEST_TURN) < 0 ? turn : LONGEST_TURN;
    }

    /**
     * Runs work that has a result, unless it is done or another process runs it; otherwise like
     * {@link #tryRun(Runnable)}.
     *
     * @param work the work
     * @param <T> the type of the result
     * @return the result, if this call ran the work
     * @throws Exception the exception of the work, unchanged, or one of {@link #tryRun(Runnable)}
     */
    public <T> Execution<T> tryCall(Callable<T> work) throws Exception {
        Objects.requireNonNull(work, "work");
        if (done || isDone()) {
            return Execution.skipped();
        }
        return locks.tryCall(request, lease -> callAndKeep(lease, work));
    }

    private <T> T callAndKeep(Lease lease, Callable<T> work) throws Exception {
        T result = callHere(work);
        lease.ensureHeld();
        if (record(lease) != ReleaseOutcome.RELEASED) {
            throw LeasedWork.lossAtRelease(lease);
        }
        return result;
    }

    private <T> T callHere(Callable<T> work) throws Exception {
        Set<Work> outer = RUNNING.get();
        Set<Work> running = outer == null ? new HashSet<>() : new HashSet<>(outer);
        running.add(new Work(locks, request.name()));
        RUNNING.set(running);
        try {
            return work.call();
        } finally {
            if (outer == null) {
                RUNNING.remove();
            } else {
                RUNNING.set(outer);
            }
        }
    }

    /** Tries twice, since the release that follows a failure records that the work has failed. */
    private static ReleaseOutcome record(Lease lease) {
        try {
            return lease.release(Lease.LONGEST_KEEP);
        } catch (LockStoreException again) {
            return lease.release(Lease.LONGEST_KEEP);
        }
    }

    /**
     * Returns whether the work is done. One read.
     *
     * @return false if it has not run, runs, or has failed
     * @throws LockStoreException if the store failed
     * @throws IllegalStateException if the manager is closed, or if the name is that of a lock with another use
     */
    public boolean isDone() {
        return isDone(Kind.ONCE.requireMark(state()));
    }

    /** A lock of another use that was kept with this name, and is free by now, counts for nothing. */
    private boolean isDone(LockState state) {
        done = state.kept() && Kind.ONCE.isMarkOf(state);
        return done;
    }

    /**
     * Returns the state of the lock: {@link LockState#owner()} is who runs the work or has done it, and
     * {@link LockState#lastHold()} shows when it ended, and whether it has failed. One read.
     *
     * @return the state
     * @throws LockStoreException if the store failed
     * @throws IllegalStateException if the manager is closed
     */
    public LockState state() {
        return locks.inspect(request.name());
    }

    /**
     * Lets the work run again, for operators. Other objects that have seen it done do not notice until they are asked
     * by {@link #isDone()}.
     *
     * @return false if it was not done
     * @throws LockStoreException if the store failed
     * @throws IllegalStateException if the manager is closed, or if the name is that of a lock with another use
     */
    public boolean reset() {
        LockState state = Kind.ONCE.requireMark(state());
        String leaseId = state.leaseId();
        boolean wasDone = isDone(state);
        done = false;
        return wasDone && leaseId != null && locks.keep(request.name(), leaseId, Duration.ZERO);
    }

    @Override
    public String toString() {
        return "Once[%s]".formatted(request.name());
    }
}
