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
import io.dynamolock.LockStoreException;
import io.dynamolock.OnLost;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A switch that all processes share: any of them opens it for a time or closes it, and it closes by itself when the
 * time has elapsed. For example, to let all nodes stop calling a service that has failed for one of them: open means,
 * do not call.
 *
 * <p>An open switch is a lock that stays taken without a holder; {@link LockManager#inspect} shows who opened it, and
 * until when. Reading the switch writes nothing, and sends nothing within a second of the last reading: so a change by
 * another process is seen within two seconds, one of this object immediately; the time while the machine is suspended
 * does not count. The switch closes like a lock becomes free: never before its time, and later by the clock skew and
 * by as long as a reading counts; without a common time, each process counts from when it first saw the switch open.
 *
 * <p>The switch needs a name of its own: its row is marked, and a lock of another use with that name is never changed.
 *
 * <p>On {@linkplain LockManager#unlocked() a manager that does not lock}, the switch is always closed. Thread-safe; use
 * one object per name in a process.
 *
 * @since 0.1
 */
public final class CircuitSwitch {

    private static final Duration CACHE = Duration.ofSeconds(1);
    private static final Duration LONGEST_CACHE = Duration.ofDays(365);

    /** How long a read is waited for that another thread has begun, before this one begins another. */
    private static final Duration LONGEST_SHARED = Duration.ofSeconds(1);

    private static final FutureAwaiter AWAITER = FutureAwaiter.ofThread();

    private final LockManager locks;
    private final LockRequest request;
    private final Duration cacheTime;
    private final Duration sharedTime;
    private final LongSupplier nanoTime;
    private final AtomicReference<@Nullable Read> underWay = new AtomicReference<>();
    private final AtomicReference<@Nullable Reading> latest = new AtomicReference<>();

    /** What was read, or set by this object, by a request of that time. */
    private record Reading(boolean open, long nanos, boolean set) {

        boolean isNewerThan(Reading other) {
            return set || nanos - other.nanos > 0;
        }
    }

    /** A read that a thread began at that time, for all others that ask soon after. */
    private record Read(long nanos, Thread reader, CompletableFuture<Reading> response) {}

    private CircuitSwitch(LockManager locks, LockRequest request, Duration cacheTime) {
        Attempts.requireNotNegative("cacheTime", cacheTime);
        this.locks = locks;
        this.request = Kind.SWITCH.mark(request).onLost(OnLost.EVENT); // no work is done under this lock
        this.cacheTime = cacheTime.compareTo(LONGEST_CACHE) > 0 ? LONGEST_CACHE : cacheTime;
        this.sharedTime = cacheTime.compareTo(LONGEST_SHARED) > 0 ? LONGEST_SHARED : cacheTime;
        this.nanoTime = LockDiagnostics.clockOf(locks);
    }

    /**
     * Returns a switch that is read at most once a second.
     *
     * @param locks the manager
     * @param name the lock name
     * @return a new object, without a request to the store yet
     * @throws InvalidSettingException if the name is not allowed
     */
    public static CircuitSwitch of(LockManager locks, String name) {
        return of(locks, name, CACHE);
    }

    /**
     * Returns a switch.
     *
     * @param locks the manager
     * @param name the lock name
     * @param cacheTime for how long a reading counts, for as long again but at most a second if another thread reads;
     *     zero to read each time; more than a year counts as a year
     * @return a new object, without a request to the store yet
     * @throws InvalidSettingException if the name is not allowed
     * @throws IllegalArgumentException if the time is negative
     */
    public static CircuitSwitch of(LockManager locks, String name, Duration cacheTime) {
        return new CircuitSwitch(locks, Requests.forOne(locks, LockRequest.of(name)), cacheTime);
    }

    /**
     * Opens the switch for a time from now; one that is open gets this end, whether that is earlier or later, and is
     * not closed in between. Two requests; three for an open one.
     *
     * <p>Waits up to 1.3 seconds, by reads, for another process that is between its two requests. One that has died
     * there is replaced then; until that, or until its lease has expired, the switch is open. An interrupt ends this
     * wait and is preserved; without it, the call can be made on an interrupted thread.
     *
     * @param duration above zero, up to 36,500 days
     * @throws InvalidSettingException if the time is out of range
     * @throws LockStoreException if the store failed, or if other processes change the switch all the time; it may be
     *     open then
     * @throws IllegalStateException if the manager is closed or drains, or if the name is that of a lock with another
     *     use
     */
    public void open(Duration duration) {
        if (Objects.requireNonNull(duration, "duration").isNegative()
                || duration.isZero()
                || duration.compareTo(Lease.LONGEST_KEEP) > 0) {
            throw new InvalidSettingException("duration", "must be above zero and at most 36,500 days", duration);
        }
        long now = nanoTime.getAsLong();
        boolean open = new SwitchOpening(locks, request, duration).open();
        latest.set(new Reading(open, now, true));
    }

    /**
     * Closes the switch for all processes, whichever of them opened it; has no effect on a closed one. A read; two and
     * a write for an open one. There is nothing to dispose of: a bean of Spring needs {@code destroyMethod = ""} unless
     * the starter is used, which sees to that.
     *
     * @throws LockStoreException if the store failed
     * @throws IllegalStateException if the manager is closed, or if the name is that of a lock with another use
     */
    public void close() {
        long now = nanoTime.getAsLong();
        LockState state = read();
        String leaseId = state.leaseId();
        if (state.kept() && Kind.SWITCH.isMarkOf(state) && leaseId != null) {
            var unused = locks.keep(request.name(), leaseId, Duration.ZERO);
        } else if (state.status() == LockState.Status.HELD && leaseId != null) {
            var unused = locks.forceRelease(request.name(), leaseId); // no work is done under this lock
        }
        latest.set(new Reading(false, now, true));
    }

    /**
     * Returns whether the switch is open: a read, unless it was read recently. Threads that ask while another one reads
     * wait for its response, unless the last reading counted until just now; if that takes longer than a second, one of
     * them reads as well, and the others return with the first response.
     *
     * @return true until the time for which it was opened last has elapsed, or until it is closed
     * @throws LockStoreException if the store failed
     * @throws IllegalStateException if the manager is closed, or if the name is that of a lock with another use
     */
    public boolean isOpen() {
        CompletableFuture<Reading> response = null;
        while (true) {
            long now = nanoTime.getAsLong();
            Reading known = latest.get();
            if (known != null && isWithin(cacheTime, known.nanos, now)) {
                return known.open;
            }
            Read own = new Read(now, Thread.currentThread(), new CompletableFuture<>());
            Read current = Objects.requireNonNull(underWay.accumulateAndGet(
                    own, (last, next) -> (last != null && isWithin(sharedTime, last.nanos, now)) ? last : next));
            if (current.reader == own.reader) { // or a listener of its own read asks
                return read(own, known).open;
            }
            if (known != null && isWithin(cacheTime.plus(sharedTime), known.nanos, now)) {
                return known.open;
            }
            response = response == null
                    ? current.response
                    : response.applyToEither(current.response, Function.identity()); // one may hang
            if (AWAITER.isDoneDespiteInterrupt(response, LONGEST_SHARED)) {
                return FutureAwaiter.resultOf(response).open;
            }
        }
    }

    private Reading read(Read own, @Nullable Reading known) {
        try {
            Reading read = new Reading(read().status() == LockState.Status.HELD, own.nanos, false);
            Reading newest = Objects.requireNonNull(latest.accumulateAndGet(
                    read,
                    (last, mine) -> (last != null && !last.equals(known) && last.isNewerThan(mine)) ? last : mine));
            own.response.complete(newest);
            return newest;
        } catch (RuntimeException | Error failure) {
            own.response.completeExceptionally(failure);
            throw failure;
        } finally {
            underWay.compareAndSet(own, null);
        }
    }

    private LockState read() {
        return Kind.SWITCH.requireMark(locks.inspect(request.name()));
    }

    private static boolean isWithin(Duration time, long since, long now) {
        return now - since < time.toNanos();
    }

    @Override
    public String toString() {
        return "CircuitSwitch[%s]".formatted(request.name());
    }
}
