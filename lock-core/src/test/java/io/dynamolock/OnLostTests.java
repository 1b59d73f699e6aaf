/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.dynamolock.FaultyStore.Fault;
import io.dynamolock.LeaseLost.Reason;
import io.dynamolock.memory.InMemoryLockStore;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Reactions to a lost lease: interrupt of the work, or shutdown of the application. */
class OnLostTests {

    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final LockRequest INTERRUPTING = LockRequest.of("job").onLost(OnLost.INTERRUPT);
    private static final LockRequest ENDING = LockRequest.of("job").onLost(OnLost.SHUTDOWN);

    private final Node node = Node.alone();
    private boolean interrupted;

    @AfterEach
    void leaveNoInterruptBehind() {
        boolean mine = Thread.interrupted();
        assertThat(mine).isFalse();
    }

    @Test
    void interruptsWorkingThread() {
        runUntilLost(INTERRUPTING, () -> {
            loseTheLock();
            interrupted = Thread.interrupted();
        });

        assertThat(interrupted).isTrue();
    }

    @Test
    void interruptsThreadOfCall() {
        assertThatThrownBy(() -> node.locks.call(INTERRUPTING, lease -> {
                    loseTheLock();
                    Thread.sleep(10_000);
                    return lease.name();
                }))
                .isInstanceOf(LeaseLostException.class)
                .hasSuppressedException(new InterruptedException("sleep interrupted"));
    }

    @Test
    void interruptsNothingByDefault() {
        runUntilLost(LockRequest.of("job"), () -> {
            loseTheLock();
            interrupted = Thread.interrupted();
        });

        assertThat(node.events.losses).hasSize(1);
        assertThat(interrupted).isFalse();
    }

    @Test
    void usesManagerDefaultUnlessRequestOverridesIt() throws Exception {
        Node interrupting = Node.alone(onLost(OnLost.INTERRUPT));

        runUntilLost(interrupting, LockRequest.of("job"), () -> {
            loseTheLock(interrupting, "job");
            interrupted = Thread.interrupted();
        });
        assertThat(interrupted).isTrue();
        interrupting.locks.tryRun(LockRequest.of("other").onLost(OnLost.EVENT), () -> {
            loseTheLock(interrupting, "other");
            interrupted = Thread.interrupted();
        });

        assertThat(interrupted).isFalse();
    }

    @Test
    void interruptsImmediatelyBeforeReasonIsKnown() {
        runUntilLost(INTERRUPTING, () -> {
            node.store.next(request -> {
                interrupted = Thread.interrupted();
                return new LockStore.Response(true, null, null);
            });
            node.scheduler.freeze(LEASE.multipliedBy(2));
            node.pass(Duration.ofSeconds(1));
        });

        assertThat(node.events.losses).extracting(LeaseLost::reason).containsExactly(Reason.DELETED);
        assertThat(interrupted).isTrue();
    }

    @Test
    void interruptedWorkFindsItsLeaseLost() throws Exception {
        assertThat(stateWhenInterrupted(this::loseTheLock)).isCompletedWithValue(LeaseState.LOST);
        assertThat(stateWhenInterrupted(() -> {
                    node.store.always(Fault.LOSE_REQUEST);
                    node.pass(LEASE);
                }))
                .isCompletedWithValue(LeaseState.LOST);
    }

    private CompletableFuture<LeaseState> stateWhenInterrupted(Runnable loss) throws Exception {
        CompletableFuture<Lease> working = new CompletableFuture<>();
        CompletableFuture<LeaseState> whenInterrupted = new CompletableFuture<>();
        Callable<Boolean> work = () -> node.locks.call(INTERRUPTING, lease -> {
            working.complete(lease);
            whenInterrupted.join();
            return true;
        });
        Thread worker = new Thread(() -> assertThatThrownBy(work::call).isInstanceOf(LeaseLostException.class)) {
            @Override
            public void interrupt() {
                whenInterrupted.complete(working.join().state());
            }
        };
        worker.start();
        working.join();

        loss.run();

        worker.join(TestRun.TIMEOUT.toMillis());
        return whenInterrupted;
    }

