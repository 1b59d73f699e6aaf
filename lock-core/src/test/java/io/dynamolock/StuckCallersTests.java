/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.dynamolock.time.Durations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Unanswered requests: callers that sent one, or wait to send one, return in time. */
@ExtendWith(WithoutWarnings.class)
@Timeout(120)
class StuckCallersTests {

    private static final Duration WAIT = Duration.ofMillis(200);
    private static final Duration ATTEMPT = Duration.ofMillis(700);
    private static final Duration CALL = Duration.ofSeconds(1);

    /** So many that they would take far longer than the slack if they were served in turn, as many as have a permit. */
    private static final int CALLERS = 1_000;

    /** Extra time for a busy machine. */
    private static final Duration SLACK = Duration.ofSeconds(10);

    private final StuckStore store = new StuckStore();
    private final LockManager locks = LockManager.builder(store)
            .attemptTimeout(ATTEMPT)
            .callTimeout(CALL)
            .firstResponseTimeout(Duration.ofSeconds(10))
            .shutdownGrace(Duration.ZERO)
            .build();
    private final ExecutorService threads = Executors.newCachedThreadPool();

    @BeforeEach
    void responseOnce() {
        locks.tryAcquire("first").orElseThrow().release();
    }

    @AfterEach
    void close() {
        store.heal();
        locks.close();
        threads.shutdownNow();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void callersReturnWithinWaitTimeAndCallTimeout(boolean heedsInterrupts) throws Exception {
        store.stall(heedsInterrupts);

        List<Future<Duration>> callers = call(CALLERS);

        assertThat(longest(callers)).isLessThan(WAIT.plus(CALL).plus(SLACK));
    }

    /** By default, a single attempt may take two seconds. */
    @Test
    void callTimeoutBelowThatOfAnAttemptIsKept() throws Exception {
        Duration call = Duration.ofMillis(50);
        try (LockManager hasty = LockManager.builder(store)
                .callTimeout(call)
                .shutdownGrace(Duration.ZERO)
                .build()) {
            Lease held = hasty.tryAcquire("held").orElseThrow();
            LeaseToken token = hasty.tryAcquire("detached").orElseThrow().detach();
            LockRequest brief = LockRequest.of("lost").leaseDuration(Duration.ofMillis(400));
            Lease lost = hasty.acquire(brief.autoRenew(false));
            await().until(() -> !lost.isHeld());
            store.stall(false);

            List<ThrowingCallable> calls = List.of(
                    () -> hasty.acquire("free"),
                    held::renew,
                    held::verify,
                    held::release,
                    () -> hasty.resume(token),
                    () -> hasty.revoke("held", held.id()),
                    () -> hasty.inspect("held"));

            assertThat(calls)
                    .allSatisfy(each -> assertThat(catchThrowable(each)).isNotNull());
            assertThat(lost.release()).isEqualTo(ReleaseOutcome.LOST);
            assertThat(store.timeoutsOn(Thread.currentThread()))
                    .hasSizeGreaterThan(calls.size())
                    .allSatisfy(timeout -> assertThat(timeout).isLessThanOrEqualTo(call));
        }
    }

    /** A renewal in flight may take two seconds. */
    @Test
    void releaseAwaitsNoRenewalBeyondTheCallTimeout() {
        try (LockManager hasty = LockManager.builder(store)
                .heartbeatInterval(Duration.ofMillis(50))
                .callTimeout(Duration.ofMillis(50))
                .shutdownGrace(Duration.ZERO)
                .build()) {
            Lease lease = hasty.tryAcquire("job").orElseThrow();
            store.stall(false);
            await().until(() -> store.stuck() == 1);

            assertThat(catchThrowable(lease::release)).isInstanceOf(LockStoreException.class);

            assertThat(store.stuck()).isEqualTo(1);
        }
    }

    @Test
    void callersReturnWhenManagerCloses() throws Exception {
        store.stall(false);
        List<Future<Duration>> callers = call(CALLERS);
        await().until(() -> store.stuck() >= LockSettings.DEFAULTS.maxConcurrentRequests());

        Thread closer = new Thread(locks::close);
        closer.start();

        assertThat(longest(callers)).isLessThan(WAIT.plus(CALL).plus(SLACK));
        store.heal();
        closer.join();
    }

    /** In an outage, those that queue behind the first caller of a lock attempt when it has failed, not in turn. */
    @Test
    void callersOfOneNameFailTogether() throws Exception {
        store.stall(false);
        LockRequest patient = LockRequest.of("job").waitTime(Duration.ofMinutes(2));
        long started = System.nanoTime();

        List<Future<Throwable>> callers = new ArrayList<>();
        for (int i = 0; i < 15; i++) {
            callers.add(threads.submit(() -> catchThrowable(() -> locks.acquire(patient))));
        }

        for (Future<Throwable> caller : callers) {
            assertThat(caller.get()).isInstanceOf(LockStoreException.class);
        }
        assertThat(Duration.ofNanos(System.nanoTime() - started))
                .isLessThan(CALL.multipliedBy(3).plus(SLACK.dividedBy(2)));
    }

    @Test
    void hangingAttemptSlowsNoOtherCaller() throws Exception {
        AtomicInteger queued = new AtomicInteger();
        LockListener listener = new LockListener() {
            @Override
            public void onWaiting(LockState holder) {
                queued.incrementAndGet();
            }
        };
        try (LockManager patient = LockManager.builder(store)
                .listener(listener)
                .leaseDuration(Duration.ofHours(1))
                .attemptTimeout(Duration.ofMinutes(2))
                .callTimeout(Duration.ofMinutes(4))
                .shutdownGrace(Duration.ZERO)
                .build()) {
            LockRequest request = LockRequest.of("job").waitTime(Duration.ofMinutes(2));
            patient.acquire(request).release();
            store.stallNext();
            Future<?> hanging = threads.submit(() -> patient.acquire(request).release());
            await().until(() -> store.stuck() == 1);
            patient.acquire(request).release();

            for (int i = 0; i < 10; i++) {
                patient.acquire(request).release();
            }

            assertThat(queued).hasValue(1);
            store.heal();
            hanging.cancel(true);
        }
    }

    @Test
    void interruptedCallerReturnsWhenRequestTimesOut() throws Exception {
        assertThat(timeFromInterruptToEnd(false)).isLessThan(ATTEMPT.plus(SLACK));
    }

    @Test
    void interruptedCallerReturnsImmediatelyIfClientSupportsInterrupts() throws Exception {
        assertThat(timeFromInterruptToEnd(true)).isLessThan(SLACK);
    }

    private Duration timeFromInterruptToEnd(boolean heedsInterrupts) throws Exception {
        store.stall(heedsInterrupts);
        CompletableFuture<Boolean> knowsOfTheInterrupt = new CompletableFuture<>();
        Thread caller = new Thread(() -> {
            try {
                Lease unexpected = locks.acquire(LockRequest.of("job").waitTime(Duration.ofMinutes(5)));
                knowsOfTheInterrupt.completeExceptionally(new AssertionError(unexpected));
            } catch (InterruptedException interrupt) {
                knowsOfTheInterrupt.complete(true);
            } catch (LockStoreException lastAttempt) {
                knowsOfTheInterrupt.complete(Thread.currentThread().isInterrupted());
            }
        });
        caller.start();
        await().until(() -> store.stuck() > 0);

        long interrupted = System.nanoTime();
        caller.interrupt();

        assertThat(knowsOfTheInterrupt.get(TestRun.TIMEOUT.toSeconds(), TimeUnit.SECONDS))
                .isTrue();
        return Duration.ofNanos(System.nanoTime() - interrupted);
    }

    @Test
    void continuationsWaitingForLockBlockNobody() throws Exception {
        try (LockManager patient = LockManager.builder(store).build()) {
            continuationsThatWait(patient);
        }
    }

    private void continuationsThatWait(LockManager locks) throws Exception {
        Lease wanted = locks.tryAcquire("wanted").orElseThrow();
        List<CompletableFuture<Void>> chains = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            LockRequest request = LockRequest.of("job-" + i);
            chains.add(CompletableFuture.runAsync(() -> acquireInContinuation(locks, request, "wanted"), threads));
        }
        Future<?> other = threads.submit(() -> acquireAndRelease(locks, "free"));

        other.get(TestRun.TIMEOUT.toSeconds(), TimeUnit.SECONDS);
        assertThat(chains).noneMatch(CompletableFuture::isDone);
        wanted.release();

        CompletableFuture.allOf(chains.toArray(CompletableFuture[]::new))
                .get(TestRun.TIMEOUT.toSeconds(), TimeUnit.SECONDS);
    }

