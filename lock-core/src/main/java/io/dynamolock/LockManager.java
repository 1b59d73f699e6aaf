/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.time.Scheduler;
import io.dynamolock.time.TestClock;
import io.dynamolock.time.TestClockScheduler;
import io.dynamolock.time.ThreadParker;
import io.dynamolock.time.ThreadPoolScheduler;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
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
 * Acquires locks, renews their leases and releases them.
 *
 * <p>At most one lease per lock name is held at a time, across all threads of all processes that use the same table, as
 * long as the clock assumption of the chosen {@link LeaseTime} holds. Contention is a result (an empty
 * {@code Optional}, or a {@link LockBusyException}), a failure is another exception, and neither is ever reported as
 * the other.
 *
 * <p>By default no call waits for a busy lock: each makes a single attempt. A call waits if its request, or the
 * manager's default, has a {@code waitTime} above zero. An overload that takes only a name behaves as with
 * {@link LockRequest#of(String)}, except that {@link #tryAcquire(String)} throws no {@code InterruptedException}: an
 * interrupt ends its wait.
 *
 * <p>Thread-safe. An application usually has one manager.
 *
 * @since 0.1
 */
public interface LockManager extends AutoCloseable {

    /**
     * Tries to acquire a lock with the manager's defaults, as {@link #tryAcquire(LockRequest)} does: a single attempt,
     * with one request, unless the manager has a {@linkplain LockSettings#waitTime() wait time}. Can be called on an
     * interrupted thread and preserves its interrupt flag; an interrupt ends the wait as if the wait time had elapsed.
     *
     * @param name the lock name
     * @return the lease, or empty if another lease held the lock until the wait time had elapsed
     * @throws LockStoreException if the store failed
     * @throws InvalidSettingException if the name is null, blank or too long
     * @throws IllegalStateException if this manager is closed, before the call or during the wait
     */
    Optional<Lease> tryAcquire(String name);

    /**
     * Tries to acquire a lock, and waits for a busy one up to the wait time of the request.
     *
     * @param request the lock and the options
     * @return the lease, or empty if another lease held the lock until the wait time had elapsed
     * @throws InterruptedException if the thread is interrupted while it waits; no lock stays acquired
     * @throws LockStoreException if the store failed
     * @throws IllegalStateException if this manager is closed, before the call or during the wait
     */
    Optional<Lease> tryAcquire(LockRequest request) throws InterruptedException;

    /**
     * Tries to acquire a lock within a wait time, as {@link #tryAcquire(LockRequest)} does.
     *
     * @param name the lock name
     * @param waitTime zero for a single attempt
     * @return the lease, or empty if another lease held the lock until the wait time had elapsed
     * @throws InterruptedException if the thread is interrupted while it waits; no lock stays acquired
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
     * @throws IllegalStateException if this manager is closed, before the call or during the wait
     */
    Lease acquire(LockRequest request) throws InterruptedException;

    /**
     * Acquires a lock with the manager's defaults, as {@link #acquire(LockRequest)} does.
     *
     * @param name the lock name
     * @return the lease
     * @throws LockBusyException if another lease held the lock until the manager's wait time had elapsed
     * @throws InterruptedException if the thread is interrupted while it waits; no lock stays acquired
     */
    default Lease acquire(String name) throws InterruptedException {
        return acquire(LockRequest.of(name));
    }

    /**
     * Acquires a lock within a wait time, as {@link #acquire(LockRequest)} does.
     *
     * @param name the lock name
     * @param waitTime zero for a single attempt
     * @return the lease
     * @throws LockBusyException if another lease held the lock until the wait time had elapsed
     * @throws InterruptedException if the thread is interrupted while it waits; no lock stays acquired
     */
    default Lease acquire(String name, Duration waitTime) throws InterruptedException {
        return acquire(LockRequest.of(name).waitTime(waitTime));
    }

    /**
     * Tries to acquire a lock without blocking the calling thread; otherwise like {@link #tryAcquire(LockRequest)}.
     *
     * @param request the lock and the options
     * @return a future that completes with the lease, with empty if the lock was busy, or with the failure. Cancelling
     *     this future cancels the attempt and leaves nothing behind; cancelling a future derived from it, such as that
     *     of {@code thenApply(..)}, does not
     */
    CompletableFuture<Optional<Lease>> tryAcquireAsync(LockRequest request);

    /**
     * Acquires a lock without blocking the calling thread; otherwise like {@link #acquire(LockRequest)}.
     *
     * @param request the lock and the options
     * @return a future that completes with the lease, with {@link LockBusyException} if the lock was busy, or with
     *     another failure. Cancelling this future cancels the attempt and leaves nothing behind; cancelling a future
     *     derived from it, such as that of {@code thenApply(..)}, does not
     */
    CompletableFuture<Lease> acquireAsync(LockRequest request);

    /**
     * Runs work while holding the lock, or throws {@link LockBusyException} naming the current holder. The lease is
     * kept alive until the work has ended, and is never released before.
     *
     * <p>A lease that is lost meanwhile does not change the outcome: the result or the exception of the work is passed
     * on, and the loss is reported to listeners, to {@link Lease#onLost callbacks}, and as {@link OnLost} defines. If a
     * result is worthless without the lock, the work should end with {@link Lease#ensureHeld()}.
     *
     * @param request the lock and the options
     * @param work the work to run
     * @param <T> the type of the result
     * @return the result of the work
     * @throws LockBusyException if another lease held the lock until the wait time had elapsed
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
     * @throws Exception the exception of the work, unchanged
     */
    default <T> T call(LockRequest request, LockedWork<T> work) throws Exception {
        Objects.requireNonNull(work, "work");
        return LeasedWork.call(acquire(request), work);
    }

    /**
     * Runs work that uses its lease, with the manager's defaults; otherwise like
     * {@link #call(LockRequest, LockedWork)}.
     *
     * @param name the lock name
     * @param work the work to run
     * @param <T> the type of the result
     * @return the result of the work
     * @throws Exception the exception of the work, unchanged
     */
    default <T> T call(String name, LockedWork<T> work) throws Exception {
        return call(LockRequest.of(name), work);
    }

    /**
     * Runs work while holding the lock, if the lock can be acquired within the wait time. The lease is kept alive until
     * the work has ended, and is never released before. The outcome is that of the work, even if the lease is lost
     * meanwhile, as with {@link #call(LockRequest, Callable)}.
     *
     * @param request the lock and the options
     * @param work the work to run
     * @param <T> the type of the result
     * @return whether the work ran, and its result
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
     * @throws Exception the exception of the work, unchanged
     */
    default <T> Execution<T> tryCall(LockRequest request, LockedWork<T> work) throws Exception {
        Objects.requireNonNull(work, "work");
        Optional<Lease> lease = tryAcquire(request);
        return lease.isPresent() ? Execution.of(LeasedWork.call(lease.get(), work)) : Execution.skipped();
    }

    /**
     * Runs work that uses its lease, if the lock can be acquired, with the manager's defaults; otherwise like
     * {@link #tryCall(LockRequest, LockedWork)}.
     *
     * @param name the lock name
     * @param work the work to run
     * @param <T> the type of the result
     * @return whether the work ran, and its result
     * @throws Exception the exception of the work, unchanged
     */
    default <T> Execution<T> tryCall(String name, LockedWork<T> work) throws Exception {
        return tryCall(LockRequest.of(name), work);
    }

    /**
     * Runs work while holding the lock, if the lock can be acquired within the wait time. The lease is kept alive until
     * the work has ended, and is never released before.
     *
     * @param request the lock and the options
     * @param work the work to run
     * @return whether the work ran; true even if the lease was lost meanwhile, which is reported as with
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
     * Runs work while holding the lock, if it can be acquired, with the manager's defaults; otherwise like
     * {@link #tryRun(LockRequest, Runnable)}.
     *
     * @param name the lock name
     * @param work the work to run
     * @return whether the work ran
     * @throws InterruptedException if the thread is interrupted while it waits
     */
    default boolean tryRun(String name, Runnable work) throws InterruptedException {
        return tryRun(LockRequest.of(name), work);
    }

    /**
     * Reads the row of one lock. Writes nothing.
     *
     * @param name the lock name
     * @return the holder, since when it holds the lock, and until when
     * @throws LockStoreException if the store failed
     */
    LockState inspect(String name);

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
     * with a new id and a higher fencing token. A token can be resumed once.
     *
     * @param token the token of the detached lease
     * @return the lease
     * @throws LeaseLostException if the lease was already resumed, released or taken over
     * @throws IllegalArgumentException if the token is for another table, Region or name prefix, its signature is
     *     rejected, or its lease is longer than {@link LockSettings#maxLeaseDuration()}. Both managers must know their
     *     Region, or neither; a client that wraps another may hide it
     * @throws IllegalStateException if the lease is not detached
     * @throws LockManagerClosedException if this manager is closed
     * @throws LockStoreException if the store failed
     */
    Lease resume(LeaseToken token);

    /**
     * Revokes a lease: its next renewal is rejected, and the lock becomes free when the lease expires. Safe at any
     * time.
     *
     * @param name the lock name
     * @param leaseId the lease id, as {@link #inspect(String)} returns it
     * @return false if that lease no longer holds the lock
     * @throws LockStoreException if the store failed
     */
    boolean revoke(String name, String leaseId);

    /**
     * Frees a lock immediately, although its holder may still be working. Only for operators who know that the holder
     * is gone. Logged at WARN.
     *
     * @param name the lock name
     * @param leaseId the lease id, as {@link #inspect(String)} returns it
     * @return false if that lease no longer holds the lock
     * @throws LockStoreException if the store failed
     */
    boolean forceRelease(String name, String leaseId);

    /**
     * Frees a lock immediately, whatever its row contains, including a lock that cannot be acquired any more because
     * its row is damaged. Only for operators who know that no process works under the lock. Keeps the order of fencing
     * tokens as far as the row has one: a floor that leaves no token is replaced by one derived from the clock. Logged
     * at WARN.
     *
     * @param name the lock name
     * @return the lock as it was; empty if there was nothing to free
     * @throws IllegalStateException if a later version of this library wrote the row; only that version can release the
     *     lock
     * @throws LockStoreException if the store failed, or if the row has changed since it was read
     */
    Optional<LockState> forceFree(String name);

    /**
     * Closes this manager: rejects new acquisitions and resumptions, ends waits, keeps each open lease alive for the
     * grace period, so that its holder can finish the work and release it, renew it, or
     * {@linkplain Lease#detach() detach it}, then stops the heartbeat. Returns as soon as no lease is open; immediately
     * if none was.
     *
     * <p>Never releases a lease itself. Leases can be passed between threads, so a holder's thread that is idle, has
     * ended, or is the closing one proves nothing about the work. A lease that is still open after the grace period is
     * no longer renewed, counts as {@linkplain LeaseLost.Reason#CLOSED lost}, and is left to expire. An unreleased
     * lease thus costs the whole grace period, and then keeps its lock until it expires: release leases before closing,
     * or {@linkplain Builder#shutdownGrace shorten the grace period}. An interrupt of the closing thread ends the wait.
     */
    @Override
    void close();

    /**
     * Returns a builder of a manager.
     *
     * @param store the store of the lock rows; not closed with the manager
     * @return a builder with the defaults of {@link LockSettings#DEFAULTS}
     */
    static Builder builder(LockStore store) {
        return new Builder(store);
    }

    /**
     * Builds a {@link LockManager}. Options that are not set have the defaults of {@link LockSettings#DEFAULTS}; ranges
     * are checked by {@link #build()}.
     *
     * <p>Not thread-safe.
     *
     * @since 0.1
     */
    final class Builder extends SettingsBuilder<Builder> {

        private final LockStore store;
        private @Nullable Consumer<LeaseLost> shutdownAction;
        private @Nullable String owner;
        private RetryPolicy retryPolicy = RetryPolicy.DEFAULT;
        private final List<LockListener> listeners = new ArrayList<>();
        private Clock clock = Clock.systemUTC();
        private @Nullable LongSupplier nanoTime;
        private LockStore.@Nullable TimeSample timeSample;
        private UnaryOperator<Scheduler> alarms = UnaryOperator.identity();
        private boolean goesByTestClock;
        private @Nullable Executor asyncExecutor;
        private @Nullable TokenKey tokenKey;

        private Builder(LockStore store) {
            super(LockSettings.DEFAULTS.values());
            this.store = Objects.requireNonNull(store, "store");
        }

        @Override
        Builder self() {
            return this;
        }

        /**
         * Replaces all settings.
         *
         * @param settings the new settings
         * @return this builder
         */
        public Builder settings(LockSettings settings) {
            values = Objects.requireNonNull(settings, "settings").values();
            return this;
        }

        /**
         * Sets how {@link OnLost#SHUTDOWN} ends the application.
         *
         * @param shutdownAction called once, on its own thread, before listeners and callbacks. The default exits the
         *     process with status 1, and halts it if its shutdown hooks take 10 s longer than the grace period
         * @return this builder
         */
        public Builder shutdownAction(Consumer<LeaseLost> shutdownAction) {
            this.shutdownAction = Objects.requireNonNull(shutdownAction, "shutdownAction");
            return this;
        }

        /**
         * Sets the readable identity of this manager. It is for display only: two managers with the same owner still
         * exclude each other.
         *
         * @param owner at most 1,000 characters, no control characters; host, process id and a random part by default
         * @return this builder
         * @throws InvalidSettingException if the owner is too long or contains control characters
         */
        public Builder owner(String owner) {
            Texts.requireOwner(Objects.requireNonNull(owner, "owner"));
            this.owner = owner;
            return this;
        }

        /**
         * Sets the key that signs lease tokens, so that they can pass through untrusted hands: a token that is not
         * signed with it is rejected. All managers that hand leases to each other must have the same key.
         *
         * @param tokenKey a secret of at least 32 bytes in UTF-8; without a key, tokens are not signed, and signed ones
         *     are rejected
         * @return this builder
         * @throws InvalidSettingException if the key is too short
         */
        public Builder tokenKey(String tokenKey) {
            this.tokenKey = new TokenKey(Objects.requireNonNull(tokenKey, "tokenKey"));
            return this;
        }

        /**
         * Sets when a failed request is retried.
         *
         * @param retryPolicy the policy; {@link RetryPolicy#DEFAULT} by default
         * @return this builder
         */
        public Builder retryPolicy(RetryPolicy retryPolicy) {
            this.retryPolicy = Objects.requireNonNull(retryPolicy, "retryPolicy");
            return this;
        }

        /**
         * Adds a listener.
         *
         * @param listener notified of the lifecycle events of all locks of this manager
         * @return this builder
         */
        public Builder listener(LockListener listener) {
            listeners.add(Objects.requireNonNull(listener, "listener"));
            return this;
        }

        /**
         * Sets the executor that completes the futures of asynchronous calls and the stages of {@link Lease#lost()}, so
         * that their continuations run there. By default each runs on a daemon thread that no other work of the manager
         * needs, however many there are, so continuations may block; these threads end after a few idle seconds.
         *
         * <p>The executor is called on a caller's thread, on one of the manager's workers, or on one of its callback
         * threads: with {@code Runnable::run}, continuations run there. They should then neither block nor take long,
         * since they delay releases, asynchronous acquires or callbacks; renewals do not depend on them. A continuation
         * that the executor rejects runs on such a thread as well.
         *
         * @param asyncExecutor runs continuations; not closed with the manager
         * @return this builder
         */
        public Builder asyncExecutor(Executor asyncExecutor) {
            this.asyncExecutor = Objects.requireNonNull(asyncExecutor, "asyncExecutor");
            return this;
        }

        /**
         * Replaces the wall clock, for tests.
         *
         * @param clock the wall clock
         * @return this builder
         */
        public Builder clock(Clock clock) {
            this.clock = Objects.requireNonNull(clock, "clock");
            return this;
        }

        /**
         * Replaces the monotonic clock, for tests. Threads still wait in real time.
         *
         * @param nanoTime a replacement for {@link System#nanoTime()}
         * @return this builder
         */
        public Builder nanoTime(LongSupplier nanoTime) {
            this.nanoTime = Objects.requireNonNull(nanoTime, "nanoTime");
            return this;
        }

        /**
         * Sets a sample of the store's time, so that the first acquisition needs no request of its own for one. An
         * outdated sample is ignored, and so is any if the monotonic clock is replaced.
         *
         * @param timeSample for example {@code table().timeSample()} of a {@code DynamoDbLockStore} whose table was
         *     created or validated in this JVM; null for none
         * @return this builder
         */
        public Builder timeSample(LockStore.@Nullable TimeSample timeSample) {
            this.timeSample = timeSample;
            return this;
        }

        /**
         * Replaces all clocks by a test clock, which drives leases, renewals and waits. Leases are timed by this clock
         * alone, so that they end when it reaches their end: {@link LeaseTime#SYSTEM} without an allowance for clock
         * skew, whatever the settings are. All managers of a store must have the same clock, and an in-memory store
         * should have it too.
         *
         * @param testClock the clock
         * @return this builder
         */
        public Builder testClock(TestClock testClock) {
            Objects.requireNonNull(testClock, "testClock");
            alarms = scheduler -> TestClockScheduler.following(testClock, scheduler);
            goesByTestClock = true;
            return clock(testClock).nanoTime(TestClockScheduler.nanoTime(testClock));
        }

        /** The settings of the manager; a test clock overrides those for time. */
        LockSettings settings() {
            LockSettings all = new LockSettings(values);
            return goesByTestClock
                    ? all.toBuilder()
                            .time(LeaseTime.SYSTEM)
                            .maxClockSkew(Duration.ZERO)
                            .build()
                    : all;
        }

        /**
         * Builds the manager. It starts no thread before it needs one.
         *
         * @return a new manager, which the caller must close
         * @throws InvalidSettingException if a setting is out of range or conflicts with another one
         */
        public LockManager build() {
            LockSettings settings = settings();
            LockListener listener = LockListener.all(listeners);
            LongSupplier nanos = nanoTime == null ? ThreadParker::nanoTime : nanoTime;
            LeaseClock leaseClock = LeaseClock.of(settings, clock, nanos, listener);
            LockStore.TimeSample sample = timeSample;
            if (sample != null && nanoTime == null) {
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
                    alarms.apply(new ThreadPoolScheduler(
                            settings.heartbeatThreads(), LockSettings.BACKGROUND_REQUESTS, nanos, asyncExecutor)),
                    () -> ThreadLocalRandom.current().nextDouble(),
                    () -> UUID.randomUUID().toString(),
                    tokenKey);
            return new DefaultLockManager(
                    context,
                    new ShutdownOnLoss(
                            shutdownAction == null ? new ProcessExit(settings.shutdownGrace()) : shutdownAction),
                    owner == null ? Owners.ofThisProcess() : owner);
        }
    }
}
