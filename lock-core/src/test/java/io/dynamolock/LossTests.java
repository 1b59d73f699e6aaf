/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;
import static org.awaitility.Awaitility.await;

import io.dynamolock.FaultyStore.Fault;
import io.dynamolock.LeaseLost.Reason;
import io.dynamolock.LockListener.Operation;
import io.dynamolock.dynamodb.CapturedLogs;
import io.dynamolock.memory.InMemoryLockStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reports of lost leases: reason, recipients, thread and order. */
class LossTests {

    private static final Duration LEASE = Duration.ofSeconds(30);

    private final Node node = Node.alone();

    @Test
    void lossNamesTheFailureOfTheLastRenewal() {
        Lease lease = node.take("job");

        node.store.always(Fault.DENY);
        node.pass(Duration.ofMinutes(1));

        assertThat(node.events.losses)
                .singleElement()
                .extracting(LeaseLost::lastFailure, STRING)
                .contains("denied");
        assertThatThrownBy(lease::ensureHeld)
                .isInstanceOf(LeaseLostException.class)
                .hasMessageContainingAll(
                        "it was not renewed in time, as renewals failed, the last one with: ", "denied");
    }

    @Test
    void logOfLossTellsWhenTheLockWasAcquired() {
        try (CapturedLogs logs = new CapturedLogs()) {
            Lease lease = node.take("job");
            node.pass(Duration.ofSeconds(25));
            node.locks.forceRelease("job", lease.id());

            node.pass(Duration.ofSeconds(30));

            assertThat(logs.warnings())
                    .last(STRING)
                    .matches("Lost lock 'job' \\(owner '.+', token \\d+, acquired at %s\\): it was revoked"
                            .formatted(lease.acquiredAt()));
        }
    }

    @Test
    void lossDuringRenewalNamesTheFailureOfTheOneBefore() {
        Lease lease = node.take("job");

        node.store.next(Fault.DENY, Fault.first(() -> node.scheduler.passDuringTask(LEASE)));
        node.pass(Duration.ofSeconds(30));

        assertThat(node.events.losses)
                .singleElement()
                .extracting(LeaseLost::lastFailure, STRING)
                .contains("denied");
        assertThat(lease.isHeld()).isFalse();
    }

    @Test
    void lossAfterRenewalThatSucceededNamesNoFailure() {
        Lease lease = node.take("job");

        node.store.next(Fault.DENY);
        node.pass(Duration.ofSeconds(15));
        node.store.next(Fault.first(() -> node.scheduler.passDuringTask(LEASE)));
        node.pass(Duration.ofSeconds(15));

        assertThat(node.events.losses).singleElement().satisfies(loss -> {
            assertThat(loss.reason()).isEqualTo(Reason.UNREACHABLE);
            assertThat(loss.lastFailure()).isNull();
        });
        assertThat(lease.isHeld()).isFalse();
    }

    @Test
    void lossAfterPauseNamesNoFailure() {
        Lease lease = node.take("job");

        node.store.always(Fault.DENY);
        node.pass(Duration.ofSeconds(15));
        node.scheduler.freeze(Duration.ofMinutes(1));
        node.pass(Duration.ofSeconds(1));

        assertThat(node.events.losses).extracting(LeaseLost::lastFailure).containsExactly((String) null);
        assertThat(lease.isHeld()).isFalse();
    }

    /** A store that does not respond to renewals would not respond to a read. */
    @ParameterizedTest
    @ValueSource(longs = {15_001, 15_200})
    void lossAfterFailedRenewalNeedsNoRequest(long lateMillis) {
        Lease lease = node.take("job");
        node.store.always(Fault.LOSE_REQUEST);
        node.pass(Duration.ofSeconds(15));
        node.store.forget();

        node.scheduler.freeze(Duration.ofMillis(lateMillis));
        node.pass(Duration.ofMillis(1));

        assertThat(node.events.losses).extracting(LeaseLost::reason).containsExactly(Reason.UNREACHABLE);
        assertThat(node.store.operations()).isEmpty();
        assertThat(lease.isHeld()).isFalse();
    }

