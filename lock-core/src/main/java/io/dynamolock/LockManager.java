/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Acquires locks, keeps their leases alive, and gives them back.
 *
 * <p>At most one lease per lock name is held at a time, by any thread of any process on the same table, as long as the clock
 * assumption of the chosen {@link LeaseTime} holds. Contention is a result (an empty {@code Optional}), failures are
 * exceptions, and neither is ever reported as the other.
 *
 * <p>Safe for use by many threads; one manager per application is usual.
 *
 * @since 0.1
 */
public interface LockManager extends AutoCloseable {

    /**
     * Tries once: one request, no waiting. Works on an interrupted thread and keeps its flag.
     *
     * @param name the lock
     * @return the lease, or empty if somebody else holds the lock
     * @throws LockStoreException if the store failed
     * @throws IllegalArgumentException if the name is null, empty or too long
     * @throws IllegalStateException if this manager is closed
     */
    Optional<Lease> tryAcquire(String name);

    /**
     * Tries for as long as the request's wait time says.
     *
     * @param request which lock, and how
     * @return the lease, or empty if somebody else held the lock until the wait time was over
     * @throws InterruptedException if the thread is interrupted while it waits; nothing stays acquired
     * @throws LockStoreException if the store failed
     * @throws IllegalStateException if this manager is closed, now or while waiting
     */
    Optional<Lease> tryAcquire(LockRequest request) throws InterruptedException;

    /**
     * Acquires, or says who is in the way.
     *
     * @param request which lock, and how
     * @return the lease
     * @throws LockBusyException if somebody else held the lock until the wait time was over
     * @throws InterruptedException if the thread is interrupted while it waits; nothing stays acquired
     * @throws LockStoreException if the store failed
     * @throws IllegalStateException if this manager is closed, now or while waiting
     */
    Lease acquire(LockRequest request) throws InterruptedException;

    /**
     * Tries like {@link #tryAcquire(LockRequest)} without blocking the calling thread.
     *
     * @param request which lock, and how
     * @return completes with the lease, with empty if it was busy, or with the failure; cancelling it cancels the attempt and
     *     leaves nothing behind
     */
    CompletableFuture<Optional<Lease>> tryAcquireAsync(LockRequest request);

    /**
     * Acquires like {@link #acquire(LockRequest)} without blocking the calling thread.
     *
     * @param request which lock, and how
     * @return completes with the lease, with {@link LockBusyException} if it was busy, or with another failure; cancelling it
     *     cancels the attempt and leaves nothing behind
     */
    CompletableFuture<Lease> acquireAsync(LockRequest request);

    /**
     * Runs work while holding the lock, or says who is in the way. The lease is kept alive until the work has ended, and
     * never released before.
     *
     * @param request which lock, and how
     * @param work what to do
     * @param <T> what it returns
     * @return its result
     * @throws LockBusyException if somebody else held the lock until the wait time was over
     * @throws Exception what the work throws, unchanged
     */
    default <T> T call(LockRequest request, Callable<T> work) throws Exception {
        return call(request, lease -> work.call());
    }

    /**
     * Runs work that looks at its lease, or says who is in the way. Otherwise as {@link #call(LockRequest, Callable)}.
     *
     * @param request which lock, and how
     * @param work what to do
     * @param <T> what it returns
     * @return its result
     * @throws LockBusyException if somebody else held the lock until the wait time was over
     * @throws Exception what the work throws, unchanged
     */
    default <T> T call(LockRequest request, LockedWork<T> work) throws Exception {
        return LeasedWork.call(acquire(request), work);
    }

    /**
     * Runs work while holding the lock, if it can be had within the wait time. The lease is kept alive until the work has
     * ended, and never released before.
     *
     * @param request which lock, and how
     * @param work what to do
     * @param <T> what it returns
     * @return whether it ran, and its result
     * @throws Exception what the work throws, unchanged
     */
    default <T> Execution<T> tryCall(LockRequest request, Callable<T> work) throws Exception {
        return tryCall(request, lease -> work.call());
    }

    /**
     * Runs work that looks at its lease, if the lock can be had within the wait time. Otherwise as
     * {@link #tryCall(LockRequest, Callable)}.
     *
     * @param request which lock, and how
     * @param work what to do
     * @param <T> what it returns
     * @return whether it ran, and its result
     * @throws Exception what the work throws, unchanged
     */
    default <T> Execution<T> tryCall(LockRequest request, LockedWork<T> work) throws Exception {
        Optional<Lease> lease = tryAcquire(request);
        return lease.isPresent() ? Execution.of(LeasedWork.call(lease.get(), work)) : Execution.skipped();
    }

