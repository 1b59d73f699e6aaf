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
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Builds a {@link LockManager}. Options that are not set have the defaults of {@link LockSettings#DEFAULTS}; ranges
 * are checked by {@link #build()}.
 *
 * <p>Not thread-safe.
 *
 * @since 0.1
 */
public final class LockManagerBuilder extends SettingsBuilder<LockManagerBuilder> {

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

    LockManagerBuilder(LockStore store) {
        super(LockSettings.DEFAULTS.values());
        this.store = Objects.requireNonNull(store, "store");
    }

    @Override
    LockManagerBuilder self() {
        return this;
    }

    /**
     * Replaces all settings.
     *
     * @param settings the new settings
     * @return this builder
     */
    public LockManagerBuilder settings(LockSettings settings) {
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
    public LockManagerBuilder shutdownAction(Consumer<LeaseLost> shutdownAction) {
        this.shutdownAction = Objects.requireNonNull(shutdownAction, "shutdownAction");
        return this;
    }

    /**
     * Sets the readable identity of this manager. It is for display only: two managers with the same owner still
     * exclude each other.
     *
     * @param owner at most 1,000 characters, no control characters or unpaired surrogates; host, process id and a
     *     random part by default
     * @return this builder
     * @throws InvalidSettingException if the owner is too long or contains such characters
     */
    public LockManagerBuilder owner(String owner) {
        Texts.requireOwner(Objects.requireNonNull(owner, "owner"));
        this.owner = owner;
        return this;
    }

    /**
     * Sets the key that signs lease tokens, so that they can pass through untrusted parties: a token that is not
     * signed with it is rejected. All managers that pass leases to each other must have the same key.
     *
     * @param tokenKey a secret of at least 32 bytes in UTF-8; without a key, tokens are not signed, and signed ones
     *     are rejected
     * @return this builder
     * @throws InvalidSettingException if the key is too short
     */
    public LockManagerBuilder tokenKey(String tokenKey) {
        this.tokenKey = new TokenKey(Objects.requireNonNull(tokenKey, "tokenKey"));
        return this;
    }

    /**
     * Sets when a failed request is retried.
     *
     * @param retryPolicy the policy; {@link RetryPolicy#DEFAULT} by default
     * @return this builder
     */
    public LockManagerBuilder retryPolicy(RetryPolicy retryPolicy) {
        this.retryPolicy = Objects.requireNonNull(retryPolicy, "retryPolicy");
        return this;
    }

    /**
     * Adds a listener.
     *
     * @param listener notified of the lifecycle events of all locks of this manager
     * @return this builder
     */
    public LockManagerBuilder listener(LockListener listener) {
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
     * that the executor rejects runs on such a thread as well, and one that it accepts and has not begun within ten
     * seconds, because it may have dropped it, on a callback thread.
     *
     * @param asyncExecutor runs continuations; not closed with the manager
     * @return this builder
     */
    public LockManagerBuilder asyncExecutor(Executor asyncExecutor) {
        this.asyncExecutor = Objects.requireNonNull(asyncExecutor, "asyncExecutor");
        return this;
    }

    /**
     * Replaces the wall clock, for tests.
     *
     * @param clock the wall clock
     * @return this builder
     */
    public LockManagerBuilder clock(Clock clock) {
        this.clock = Objects.requireNonNull(clock, "clock");
        return this;
    }

    /**
     * Replaces the monotonic clock, for tests. Threads still wait in real time.
     *
     * @param nanoTime a replacement for {@link System#nanoTime()}
     * @return this builder
     */
    public LockManagerBuilder nanoTime(LongSupplier nanoTime) {
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
    public LockManagerBuilder timeSample(LockStore.@Nullable TimeSample timeSample) {
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
    public LockManagerBuilder testClock(TestClock testClock) {
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
                new ShutdownOnLoss(shutdownAction == null ? new ProcessExit(settings.shutdownGrace()) : shutdownAction),
                owner == null ? Owners.ofThisProcess() : owner);
    }
}