    private static void acquireInContinuation(LockManager locks, LockRequest first, String then) {
        locks.tryAcquireAsync(first)
                .thenAccept(lease -> {
                    acquireAndRelease(locks, then);
                    lease.orElseThrow().close();
                })
                .join();
    }

    private static void acquireAndRelease(LockManager locks, String name) {
        try {
            locks.acquire(LockRequest.of(name).waitTime(Duration.ofMinutes(10))).close();
        } catch (InterruptedException interrupt) {
            throw new AssertionError(interrupt);
        }
    }

    private List<Future<Duration>> call(int count) {
        List<Future<Duration>> callers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            LockRequest request = LockRequest.of("job-" + i).waitTime(WAIT);
            callers.add(threads.submit(timeToFailure(request)));
        }
        return callers;
    }

    private Callable<Duration> timeToFailure(LockRequest request) {
        return () -> {
            long started = System.nanoTime();
            try {
                throw new AssertionError(locks.tryAcquire(request));
            } catch (LockStoreException | LockManagerClosedException expected) {
                return Duration.ofNanos(System.nanoTime() - started);
            }
        };
    }

    private static Duration longest(List<Future<Duration>> callers) throws Exception {
        Duration longest = Duration.ZERO;
        for (Future<Duration> caller : callers) {
            longest = Durations.max(longest, caller.get(TestRun.TIMEOUT.toSeconds(), TimeUnit.SECONDS));
        }
        return longest;
    }
}