    /**
     * Runs work while holding the lock, if it can be had within the wait time.
     *
     * @param request which lock, and how
     * @param work what to do
     * @return whether it ran
     * @throws InterruptedException if the thread is interrupted while it waits
     */
    default boolean tryRun(LockRequest request, Runnable work) throws InterruptedException {
        Optional<Lease> lease = tryAcquire(request);
        lease.ifPresent(held -> LeasedWork.run(held, work));
        return lease.isPresent();
    }

    /**
     * Reads one lock's row. Writes nothing.
     *
     * @param name the lock
     * @return who has it, since when, until when
     * @throws LockStoreException if the store failed
     */
    LockState inspect(String name);

    /**
     * Lists what this manager holds now.
     *
     * @return one state per lease, from memory
     */
    Stream<LockState> held();

    /**
     * Tells what this manager was made with, so that a request can be checked long before it is made.
     *
     * @return empty for a manager that does not say
     */
    default Optional<LockSettings> settings() {
        return Optional.empty();
    }

    /**
     * Tells how late the heartbeat is: how long ago the renewal was due, of all leases held here, that waits longest for its
     * success. A renewal that is under way for a moment counts, so that a little is usual; whole heartbeat intervals are not.
     *
     * @return zero if all leases were renewed in time; for a manager that does not know, too
     */
    default Duration heartbeatLag() {
        return Duration.ZERO;
    }

    /**
     * Carries on a lease that another process {@linkplain Lease#detach() detached}: it becomes a lease of this manager, with
     * a new id and a higher fencing token. A token can be resumed once.
     *
     * @param token what the other process handed out
     * @return the lease
     * @throws LeaseLostException if it was resumed already, released, or taken over
     * @throws IllegalArgumentException if it is a lease of another table
     * @throws LockStoreException if the store failed
     */
    Lease resume(LeaseToken token);

    /**
     * Takes a lease's future away: its holder's next renewal is refused, and the lock is free when the lease runs out. Safe
     * at any time.
     *
     * @param name the lock
     * @param leaseId the lease, as {@link #inspect(String)} shows it
     * @return false if that lease does not hold the lock any more
     * @throws LockStoreException if the store failed
     */
    boolean revoke(String name, String leaseId);

    /**
     * Frees a lock at once although its holder may still be at work. Only for operators who know that the holder is gone.
     * Logged at WARN.
     *
     * @param name the lock
     * @param leaseId the lease, as {@link #inspect(String)} shows it
     * @return false if that lease does not hold the lock any more
     * @throws LockStoreException if the store failed
     */
    boolean forceRelease(String name, String leaseId);

    /**
     * Stops: refuses new acquisitions, ends waits, lets work under a lease go on for the grace period while its lease is kept
     * alive, then stops the heartbeat. A lease that nobody works under is released; one whose work does not end is left to
     * run out.
     */
    @Override
    void close();

    /**
     * Closes several managers side by side, so that all of them together take no longer than the slowest. Each is closed whatever
     * happens to the others.
     *
     * @param managers each to be closed as {@link #close()} does on this thread
     * @throws RuntimeException the first failure of one of them, once all are closed
     */
    static void closeAll(Collection<? extends LockManager> managers) {
        new Closing(managers).run();
    }

    /**
     * Starts building a manager.
     *
     * @param store where the rows are; it is not closed with the manager
     * @return a builder with the defaults of {@link LockSettings#DEFAULTS}
     */
    static Builder builder(LockStore store) {
        return new Builder(store);
    }

    /**
     * Builds a {@link LockManager}. What is not set has the default of {@link LockSettings#DEFAULTS}.
     *
     * <p>Not safe for use by several threads.
     *
     * @since 0.1
     */
    final class Builder {

        private static final LongSupplier MACHINE = ThreadPause::nanoTime;

        private final LockStore store;
        private Duration leaseDuration = LockSettings.DEFAULTS.leaseDuration();
        private @Nullable Duration maxLeaseDuration = LockSettings.DEFAULTS.maxLeaseDuration();
        private LeaseTime time = LockSettings.DEFAULTS.time();
        private Duration maxClockSkew = LockSettings.DEFAULTS.maxClockSkew();
        private Duration grace = LockSettings.DEFAULTS.grace();
        private @Nullable Duration heartbeatInterval = LockSettings.DEFAULTS.heartbeatInterval();
        private int heartbeatThreads = LockSettings.DEFAULTS.heartbeatThreads();
        private Duration waitTime = LockSettings.DEFAULTS.waitTime();
        private Duration pollMin = LockSettings.DEFAULTS.pollMin();
        private Duration pollMax = LockSettings.DEFAULTS.pollMax();
        private @Nullable Duration attemptTimeout = LockSettings.DEFAULTS.attemptTimeout();
        private @Nullable Duration callTimeout = LockSettings.DEFAULTS.callTimeout();
        private String namePrefix = LockSettings.DEFAULTS.namePrefix();
        private Duration shutdownGrace = LockSettings.DEFAULTS.shutdownGrace();
        private OnLost onLost = LockSettings.DEFAULTS.onLost();
        private Consumer<LeaseLost> shutdownAction = Emergency::exit;
        private String owner = Owners.ofThisProcess();
        private RetryPolicy retryPolicy = RetryPolicy.DEFAULT;
        private final List<LockListener> listeners = new ArrayList<>();
        private Clock clock = Clock.systemUTC();
        private LongSupplier nanoTime = MACHINE;
        private UnaryOperator<Tasks> alarms = UnaryOperator.identity();

