/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.coordination;

import io.dynamolock.LockManager;
import io.dynamolock.LockRequest;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.DoubleSupplier;
import java.util.function.IntUnaryOperator;

/** Creates what is built on locks for a simulated process: its threads, timers and chance are those of the simulation. */
public final class SimParts {

    /** Blocks a simulated thread. */
    public interface Blocking {

        /** Waits until the future is done, for at most the time; returns whether it is done. */
        boolean isDone(CompletableFuture<?> future, Duration atMost) throws InterruptedException;
    }

    /** Runs an action later. */
    public interface Timer {

        /** Schedules an action. */
        void schedule(long millis, Runnable action);
    }

    private SimParts() {}

    /** Creates a semaphore. */
    public static DistributedSemaphore semaphore(
            LockManager locks, String name, int permits, Blocking blocking, IntUnaryOperator random) {
        return new DistributedSemaphore(locks, LockRequest.of(name), permits, blocking::isDone, random);
    }

    /** Creates a read-write lock. */
    public static DistributedReadWriteLock readWriteLock(
            LockManager locks, String name, int readers, Blocking blocking, IntUnaryOperator random) {
        LockRequest request = LockRequest.of(name);
        String reading = DistributedReadWriteLock.readersOf(request).name();
        return new DistributedReadWriteLock(
                locks, request, readers, semaphore(locks, reading, readers, blocking, random));
    }

    /** Creates an election. */
    public static LeaderElection election(
            LockManager locks, String name, Blocking blocking, Timer timer, DoubleSupplier random) {
        Retries retries = new Retries(timer::schedule, action -> timer.schedule(0, action), random);
        return new LeaderElection(locks, LockRequest.of(name), retries, blocking::isDone);
    }
}