    @Test
    void pauseAfterFailedRenewalLearnsWhoTookTheLock() {
        Lease lease = node.take("job");
        node.store.next(Fault.LOSE_REQUEST);
        while (lease.state() != LeaseState.AT_RISK) {
            node.pass(Duration.ofMillis(100));
        }

        node.scheduler.freeze(Duration.ofMinutes(10));
        assertThat(node.rival().locks.tryAcquire("job")).isPresent();
        node.pass(Duration.ofMillis(1));

        assertThat(node.events.losses).extracting(LeaseLost::reason).containsExactly(Reason.TAKEN);
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.NOT_OWNED);
    }

    /** The row is free before the response to the release is known here. */
    @Test
    void ownLateReleaseIsNotRevocation() throws InterruptedException {
        Lease lease = node.take("job");
        node.scheduler.freeze(Duration.ofMinutes(1));
        CountDownLatch applied = new CountDownLatch(1);
        CountDownLatch answered = new CountDownLatch(1);
        Thread releasing = new Thread(lease::release);
        node.store.next(
                Fault.first(() -> {
                    releasing.start();
                    Latches.await(applied);
                }),
                Fault.then(() -> {
                    applied.countDown();
                    Latches.await(answered);
                }));

        node.pass(Duration.ofMillis(1));
        assertThat(node.events.losses).extracting(LeaseLost::reason).containsExactly(Reason.UNREACHABLE);
        answered.countDown();
        releasing.join(TestRun.TIMEOUT.toMillis());

        assertThat(node.events.losses).hasSize(1);
    }

    @Test
    void renewalRejectedByOwnLateReleaseIsNotRevocation() {
        Lease lease = node.take("job");
        node.store.next(Fault.first(() -> {
            node.time.pass(Duration.ofMinutes(1));
            lease.release();
        }));

        node.pass(Duration.ofSeconds(11));

        assertThat(node.events.losses).extracting(LeaseLost::reason).containsExactly(Reason.UNREACHABLE);
    }

    @Test
    void lossReasonUsesConsistentRead() {
        Lease lease = node.take("job");
        node.scheduler.freeze(Duration.ofMinutes(1));
        node.store.forget();

        node.pass(Duration.ofMillis(1));

        assertThat(lease.isHeld()).isFalse();
        assertThat(node.store.sent()).containsExactly(new FaultyStore.Sent(Operation.READ, true));
    }

    @Test
    void revocationBeforeLateReleaseIsReported() {
        Lease lease = node.take("job");
        node.rival().locks.revoke("job", lease.id());
        node.scheduler.freeze(Duration.ofMinutes(1));

        node.pass(Duration.ofMillis(1));

        assertThat(node.events.losses).extracting(LeaseLost::reason).containsExactly(Reason.REVOKED);
    }

    @Test
    void callbacksRunInRegistrationOrder() {
        Lease lease = node.take("job");
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            int number = i;
            lease.onLost(loss -> order.add(number));
        }
        node.store.always(Fault.DENY);

        node.pass(Duration.ofSeconds(35));

        assertThat(order).containsExactly(0, 1, 2, 3, 4);
    }

    @Test
    void lateCallbackRunsOnCallbackThread() throws Exception {
        InMemoryLockStore rows = new InMemoryLockStore();
        try (LockManager locks = LockManager.builder(rows).build()) {
            Lease lease = lose(locks, "job", loss -> {});
            BlockingQueue<Thread> threads = new LinkedBlockingQueue<>();

            lease.onLost(loss -> threads.add(Thread.currentThread()));

            Thread thread = threads.poll(TestRun.TIMEOUT.toSeconds(), TimeUnit.SECONDS);
            assertThat(thread).isNotNull().isNotSameAs(Thread.currentThread());
            assertThat(thread.getName()).contains("notify");
        }
    }

    @Test
    void callbackRegisteredAfterCloseStillRuns() {
        Lease lease = node.take("job");
        node.locks.close();
        List<Reason> reasons = new ArrayList<>();

        lease.onLost(loss -> reasons.add(loss.reason()));

        assertThat(reasons).containsExactly(Reason.CLOSED);
    }

    @Test
    void hangingCallbacksDoNotSuppressLaterLosses() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        BlockingQueue<String> calls = new LinkedBlockingQueue<>();
        LockListener listener = new LockListener() {
            @Override
            public void onLost(Lease lease, LeaseLost lost) {
                calls.add("listener " + lease.name());
            }
        };
        LockManager locks = LockManager.builder(new InMemoryLockStore())
                .listener(listener)
                .shutdownGrace(Duration.ZERO)
                .build();
        try {
            for (int i = 0; i < 4; i++) { // one for each callback thread
                lose(locks, "hangs-" + i, loss -> Latches.await(end));
            }

            lose(locks, "later", loss -> calls.add("action " + loss.name()));

            await().untilAsserted(() -> assertThat(calls).contains("listener later", "action later"));
        } finally {
            end.countDown();
            locks.close();
        }
    }

    @Test
    void lossCompletesStageAndRunsCallback() {
        Lease lease = node.take("job");
        List<LeaseLost> losses = new ArrayList<>();
        lease.onLost(losses::add);
        CompletionStage<LeaseLost> lost = lease.lost();
        node.scheduler.freeze(Duration.ofMinutes(1));

        node.pass(Duration.ofMillis(1));

        assertThat(losses).hasSize(1);
        assertThat(lost.toCompletableFuture()).isCompletedWithValue(losses.get(0));
    }

    @Test
    void repeatedLossQueriesCostNothing() {
        Lease lease = node.take("job");

        assertThat((Object) lease.lost()).isSameAs(lease.lost());
    }

    /** Acquires a lease and frees it by force; its renewal detects the loss. */
    private static Lease lose(LockManager locks, String name, Consumer<LeaseLost> action) {
        Lease lease = locks.tryAcquire(name).orElseThrow();
        lease.onLost(action);
        locks.forceRelease(name, lease.id());
        try {
            lease.renew();
            throw new AssertionError("The renewal was not rejected");
        } catch (LeaseLostException expected) {
            return lease;
        }
    }

    @Test
    void lossByAnUnknownChangeClaimsNoTakeover() {
        LeaseLost loss = new LeaseLost("job", "me", LeaseLost.Reason.TAKEN, Instant.EPOCH, null);

        assertThat(loss.describe()).isEqualTo("it was taken over, or its row was changed by something else");
    }
}