        private Builder(LockStore store) {
            this.store = Objects.requireNonNull(store, "store");
        }

        /**
         * Replaces all settings.
         *
         * @param settings the new ones
         * @return this
         */
        public Builder settings(LockSettings settings) {
            leaseDuration = settings.leaseDuration();
            maxLeaseDuration = settings.maxLeaseDuration();
            time = settings.time();
            maxClockSkew = settings.maxClockSkew();
            grace = settings.grace();
            heartbeatInterval = settings.heartbeatInterval();
            heartbeatThreads = settings.heartbeatThreads();
            waitTime = settings.waitTime();
            pollMin = settings.pollMin();
            pollMax = settings.pollMax();
            attemptTimeout = settings.attemptTimeout();
            callTimeout = settings.callTimeout();
            namePrefix = settings.namePrefix();
            shutdownGrace = settings.shutdownGrace();
            onLost = settings.onLost();
            return this;
        }

        /**
         * Sets how long a lease lasts without a renewal.
         *
         * @param leaseDuration at least a millisecond; 30 s by default
         * @return this
         */
        public Builder leaseDuration(Duration leaseDuration) {
            this.leaseDuration = leaseDuration;
            return this;
        }

        /**
         * Limits what requests may ask for.
         *
         * @param maxLeaseDuration the longest lease; no limit by default
         * @return this
         */
        public Builder maxLeaseDuration(Duration maxLeaseDuration) {
            this.maxLeaseDuration = maxLeaseDuration;
            return this;
        }

        /**
         * Sets which time decides when a lease has ended.
         *
         * @param time the time
         * @return this
         */
        public Builder time(LeaseTime time) {
            this.time = time;
            return this;
        }

        /**
         * Sets how far the clocks that matter may disagree, in all.
         *
         * @param maxClockSkew 1 s by default
         * @return this
         */
        public Builder maxClockSkew(Duration maxClockSkew) {
            this.maxClockSkew = maxClockSkew;
            return this;
        }

        /**
         * Makes a rival wait longer than its holder believes, so that writes under way can land.
         *
         * @param grace zero by default
         * @return this
         */
        public Builder grace(Duration grace) {
            this.grace = grace;
            return this;
        }

        /**
         * Sets how often a lease is renewed.
         *
         * @param heartbeatInterval at most half of the lease; a third of it by default
         * @return this
         */
        public Builder heartbeatInterval(Duration heartbeatInterval) {
            this.heartbeatInterval = heartbeatInterval;
            return this;
        }

        /**
         * Limits how many renewals run at once.
         *
         * @param heartbeatThreads at least 1
         * @return this
         */
        public Builder heartbeatThreads(int heartbeatThreads) {
            this.heartbeatThreads = heartbeatThreads;
            return this;
        }

        /**
         * Sets how long an acquire waits unless its request says otherwise.
         *
         * @param waitTime zero, the default, to try once
         * @return this
         */
        public Builder waitTime(Duration waitTime) {
            this.waitTime = waitTime;
            return this;
        }

        /**
         * Sets the shortest gap between two looks at a busy lock.
         *
         * @param pollMin 50 ms by default
         * @return this
         */
        public Builder pollMin(Duration pollMin) {
            this.pollMin = pollMin;
            return this;
        }

        /**
         * Sets the longest gap between two looks at a busy lock.
         *
         * @param pollMax 1 s by default
         * @return this
         */
        public Builder pollMax(Duration pollMax) {
            this.pollMax = pollMax;
            return this;
        }

        /**
         * Limits one request.
         *
         * @param attemptTimeout at most half of the lease; a fitting part of it by default
         * @return this
         */
        public Builder attemptTimeout(Duration attemptTimeout) {
            this.attemptTimeout = attemptTimeout;
            return this;
        }

        /**
         * Limits one operation with all its retries.
         *
         * @param callTimeout at most the lease; a fitting part of it by default
         * @return this
         */
        public Builder callTimeout(Duration callTimeout) {
            this.callTimeout = callTimeout;
            return this;
        }

