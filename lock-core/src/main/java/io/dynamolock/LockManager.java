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
import java.util.concurrent.Executor;
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
 * <p>No call waits for a busy lock by default: each tries once. A call waits if its request, or the manager's default, sets a
 * {@code waitTime} above zero. The forms that take a name alone do the same as those with {@link LockRequest#of(String)},
 * except that {@link #tryAcquire(String)} throws no {@code InterruptedException}: an interrupt ends its wait.
 *
 * <p>Safe for use by many threads; one manager per application is usual.
 *
 * @since 0.1
 */
public interface LockManager extends AutoCloseable {

    /**
     * Tries like {@link #tryAcquire(LockRequest)} with the defaults: once, by one request, unless the manager has a
     * {@linkplain LockSettings#waitTime() wait time}. Works on an interrupted thread and keeps its flag; an interrupt ends the
     * wait early, as if the wait time were over.
     *
     * @param name the lock
     * @return the lease, or empty if another lease held the lock until the wait was over
     * @throws LockStoreException if the store failed
     * @throws IllegalArgumentException if the name is null, blank or too long
     * @throws IllegalStateException if this manager is closed, now or while waiting
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
     * Tries for as long as a wait time says, as {@link #tryAcquire(LockRequest)} does.
     *
     * @param name the lock
     * @param waitTime zero to try once
     * @return the lease, or empty if somebody else held the lock until the wait time was over
     * @throws InterruptedException if the thread is interrupted while it waits; nothing stays acquired
     */
    default Optional<Lease> tryAcquire(String name, Duration waitTime) throws InterruptedException {
        return tryAcquire(LockRequest.of(name).waitTime(waitTime));
    }

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
     * Acquires as {@link #acquire(LockRequest)} does, with the manager's defaults.
     *
     * @param name the lock
     * @return the lease
     * @throws LockBusyException if somebody else held the lock until the manager's wait time was over
     * @throws InterruptedException if the thread is interrupted while it waits; nothing stays acquired
     */
    default Lease acquire(String name) throws InterruptedException {
        return acquire(LockRequest.of(name));
    }

    /**
     * Acquires as {@link #acquire(LockRequest)} does, within a wait time.
     *
     * @param name the lock
     * @param waitTime zero to try once
     * @return the lease
     * @throws LockBusyException if somebody else held the lock until the wait time was over
     * @throws InterruptedException if the thread is interrupted while it waits; nothing stays acquired
     */
    default Lease acquire(String name, Duration waitTime) throws InterruptedException {
        return acquire(LockRequest.of(name).waitTime(waitTime));
    }

    /**
     * Tries like {@link #tryAcquire(LockRequest)} without blocking the calling thread.
     *
     * @param request which lock, and how
     * @return completes with the lease, with empty if it was busy, or with the failure. Cancelling this future cancels the
     *     attempt and leaves nothing behind; cancelling one derived from it, such as {@code thenApply(..)}, does not
     */
    CompletableFuture<Optional<Lease>> tryAcquireAsync(LockRequest request);

    /**
     * Acquires like {@link #acquire(LockRequest)} without blocking the calling thread.
     *
     * @param request which lock, and how
     * @return completes with the lease, with {@link LockBusyException} if it was busy, or with another failure. Cancelling
     *     this future cancels the attempt and leaves nothing behind; cancelling one derived from it, such as
     *     {@code thenApply(..)}, does not
     */
    CompletableFuture<Lease> acquireAsync(LockRequest request);

    /**
     * Runs work while holding the lock, or says who is in the way. The lease is kept alive until the work has ended, and
     * never released before.
     *
     * <p>A lease that is lost meanwhile does not change the outcome: what the work returns or throws is passed on, and the
     * loss is reported to listeners, to {@link Lease#onLost callbacks}, and as {@link OnLost} says. Work whose result is
     * worthless without the lock ends with {@link Lease#ensureHeld()}.
     *
     * @param request which lock, and how
     * @param work what to do
     * @param <T> what it returns
     * @return its result
     * @throws LockBusyException if somebody else held the lock until the wait time was over
     * @throws Exception what the work throws, unchanged
     */
    default <T> T call(LockRequest request, Callable<T> work) throws Exception {
        Objects.requireNonNull(work, "work");
        return call(request, lease -> work.call());
    }

    /**
     * Does the same as {@link #call(LockRequest, Callable)}, with the manager's defaults.
     *
     * @param name the lock
     * @param work what to do
     * @param <T> what it returns
     * @return its result
     * @throws Exception what the work throws, unchanged
     */
    default <T> T call(String name, Callable<T> work) throws Exception {
        return call(LockRequest.of(name), work);
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
        Objects.requireNonNull(work, "work");
        return LeasedWork.call(acquire(request), work);
    }

    /**
     * Does the same as {@link #call(LockRequest, LockedWork)}, with the manager's defaults.
     *
     * @param name the lock
     * @param work what to do
     * @param <T> what it returns
     * @return its result
     * @throws Exception what the work throws, unchanged
     */
    default <T> T call(String name, LockedWork<T> work) throws Exception {
        return call(LockRequest.of(name), work);
    }

    /**
     * Runs work while holding the lock, if it can be had within the wait time. The lease is kept alive until the work has
     * ended, and never released before. The outcome is that of the work, even if the lease is lost meanwhile, as with
     * {@link #call(LockRequest, Callable)}.
     *
     * @param request which lock, and how
     * @param work what to do
     * @param <T> what it returns
     * @return whether it ran, and its result
     * @throws Exception what the work throws, unchanged
     */
    default <T> Execution<T> tryCall(LockRequest request, Callable<T> work) throws Exception {
        Objects.requireNonNull(work, "work");
        return tryCall(request, lease -> work.call());
    }

    /**
     * Does the same as {@link #tryCall(LockRequest, Callable)}, with the manager's defaults.
     *
     * @param name the lock
     * @param work what to do
     * @param <T> what it returns
     * @return whether it ran, and its result
     * @throws Exception what the work throws, unchanged
     */
    default <T> Execution<T> tryCall(String name, Callable<T> work) throws Exception {
        return tryCall(LockRequest.of(name), work);
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
        Objects.requireNonNull(work, "work");
        Optional<Lease> lease = tryAcquire(request);
        return lease.isPresent() ? Execution.of(LeasedWork.call(lease.get(), work)) : Execution.skipped();
    }

    /**
     * Does the same as {@link #tryCall(LockRequest, LockedWork)}, with the manager's defaults.
     *
     * @param name the lock
     * @param work what to do
     * @param <T> what it returns
     * @return whether it ran, and its result
     * @throws Exception what the work throws, unchanged
     */
    default <T> Execution<T> tryCall(String name, LockedWork<T> work) throws Exception {
        return tryCall(LockRequest.of(name), work);
    }

    /**
     * Runs work while holding the lock, if it can be had within the wait time. The lease is kept alive until the work has
     * ended, and never released before.
     *
     * @param request which lock, and how
     * @param work what to do
     * @return whether it ran; true also if the lease was lost meanwhile, which is reported as with
     *     {@link #call(LockRequest, Callable)}
     * @throws InterruptedException if the thread is interrupted while it waits
     */
    default boolean tryRun(LockRequest request, Runnable work) throws InterruptedException {
        Objects.requireNonNull(work, "work");
        Optional<Lease> lease = tryAcquire(request);
        lease.ifPresent(held -> LeasedWork.run(held, work));
        return lease.isPresent();
    }

    /**
     * Does the same as {@link #tryRun(LockRequest, Runnable)}, with the manager's defaults.
     *
     * @param name the lock
     * @param work what to do
     * @return whether it ran
     * @throws InterruptedException if the thread is interrupted while it waits
     */
    default boolean tryRun(String name, Runnable work) throws InterruptedException {
        return tryRun(LockRequest.of(name), work);
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
     * @throws IllegalArgumentException if it is a lease of another table, or of another Region; both managers must know their
     *     Region, or neither, which a client that wraps another may hide
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
     * Frees a lock at once whatever its row says, also one that nobody can acquire any more because the row is damaged. Only for
     * operators who know that nobody works under the lock. The order of fencing tokens is kept as far as the row has one: a
     * floor that leaves no token is replaced by what the clock gives. Logged at WARN.
     *
     * @param name the lock
     * @return the lock as it was; empty if there was nothing to free
     * @throws IllegalStateException if a later version of this library wrote the row, which must give the lock back itself
     * @throws LockStoreException if the store failed, or if the row has changed in the moment since it was read
     */
    Optional<LockState> forceFree(String name);

    /**
     * Stops: refuses new acquisitions and resumptions, ends waits, keeps each open lease alive for the grace period, so that
     * its holder can end the work and release it, renew it, or {@linkplain Lease#detach() hand it over}, then stops the
     * heartbeat. Returns as soon as no lease is open any more; at once if none was.
     *
     * <p>Never releases a lease by itself. Leases may be handed from thread to thread, so a holder's thread that is idle, has
     * ended, or is the one that closes proves nothing about the work. A lease that is still open after the grace period is
     * no longer renewed, counts as {@linkplain LeaseLost.Reason#CLOSED lost}, and is left to run out. So a lease that nobody
     * releases costs the whole grace period, and then keeps its lock until its end: release leases before closing, or
     * {@linkplain Builder#shutdownGrace shorten the grace period}. An interrupt of the closing thread ends the wait.
     */
    @Override
    void close();

    /**
     * Closes several managers side by side, so that all of them together take no longer than the slowest. Each is closed whatever
     * happens to the others.
     *
     * @param managers each to be closed as {@link #close()} does
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

        private static final LongSupplier MACHINE = ThreadParker::nanoTime;

        private final LockStore store;
        private LockSettings.Builder settings = LockSettings.builder();
        private @Nullable Consumer<LeaseLost> shutdownAction;
        private @Nullable String owner;
        private RetryPolicy retryPolicy = RetryPolicy.DEFAULT;
        private final List<LockListener> listeners = new ArrayList<>();
        private Clock clock = Clock.systemUTC();
        private LongSupplier nanoTime = MACHINE;
        private UnaryOperator<Scheduler> alarms = UnaryOperator.identity();
        private boolean goesByTestClock;
        private @Nullable Executor asyncExecutor;
        private @Nullable TokenKey tokenKey;

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
            this.settings = Objects.requireNonNull(settings, "settings").toBuilder();
            return this;
        }

        /**
         * Sets how long a lease lasts without a renewal.
         *
         * @param leaseDuration 1 ms to 365 days; 30 s by default
         * @return this
         */
        public Builder leaseDuration(Duration leaseDuration) {
            settings.leaseDuration(leaseDuration);
            return this;
        }

        /**
         * Limits what requests may ask for.
         *
         * @param maxLeaseDuration the longest lease, 1 ms to 365 days; null, the default, for no limit
         * @return this
         */
        public Builder maxLeaseDuration(@Nullable Duration maxLeaseDuration) {
            settings.maxLeaseDuration(maxLeaseDuration);
            return this;
        }

        /**
         * Sets which time decides when a lease has ended.
         *
         * @param time {@link LeaseTime#SERVER} by default
         * @return this
         */
        public Builder time(LeaseTime time) {
            settings.time(time);
            return this;
        }

        /**
         * Sets how far the clocks that matter may disagree, in all.
         *
         * @param maxClockSkew at most 365 days; 1 s by default
         * @return this
         */
        public Builder maxClockSkew(Duration maxClockSkew) {
            settings.maxClockSkew(maxClockSkew);
            return this;
        }

        /**
         * Makes a rival wait longer than its holder believes, so that writes under way can land.
         *
         * @param lockDelay at most one day; zero by default
         * @return this
         */
        public Builder lockDelay(Duration lockDelay) {
            settings.lockDelay(lockDelay);
            return this;
        }

        /**
         * Reports a lease that is open for longer, once, at WARN and with its owner.
         *
         * @param warnAfter 1 ms to 365 days; null, the default, for never
         * @return this
         */
        public Builder warnAfter(@Nullable Duration warnAfter) {
            settings.warnAfter(warnAfter);
            return this;
        }

        /**
         * Sets how often a lease is renewed.
         *
         * @param heartbeatInterval 1 ms to half of the lease; null, the default, for a third of it
         * @return this
         */
        public Builder heartbeatInterval(@Nullable Duration heartbeatInterval) {
            settings.heartbeatInterval(heartbeatInterval);
            return this;
        }

        /**
         * Limits how many renewals run at once.
         *
         * @param heartbeatThreads at least 1; 24 by default
         * @return this
         */
        public Builder heartbeatThreads(int heartbeatThreads) {
            settings.heartbeatThreads(heartbeatThreads);
            return this;
        }

        /**
         * Limits how many requests the calling threads have under way at once. A caller beyond that waits for its turn, inside its
         * wait time and the call timeout.
         *
         * @param maxConcurrentRequests at least 1; 16 by default
         * @return this
         */
        public Builder maxConcurrentRequests(int maxConcurrentRequests) {
            settings.maxConcurrentRequests(maxConcurrentRequests);
            return this;
        }

        /**
         * Sets how long an acquire waits unless its request says otherwise.
         *
         * @param waitTime not negative and without an upper limit; zero, the default, to try once
         * @return this
         */
        public Builder waitTime(Duration waitTime) {
            settings.waitTime(waitTime);
            return this;
        }

        /**
         * Sets the shortest gap between two looks at a busy lock.
         *
         * @param pollMin 1 ms to 365 days; 50 ms by default
         * @return this
         */
        public Builder pollMin(Duration pollMin) {
            settings.pollMin(pollMin);
            return this;
        }

        /**
         * Sets the longest gap between two looks at a busy lock.
         *
         * @param pollMax at least the shortest gap, at most 365 days; 1 s by default
         * @return this
         */
        public Builder pollMax(Duration pollMax) {
            settings.pollMax(pollMax);
            return this;
        }

        /**
         * Limits one request.
         *
         * @param attemptTimeout 1 ms to half of the lease; null, the default, for a fitting part of the lease, at most 2 s
         * @return this
         */
        public Builder attemptTimeout(@Nullable Duration attemptTimeout) {
            settings.attemptTimeout(attemptTimeout);
            return this;
        }

        /**
         * Limits one operation with all its retries.
         *
         * @param callTimeout 1 ms to the lease; null, the default, for half of the lease, at most 10 s
         * @return this
         */
        public Builder callTimeout(@Nullable Duration callTimeout) {
            settings.callTimeout(callTimeout);
            return this;
        }

        /**
         * Limits requests until the first acquire of this process is answered, and each request for the store's time: class
         * loading, TLS or a starved processor may take seconds then.
         *
         * @param firstAnswerTimeout 1 ms to 365 days; null, the default, for 10 s, or for the call timeout if that is set
         * @return this
         */
        public Builder firstAnswerTimeout(@Nullable Duration firstAnswerTimeout) {
            settings.firstAnswerTimeout(firstAnswerTimeout);
            return this;
        }

        /**
         * Sets what is put before every lock name in the table.
         *
         * @param namePrefix empty by default
         * @return this
         */
        public Builder namePrefix(String namePrefix) {
            settings.namePrefix(namePrefix);
            return this;
        }

        /**
         * Sets how long closing keeps open leases alive for their holders to release them; zero closes at once.
         *
         * @param shutdownGrace not negative and without an upper limit; 10 s by default
         * @return this
         */
        public Builder shutdownGrace(Duration shutdownGrace) {
            settings.shutdownGrace(shutdownGrace);
            return this;
        }

        /**
         * Sets what happens to the work under a lease that is lost.
         *
         * @param onLost {@link OnLost#EVENT} by default; a request may say otherwise
         * @return this
         */
        public Builder onLost(OnLost onLost) {
            settings.onLost(onLost);
            return this;
        }

        /**
         * Sets how {@link OnLost#SHUTDOWN} ends the application.
         *
         * @param shutdownAction called once, on a thread of its own, before listeners and callbacks; by default exits the
         *     process with status 1, and halts it if its shutdown hooks take 10 s longer than the grace period
         * @return this
         */
        public Builder shutdownAction(Consumer<LeaseLost> shutdownAction) {
            this.shutdownAction = Objects.requireNonNull(shutdownAction, "shutdownAction");
            return this;
        }

        /**
         * Sets the readable identity to show. It decides nothing: two managers with the same owner exclude each other.
         *
         * @param owner for display only; host, process id and a random part by default
         * @return this
         */
        public Builder owner(String owner) {
            Texts.requireOwner(Objects.requireNonNull(owner, "owner"));
            this.owner = owner;
            return this;
        }

        /**
         * Sets the key that signs lease tokens, so that they can pass through hands that are not trusted: a token that is not
         * signed with it is refused. All managers that hand leases to each other must have the same.
         *
         * @param tokenKey a secret of at least 32 bytes in UTF-8; without it tokens are not signed, and signed ones are refused
         * @return this
         */
        public Builder tokenKey(String tokenKey) {
            this.tokenKey = new TokenKey(Objects.requireNonNull(tokenKey, "tokenKey"));
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
         * Sets where the futures of asynchronous calls and the stages of {@link Lease#lost()} are completed, so that their
         * continuations run there. By default each runs on a daemon thread that no other work of the manager needs, however
         * many there are, so that they may block; these threads end when they have been idle for a few seconds.
         *
         * <p>The executor is called on the thread of a caller, on one of the manager's workers, or on one of its threads for
         * callbacks: with {@code Runnable::run} continuations run there. They should neither block nor take long then, since
         * they keep releases, asynchronous acquires or callbacks waiting; renewals do not depend on them. What an executor
         * refuses runs on such a thread, too.
         *
         * @param asyncExecutor runs continuations; not closed with the manager
         * @return this
         */
        public Builder asyncExecutor(Executor asyncExecutor) {
            this.asyncExecutor = Objects.requireNonNull(asyncExecutor, "asyncExecutor");
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
         * that they end when it says: {@link LeaseTime#SYSTEM}, without an allowance for a skew, whatever the settings say. All managers on a store must
         * have the same clock, and a store in memory should.
         *
         * @param testClock the clock
         * @return this
         */
        public Builder testClock(TestClock testClock) {
            alarms = Objects.requireNonNull(testClock, "testClock")::schedulerFor;
            goesByTestClock = true;
            return clock(testClock).nanoTime(testClock::nanos);
        }

        /** All settings together. */
        LockSettings settings() {
            LockSettings all = settings.build();
            return goesByTestClock
                    ? all.toBuilder()
                            .time(LeaseTime.SYSTEM)
                            .maxClockSkew(Duration.ZERO)
                            .build()
                    : all;
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
                leaseClock.onResponse(
                        ClockReading.ofMachine(sample.sentNanos(), sample.sentAt()),
                        ClockReading.ofMachine(sample.receivedNanos(), sample.receivedAt()),
                        sample.date());
            }
            EngineContext context = new EngineContext(
                    store,
                    settings,
                    leaseClock,
                    retryPolicy,
                    listener,
                    alarms.apply(new ThreadPoolScheduler(settings.heartbeatThreads(), nanoTime, asyncExecutor)),
                    () -> ThreadLocalRandom.current().nextDouble(),
                    () -> UUID.randomUUID().toString(),
                    new ShutdownOnLoss(
                            shutdownAction == null ? new ProcessExit(settings.shutdownGrace()) : shutdownAction),
                    tokenKey);
            return new DefaultLockManager(context, owner == null ? Owners.ofThisProcess() : owner);
        }
    }
}
