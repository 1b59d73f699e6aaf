/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.coordination;

import io.dynamolock.InvalidSettingException;
import io.dynamolock.Lease;
import io.dynamolock.LockDiagnostics;
import io.dynamolock.LockManager;
import io.dynamolock.LockRequest;
import io.dynamolock.LockState;
import io.dynamolock.OnLost;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Many readers or one writer, across all processes. A reader holds one permit of a
 * {@linkplain DistributedSemaphore semaphore} of all readers. A writer holds the gate, {@code name#gate}, and all
 * permits: it acquires the gate first, then the permits one by one, and keeps those it has while it waits for the rest.
 * It thus excludes all readers. All writers acquire in the same order, so they do not deadlock.
 *
 * <p>Writers are not starved: a reader reads the gate before it acquires a permit, and queues behind a writer that
 * holds it. Readers are not starved, as writers queue for the gate with those readers.
 *
 * <p>Reading costs a read and a write, writing one write for each possible reader and one for the gate: choose the
 * number of readers accordingly. A writer's lease is one handle on all of them ({@link Lease#leases()}): it is held
 * while all are, and its fencing token is that of the gate, {@code leases().get(0)}; readers need none. Thread-safe.
 *
 * <p>The number of readers is written to the row {@code name#read#permits} when the lock is first used, and verified
 * once by each object. While another process or thread writes that row, a first acquisition of either side waits for
 * it: until its wait time ends, but at least 1.3 seconds. It then fails with a
 * {@link io.dynamolock.LockStoreException}; if the writer has crashed, until its lease has expired.
 *
 * <p>Not reentrant, on either side: a thread that holds one side must not wait for either. A reader that reads again
 * queues behind a writer that waits for its first lease, so that neither goes on until the wait time ends.
 *
 * @since 0.1
 */
public final class DistributedReadWriteLock {

    private static final int READERS = 10;

    private final LockManager locks;
    private final LockRequest request;
    private final LockRequest gate;
    private final DistributedSemaphore readers;
    private final int maxReaders;

    DistributedReadWriteLock(LockManager locks, LockRequest request, int maxReaders, DistributedSemaphore readers) {
        this.locks = locks;
        this.request = request.reentrant(false);
        this.gate = request.name(request.name() + "#gate").reentrant(false).minHold(Duration.ZERO);
        this.maxReaders = maxReaders;
        this.readers = readers;
    }

    /**
     * Returns a lock for up to ten readers, with the manager's defaults.
     *
     * @param locks the manager
     * @param name the name, from which the lock names are derived
     * @return a new object, without a request to the store yet
     * @throws InvalidSettingException if the name is not allowed
     */
    public static DistributedReadWriteLock of(LockManager locks, String name) {
        return of(locks, name, READERS);
    }

    /**
     * Returns a lock with the manager's defaults.
     *
     * @param locks the manager
     * @param name the name, from which the lock names are derived
     * @param maxReaders how many can read at once, 1 to 1,000; the same in all processes
     * @return a new object, without a request to the store yet
     * @throws InvalidSettingException if the name or the number is not allowed
     */
    public static DistributedReadWriteLock of(LockManager locks, String name, int maxReaders) {
        return of(locks, LockRequest.of(name), maxReaders);
    }

    /**
     * Returns a lock whose leases have the options of a request.
     *
     * @param locks the manager
     * @param request for one lock, whose name is that of the read-write lock; always acquired without reentrancy, and
     *     with the wait time of each call
     * @param maxReaders how many can read at once, 1 to 1,000; the same in all processes
     * @return a new object, without a request to the store yet
     * @throws IllegalArgumentException if the request is for several locks
     * @throws InvalidSettingException if the number is not allowed, or the manager would always reject the request
     */
    public static DistributedReadWriteLock of(LockManager locks, LockRequest request, int maxReaders) {
        Requests.forOne(locks, request);
        DistributedSemaphore readers =
                DistributedSemaphore.ofReaders(locks, readersOf(request), request.name(), maxReaders);
        DistributedReadWriteLock lock = new DistributedReadWriteLock(locks, request, maxReaders, readers);
        Requests.validate(locks, lock.allOfWriter()); // its mark is metadata, too
        return lock;
    }

    private LockRequest allOfWriter() {
        List<String> names = new ArrayList<>(List.of(gate.name()));
        for (int i = 1; i <= maxReaders; i++) {
            names.add(readersOf(request).name() + "#" + i);
        }
        return Kind.WRITER.mark(request.names(names));
    }

    /** Returns the request for readers: in the order of names, their permits come after the gate. */
    static LockRequest readersOf(LockRequest request) {
        return request.name(request.name() + "#read");
    }

    /**
     * Returns the side of the readers.
     *
     * @return gives out leases of which there can be several at once, but none while a writer has one
     */
    public Acquirable read() {
        return new Reading();
    }

    /**
     * Returns the side of the writers. One that gives up, by its wait time, an interrupt or a failure, releases
     * everything.
     *
     * @return gives out leases that exclude all others of this lock
     */
    public Acquirable write() {
        return new Writing();
    }

    private final class Reading implements Acquirable {

        @Override
        public Optional<Lease> tryAcquire() {
            readers.verifyPermits();
            return isWriterThere() ? Optional.empty() : readers.tryAcquire();
        }

        @Override
        public Optional<Lease> tryAcquire(Duration waitTime) throws InterruptedException {
            Attempts.requireNotNegative(waitTime);
            if (waitTime.isZero()) {
                return tryAcquire();
            }
            Countdown countdown = new Countdown(LockDiagnostics.clockOf(locks), waitTime);
            Attempts.throwIfInterrupted();
            readers.verifyPermits(countdown.remaining());
            return isWriterThere() && !awaitGate(countdown)
                    ? Optional.empty()
                    : readers.tryAcquire(countdown.remaining());
        }

        private boolean isWriterThere() {
            LockState state = locks.inspect(gate.name());
            return state.status() == LockState.Status.HELD && Kind.WRITER.isMarkOf(state);
        }

        /** Waits in line with writers; returns false if the wait time has elapsed. */
        private boolean awaitGate(Countdown countdown) throws InterruptedException {
            Optional<Lease> passed = locks.tryAcquire(gate.onLost(OnLost.EVENT).waitTime(countdown.remaining()));
            passed.ifPresent(Attempts::releaseQuietly);
            return passed.isPresent();
        }

        @Override
        public String toString() {
            return "Read" + DistributedReadWriteLock.this;
        }
    }

    private final class Writing implements Acquirable {

        private final LockRequest all = allOfWriter();

        @Override
        public Optional<Lease> tryAcquire() {
            readers.verifyPermits();
            return Attempts.now(locks, all);
        }

        @Override
        public Optional<Lease> tryAcquire(Duration waitTime) throws InterruptedException {
            Attempts.requireNotNegative(waitTime);
            if (waitTime.isZero()) {
                return tryAcquire();
            }
            Countdown countdown = new Countdown(LockDiagnostics.clockOf(locks), waitTime);
            Attempts.throwIfInterrupted();
            readers.verifyPermits(countdown.remaining());
            return locks.tryAcquire(all.waitTime(countdown.remaining()));
        }

        @Override
        public String toString() {
            return "Write" + DistributedReadWriteLock.this;
        }
    }

    @Override
    public String toString() {
        return "DistributedReadWriteLock[%s, %s readers]".formatted(request.name(), maxReaders);
    }
}