        /**
         * Sets what is put before every lock name in the table.
         *
         * @param namePrefix empty by default
         * @return this
         */
        public Builder namePrefix(String namePrefix) {
            this.namePrefix = namePrefix;
            return this;
        }

        /**
         * Sets how long closing waits for work that runs under a lease.
         *
         * @param shutdownGrace 10 s by default
         * @return this
         */
        public Builder shutdownGrace(Duration shutdownGrace) {
            this.shutdownGrace = shutdownGrace;
            return this;
        }

        /**
         * Sets what happens to the work under a lease that is lost.
         *
         * @param onLost {@link OnLost#EVENT} by default; a request may say otherwise
         * @return this
         */
        public Builder onLost(OnLost onLost) {
            this.onLost = Objects.requireNonNull(onLost, "onLost");
            return this;
        }

        /**
         * Sets how {@link OnLost#SHUTDOWN} ends the application.
         *
         * @param shutdownAction called once, on a thread of its own; exits the process with status 1 by default
         * @return this
         */
        public Builder shutdownAction(Consumer<LeaseLost> shutdownAction) {
            this.shutdownAction = Objects.requireNonNull(shutdownAction, "shutdownAction");
            return this;
        }

        /**
         * Sets the readable identity to show. It decides nothing: two managers with the same owner exclude each other.
         *
         * @param owner for display only
         * @return this
         */
        public Builder owner(String owner) {
            this.owner = Objects.requireNonNull(owner, "owner");
            return this;
        }

        /**
         * Sets when a failed request is tried again.
         *
         * @param retryPolicy the policy
         * @return this
         */
        public Builder retryPolicy(RetryPolicy retryPolicy) {
            this.retryPolicy = Objects.requireNonNull(retryPolicy, "retryPolicy");
            return this;
        }

        /**
         * Adds a listener.
         *
         * @param listener told of everything that happens
         * @return this
         */
        public Builder listener(LockListener listener) {
            listeners.add(Objects.requireNonNull(listener, "listener"));
            return this;
        }

        /**
         * Replaces the wall clock, for tests.
         *
         * @param clock tells the time of day
         * @return this
         */
        public Builder clock(Clock clock) {
            this.clock = Objects.requireNonNull(clock, "clock");
            return this;
        }

        /**
         * Replaces the monotonic clock, for tests. Threads still wait in real time.
         *
         * @param nanoTime as {@link System#nanoTime()}
         * @return this
         */
        public Builder nanoTime(LongSupplier nanoTime) {
            this.nanoTime = Objects.requireNonNull(nanoTime, "nanoTime");
            return this;
        }

        /**
         * Replaces all time by a test's, which moves leases, renewals and waits with it. Leases go by this clock alone, so
         * that they end when it says: {@link LeaseTime#SYSTEM}, without an allowance for a skew. All managers on a store must
         * have the same clock, and a store in memory should.
         *
         * @param testClock the clock
         * @return this
         */
        public Builder testClock(MovableClock testClock) {
            alarms = testClock::movedWith;
            return clock(testClock)
                    .nanoTime(testClock::nanos)
                    .time(LeaseTime.SYSTEM)
                    .maxClockSkew(Duration.ZERO);
        }

        /** All settings together. */
        LockSettings settings() {
            return new LockSettings(
                    leaseDuration,
                    maxLeaseDuration,
                    time,
                    maxClockSkew,
                    grace,
                    heartbeatInterval,
                    heartbeatThreads,
                    waitTime,
                    pollMin,
                    pollMax,
                    attemptTimeout,
                    callTimeout,
                    namePrefix,
                    shutdownGrace,
                    onLost);
        }

        /**
         * Builds the manager. It starts no thread before it is needed.
         *
         * @return a new manager, to be closed
         */
        public LockManager build() {
            LockSettings settings = settings();
            LockListener listener = LockListener.all(listeners);
            LeaseClock leaseClock = LeaseClock.of(settings, clock, nanoTime, listener);
            LockStore.TimeSample sample = nanoTime == MACHINE ? store.lastTime() : null;
            if (sample != null) {
                leaseClock.answered(
                        ClockReading.ofMachine(sample.sentNanos(), sample.sentAt()),
                        ClockReading.ofMachine(sample.receivedNanos(), sample.receivedAt()),
                        sample.date());
            }
            Engine engine = new Engine(
                    store,
                    settings,
                    leaseClock,
                    retryPolicy,
                    listener,
                    alarms.apply(new ThreadTasks(heartbeatThreads, nanoTime)),
                    () -> ThreadLocalRandom.current().nextDouble(),
                    () -> UUID.randomUUID().toString(),
                    new Emergency(shutdownAction));
            return new DefaultLockManager(engine, owner);
        }
    }
}
