/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.coordination;

import io.dynamolock.InvalidSettingException;
import io.dynamolock.Lease;
import io.dynamolock.LeaseState;
import io.dynamolock.LockDiagnostics;
import io.dynamolock.LockManager;
import io.dynamolock.LockRequest;
import io.dynamolock.LockState;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * At most a fixed number of permits, across all processes. Each permit is a lock of its own, {@code name#1} to
 * {@code name#N}, so the limit holds as surely as a lock excludes, a dead holder's permit is free when its lease has
 * expired, and each permit is a {@link Lease} with heartbeat and fencing token (tokens of different permits are not
 * comparable).
 *
 * <p>A caller tries permits from a random one on, and skips those held through this object. Two attempts are writes;
 * what follows is read before it is written, until the wait time ends or the thread is interrupted, so that with
 * hundreds of permits a free one may not be found in a short time. A caller that waits does so for up to eight permits
 * at a time, through the manager's waiting: it polls by reads, and gets a permit that this process releases
 * immediately. Of more than eight, it also reads eight others each second.
 *
 * <p>The number of permits is written to the row {@code name#permits} when the semaphore is first used, and verified
 * once by each object. While another process or thread writes that row, a first acquisition waits for it: until its
 * wait time ends, but at least 1.3 seconds. It then fails with a {@link io.dynamolock.LockStoreException}; if the
 * writer has crashed, until its lease has expired. Thread-safe; use one object per name in a process.
 *
 * @since 0.1
 */
public final class DistributedSemaphore implements Acquirable {

    private static final int MOST = 1_000;
    private static final int WRITES_FIRST = 2;
    private static final int READS_PER_TICK = 8;

    /** So many permits are tried whatever the wait time. */
    private static final int TRIED_AT_LEAST = 10;

    private static final Duration TICK = Duration.ofSeconds(1);

    private final LockManager locks;
    private final LockRequest request;
    private final int permits;
    private final FixedNumber number;
    private final FutureAwaiter awaiter;
    private final IntUnaryOperator random;

    /** The leases that this object has given out and that may still be held, by the number of the permit. */
    private final Map<Integer, Lease> heldHere = new ConcurrentHashMap<>();

    private final AtomicInteger waiters = new AtomicInteger();

    DistributedSemaphore(
            LockManager locks, LockRequest request, int permits, FutureAwaiter awaiter, IntUnaryOperator random) {
        this(locks, request, requireNumber("permits", permits), awaiter, random, null);
    }

    private DistributedSemaphore(
            LockManager locks,
            LockRequest request,
            int permits,
            FutureAwaiter awaiter,
            IntUnaryOperator random,
            @Nullable String readWriteLock) {
        this.locks = locks;
        this.request = Requests.forOne(locks, request).reentrant(false);
        this.permits = permits;
        this.number = readWriteLock == null
                ? new FixedNumber(locks, request.name(), request.name(), "permits", permits, awaiter)
                : new FixedNumber(locks, request.name(), readWriteLock, "readers", permits, awaiter);
        Requests.validate(locks, number.request());
        this.awaiter = awaiter;
        this.random = random;
    }

    /**
     * Returns a semaphore with the manager's defaults.
     *
     * @param locks the manager
     * @param name the name, from which the lock names are derived
     * @param permits 1 to 1,000; the same in all processes
     * @return a new object, without a request to the store yet
     * @throws InvalidSettingException if the name or the number of permits is not allowed
     */
    public static DistributedSemaphore of(LockManager locks, String name, int permits) {
        return of(locks, LockRequest.of(name), permits);
    }

    /**
     * Returns a semaphore whose permits have the options of a request, for example its lease duration and metadata.
     *
     * @param locks the manager
     * @param request for one lock, whose name is that of the semaphore; always acquired without reentrancy, and with
     *     the wait time of each call
     * @param permits 1 to 1,000; the same in all processes
     * @return a new object, without a request to the store yet
     * @throws IllegalArgumentException if the request is for several locks
     * @throws InvalidSettingException if the number of permits is not allowed, or the manager would always reject the
     *     request
     */
    public static DistributedSemaphore of(LockManager locks, LockRequest request, int permits) {
        return new DistributedSemaphore(
                locks, request, permits, FutureAwaiter.ofThread(), DistributedSemaphore::random);
    }

    /** Returns the semaphore of the readers of a read-write lock, which messages name. */
    static DistributedSemaphore ofReaders(LockManager locks, LockRequest request, String lock, int maxReaders) {
        return new DistributedSemaphore(
                locks,
                request,
                requireNumber("maxReaders", maxReaders),
                FutureAwaiter.ofThread(),
                DistributedSemaphore::random,
                lock);
    }

    private static int random(int bound) {
        return ThreadLocalRandom.current().nextInt(bound);
    }

    private static int requireNumber(String setting, int number) {
        if (number < 1 || number > MOST) {
            throw new InvalidSettingException(setting, "must be between 1 and 1,000", number);
        }
        return number;
    }

    /** Throws IllegalStateException if other processes use another number of permits. */
    void verifyPermits() {
        number.verify();
    }

    /** Does the same, and waits for a process that writes the number. */
    void verifyPermits(Duration waitTime) throws InterruptedException {
        number.verify(waitTime);
    }

    @Override
    public Optional<Lease> tryAcquire() {
        number.verify();
        return attempt(null);
    }

    @Override
    public Optional<Lease> tryAcquire(Duration waitTime) throws InterruptedException {
        Attempts.requireNotNegative(waitTime);
        if (waitTime.isZero()) {
            return tryAcquire();
        }
        Countdown countdown = new Countdown(LockDiagnostics.clockOf(locks), waitTime);
        Attempts.throwIfInterrupted();
        number.verify(countdown.remaining());
        Optional<Lease> lease = waiters.get() == 0
                ? attempt(countdown)
                : Optional.empty(); // earlier waiters of this process come first
        return lease.isPresent() ? lease : await(countdown);
    }

    /**
     * Tries each permit that is not held here once, from a random one on, unless the wait time ends or an interrupt
     * comes.
     */
    private Optional<Lease> attempt(@Nullable Countdown countdown) {
        int first = random.applyAsInt(permits);
        int tried = 0;
        for (int i = 0; i < permits; i++) {
            int permit = (first + i) % permits;
            if (isHeldHere(permit)) {
                continue;
            }
            if (countdown != null && isOver(countdown, tried)) {
                return Optional.empty();
            }
            boolean writes = tried < WRITES_FIRST;
            tried++;
            Optional<Lease> lease = writes ? write(permit) : readAndWrite(permit);
            if (lease.isPresent()) {
                return lease;
            }
        }
        return Optional.empty();
    }

    private static boolean isOver(Countdown countdown, int tried) {
        return Thread.currentThread().isInterrupted()
                || (tried >= TRIED_AT_LEAST && countdown.remaining().isZero());
    }

    private boolean isHeldHere(int permit) {
        Lease lease = heldHere.get(permit);
        return lease != null && lease.isHeld() && lease.state() != LeaseState.UNLOCKED;
    }

    private Optional<Lease> write(int permit) {
        return remembered(permit, Attempts.now(locks, request(permit)));
    }

    private Optional<Lease> readAndWrite(int permit) {
        LockState state = locks.inspect(request(permit).name());
        return state.status() == LockState.Status.HELD ? Optional.empty() : write(permit);
    }

    private LockRequest request(int permit) {
        return request.name(request.name() + "#" + (permit + 1));
    }

    private Optional<Lease> remembered(int permit, Optional<Lease> lease) {
        lease.ifPresent(held -> heldHere.put(permit, held));
        return lease;
    }

    private Optional<Lease> await(Countdown countdown) throws InterruptedException {
        Attempts.throwIfInterrupted();
        if (countdown.remaining().isZero()) {
            return Optional.empty();
        }
        int[] order = PermitWait.order(permits, this::isHeldHere, random);
        waiters.incrementAndGet();
        try (PermitWait wait =
                new PermitWait(locks, order, permit -> request(permit).waitTime(countdown.remaining()))) {
            int next = PermitWait.AT_A_TIME;
            while (!awaiter.isDone(wait.result(), TICK)) {
                for (int i = 0; i < READS_PER_TICK && order.length > PermitWait.AT_A_TIME; i++) {
                    if (isOver(countdown, TRIED_AT_LEAST)) {
                        break;
                    }
                    int permit = order[next];
                    next = next + 1 < order.length ? next + 1 : PermitWait.AT_A_TIME;
                    Optional<Lease> found = isHeldHere(permit) ? Optional.empty() : readAndWrite(permit);
                    if (found.isPresent()) {
                        return found;
                    }
                }
            }
            return wait.take().map(won -> {
                heldHere.put(won.permit(), won.lease());
                return won.lease();
            });
        } finally {
            waiters.decrementAndGet();
        }
    }

    @Override
    public String toString() {
        return "DistributedSemaphore[%s, %s permits]".formatted(request.name(), permits);
    }
}