    @Test
    void clearsInterruptThatWorkDidNotNotice() {
        runUntilLost(INTERRUPTING, this::loseTheLock);

        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void keepsForeignInterrupt() throws Exception {
        node.locks.tryRun(INTERRUPTING, () -> Thread.currentThread().interrupt());

        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void doesNotInterruptThreadAfterItsWork() throws Exception {
        Lease lease = node.locks.acquire(INTERRUPTING.autoRenew(false));
        LeasedWork.call(lease, held -> held.fencingToken());

        node.pass(LEASE.multipliedBy(2));

        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void doesNotInterruptWorkThatReleasedItsLock() throws Exception {
        node.locks.call(INTERRUPTING, lease -> {
            lease.release();
            node.pass(LEASE.multipliedBy(2));
            interrupted = Thread.interrupted();
            return lease.name();
        });

        assertThat(interrupted).isFalse();
    }

    @Test
    void doesNotInterruptCallerOfAcquire() throws Exception {
        try (Lease lease = node.locks.acquire(INTERRUPTING)) {
            loseTheLock();
            interrupted = Thread.interrupted();
            assertThat(lease.isHeld()).isFalse();
        }

        assertThat(interrupted).isFalse();
    }

    @Test
    void nestedWorkEndsWithOuterWork() {
        LockRequest again = INTERRUPTING.reentrant(true);

        runUntilLost(again, () -> {
            runUntilLost(again, this::loseTheLock);
            interrupted = Thread.interrupted();
        });

        assertThat(interrupted).isTrue();
    }

    @Test
    void workStartedAfterLossIsInterruptedImmediately() throws Exception {
        Lease lease = node.locks.acquire(INTERRUPTING);
        loseTheLock();

        assertThatThrownBy(() -> LeasedWork.run(lease, () -> interrupted = Thread.interrupted()))
                .isInstanceOf(LeaseLostException.class);

        assertThat(interrupted).isTrue();
    }

    @Test
    void firstLossShutsDownApplicationOnce() throws Exception {
        node.locks.acquire(ENDING);
        node.locks.acquire(ENDING.name("other"));

        loseTheLock(node, "job");
        loseTheLock(node, "other");

        LeaseLost loss = node.emergencies.poll(TestRun.TIMEOUT.toSeconds(), TimeUnit.SECONDS);
        assertThat(loss).isNotNull();
        assertThat(loss.name()).isEqualTo("job");
        assertThat(loss.reason()).isEqualTo(Reason.REVOKED);
        assertThat(node.events.losses).hasSize(2);
        assertThat(node.emergencies.poll(100, TimeUnit.MILLISECONDS)).isNull();
    }

    @Test
    void shutdownDoesNotWaitForCallbacks() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        BlockingQueue<LeaseLost> ended = new LinkedBlockingQueue<>();
        try (LockManager locks = LockManager.builder(new InMemoryLockStore())
                .shutdownAction(ended::add)
                .shutdownGrace(Duration.ZERO)
                .build()) {
            Lease lease = locks.acquire(ENDING);
            lease.onLost(loss -> Latches.await(end));
            locks.forceRelease("job", lease.id());
            assertThatThrownBy(lease::renew).isInstanceOf(LeaseLostException.class);

            assertThat(ended.poll(TestRun.TIMEOUT.toSeconds(), TimeUnit.SECONDS))
                    .isNotNull();
            end.countDown();
        }
    }

    @Test
    void shutdownStartsBeforeOtherCallbacks() throws InterruptedException {
        Lease lease = node.locks.acquire(ENDING);
        lease.onLost(loss -> node.events.all.add("callback"));
        node.locks.forceRelease("job", lease.id());

        assertThatThrownBy(lease::renew).isInstanceOf(LeaseLostException.class);

        assertThat(node.events.all).containsExactly("acquired job", "shutdown", "lost job", "callback");
    }

    @Test
    void endOfInnerWorkKeepsInterruptOfOuterWork() {
        LockRequest inner = INTERRUPTING.name("inner");

        runUntilLost(INTERRUPTING, () -> {
            runUntilLost(inner, () -> {
                loseTheLock(node, "job");
                loseTheLock(node, "inner");
            });
            interrupted = Thread.interrupted();
        });

        assertThat(interrupted).isTrue();
    }

    @Test
    void outerWorkIsInterruptedAgainAfterInnerWorkNoticed() {
        boolean[] noticed = {false};

        runUntilLost(INTERRUPTING, () -> {
            runUntilLost(INTERRUPTING.name("inner"), () -> {
                loseTheLock(node, "inner");
                loseTheLock(node, "job");
                noticed[0] = Thread.interrupted();
            });
            interrupted = Thread.interrupted();
        });

        assertThat(noticed).containsExactly(true);
        assertThat(interrupted).isTrue();
    }

    @Test
    void clearsInterruptAfterOutermostWork() {
        runUntilLost(
                INTERRUPTING,
                () -> runUntilLost(INTERRUPTING.name("inner"), () -> {
                    loseTheLock(node, "inner");
                    loseTheLock(node, "job");
                }));

        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void keepsForeignInterruptInNestedWork() {
        runUntilLost(INTERRUPTING, () -> {
            Thread.currentThread().interrupt();
            loseTheLock();
        });

        assertThat(Thread.interrupted()).isTrue();
    }

    private void runUntilLost(LockRequest request, Runnable work) {
        runUntilLost(node, request, work);
    }

    /** Runs work whose loss reaches its caller. */
    private static void runUntilLost(Node node, LockRequest request, Runnable work) {
        assertThatThrownBy(() -> node.locks.tryRun(request, work)).isInstanceOf(LeaseLostException.class);
    }

    @Test
    void managerCloseDoesNotTriggerShutdown() throws Exception {
        Node closing = Node.alone();

        runUntilLost(closing, ENDING, closing.locks::close);

        assertThat(closing.events.losses).extracting(LeaseLost::reason).containsExactly(Reason.CLOSED);
        assertThat(closing.emergencies.poll(100, TimeUnit.MILLISECONDS)).isNull();
    }

    @Test
    void lossDuringManagerCloseTriggersShutdown() throws Exception {
        Node closing = Node.alone(Node.settingsWith(
                builder -> builder.settings(Node.settings(LEASE)).shutdownGrace(LEASE)));
        closing.locks.acquire(ENDING);
        Thread closer = new Thread(closing.locks::close);
        closer.start();
        await().until(() -> closer.getState() == Thread.State.TIMED_WAITING);

        loseTheLock(closing, "job");
        closer.join(TestRun.TIMEOUT.toMillis());

        LeaseLost loss = closing.emergencies.poll(TestRun.TIMEOUT.toSeconds(), TimeUnit.SECONDS);
        assertThat(loss).isNotNull();
        assertThat(loss.reason()).isEqualTo(Reason.REVOKED);
    }

    @Test
    void doesNotShutDownByDefault() throws Exception {
        node.locks.acquire(LockRequest.of("job"));

        loseTheLock();

        assertThat(node.emergencies.poll(100, TimeUnit.MILLISECONDS)).isNull();
    }

    private void loseTheLock() {
        loseTheLock(node, "job");
    }

    /** Frees the lock by force; the next renewal of its holder detects it. */
    private static void loseTheLock(Node of, String name) {
        of.rival()
                .locks
                .forceRelease(
                        name, String.valueOf(Node.row(of.store.rows(), name).leaseId()));
        of.pass(LEASE.dividedBy(2));
        assertThat(of.events.losses).extracting(LeaseLost::name).contains(name);
    }

    private static LockSettings onLost(OnLost onLost) {
        return Node.settingsWith(
                builder -> builder.settings(Node.settings(LEASE)).onLost(onLost));
    }

    @Test
    void nestedWorkUnderOneLeaseIsInterruptedOnce() {
        LeasedThreads lost = new LeasedThreads();
        LeasedThread thread = LeasedThread.enter();
        try {
            thread.interrupt(lost);
            assertThat(Thread.interrupted()).isTrue();

            thread.interrupt(lost);

            assertThat(Thread.interrupted()).isFalse();
        } finally {
            thread.leave();
        }
    }
}
