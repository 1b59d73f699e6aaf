/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.dynamolock.coordination.MultiLease;
import io.dynamolock.coordination.MultiLock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** A loss that was known before a release, of one of several leases or handles. */
class LossOfSeveralTests {

    private static final LockRequest BOTH = LockRequest.ofAll(List.of("a", "b"));
    private static final LockRequest JOB = LockRequest.of("job").reentrant(true);

    private final Node node = Node.alone();

    @Test
    void reachesCallerWhoseWorkReleasedAnotherLock() {
        assertLoss("b", BOTH, all -> {
            release(all.leases().get(0));
            lose(all.leases().get(1));
        });
        assertLoss("a", BOTH, all -> {
            lose(all.leases().get(0));
            release(all.leases().get(1));
        });
        assertLoss("b", BOTH.reentrant(true), all -> {
            release(all.leases().get(0));
            lose(all.leases().get(1));
        });
    }

    @Test
    void reachesCallerWhoseWorkReleasedItsReentrantHandleAfterwards() throws InterruptedException {
        Consumer<Lease> work = lease -> {
            lose(lease);
            release(lease);
        };

        assertLoss("job", JOB, work);
        try (Lease outer = node.locks.acquire(JOB)) {
            assertLoss("job", JOB, work);
            assertLost(outer);
        }
    }

    @Test
    void reachesCallerOfAsynchronousWork() throws InterruptedException {
        Lease all = node.locks.acquire(BOTH);
        release(all.leases().get(0));
        lose(all.leases().get(1));

        assertThat(LeasedWork.endAsync(all, null).toCompletableFuture())
                .failsWithin(TestRun.TIMEOUT)
                .withThrowableThat()
                .withCauseInstanceOf(LeaseLostException.class);
    }

    @Test
    void isNoneOfHandleThatWasReleasedBefore() throws Exception {
        Lease outer = node.locks.acquire(JOB);

        Lease inner = node.locks.call(JOB, lease -> {
            release(lease);
            lose(outer);
            return lease;
        });

        assertReleased(inner);
        assertLost(outer);
    }

    @Test
    void isSeenInAllLeasesOfGroup() throws InterruptedException {
        Lease all = node.locks.acquire(BOTH);
        release(all.leases().get(0));
        assertReleased(all);

        lose(all.leases().get(1));

        assertLost(all);
    }

    @Test
    void isSeenInLeaseOfMultiLock() {
        MultiLease all = MultiLock.of(node.locks, List.of(LockRequest.of("a"), LockRequest.of("b")))
                .tryAcquire()
                .orElseThrow();
        release(all.leases().get(0));
        assertThatIllegalStateException().isThrownBy(all::ensureHeld).withMessageContaining("'a'");

        lose(all.leases().get(1));

        assertThatExceptionOfType(LeaseLostException.class)
                .isThrownBy(all::ensureHeld)
                .withMessageContaining("'b'");
    }

    @Test
    void foundByReleaseIsSeenAfterwards() throws InterruptedException {
        Lease lease = node.take("single");
        Lease handle = node.locks.acquire(JOB);
        for (Lease one : List.of(lease, handle)) {
            free(one);
            assertThat(one.release()).isEqualTo(ReleaseOutcome.ALREADY_GONE);
        }

        assertLost(lease);
        assertLost(handle);
    }

    @Test
    void foundByReleaseIsNoneOfHandleThatWasReleasedBefore() throws Exception {
        Lease outer = node.locks.acquire(JOB);

        String result = node.locks.call(JOB, inner -> {
            release(inner);
            free(outer);
            assertThat(outer.release()).isEqualTo(ReleaseOutcome.ALREADY_GONE);
            return "result";
        });

        assertThat(result).isEqualTo("result");
        assertLost(outer);
    }

    @Test
    void isNotReportedToHandleThatWasReleasedBefore() throws Exception {
        List<String> reported = new CopyOnWriteArrayList<>();
        Lease outer = node.locks.acquire(JOB);
        Lease inner = node.locks.acquire(JOB);
        CompletionStage<LeaseLost> lostInner = inner.lost();
        inner.onLost(loss -> reported.add("inner"));
        outer.onLost(loss -> reported.add("outer"));

        release(inner);
        lose(outer);
        Awaitility.await().untilAsserted(() -> assertThat(reported).contains("outer"));

        assertThat(reported).containsExactly("outer");
        assertThat(outer.lost()).isCompleted();
        assertThat(lostInner).isNotCompleted();
        assertThat((Object) inner.lost()).isSameAs(lostInner);
    }

    private void assertLoss(String name, LockRequest request, Consumer<Lease> work) {
        assertThatExceptionOfType(LeaseLostException.class)
                .isThrownBy(() -> node.locks.call(request, lease -> {
                    work.accept(lease);
                    return "result";
                }))
                .satisfies(lost -> assertThat(lost.lockName()).isEqualTo(name))
                .satisfies(lost -> assertThat(lost.loss()).isNotNull());
        assertThatExceptionOfType(LeaseLostException.class)
                .isThrownBy(() -> node.locks.tryCall(request, lease -> {
                    work.accept(lease);
                    return "result";
                }));
    }

    private static void assertLost(Lease lease) {
        assertThat(lease.state()).isEqualTo(LeaseState.LOST);
        assertThat(lease.isHeld()).isFalse();
        assertThatExceptionOfType(LeaseLostException.class)
                .isThrownBy(lease::ensureHeld)
                .satisfies(lost -> assertThat(lost.loss()).isNotNull());
        assertThatExceptionOfType(LeaseLostException.class).isThrownBy(lease::renew);
    }

    private static void assertReleased(Lease lease) {
        assertThat(lease.state()).isEqualTo(LeaseState.RELEASED);
        assertThat(lease.isHeld()).isFalse();
        assertThatIllegalStateException().isThrownBy(lease::ensureHeld);
    }

    private static void release(Lease lease) {
        var unused = lease.release();
    }

    /** Frees a lock by force, and lets its holder detect that. */
    private void lose(Lease lease) {
        free(lease);
        node.pass(Duration.ofSeconds(15));
    }

    private void free(Lease lease) {
        assertThat(node.rival().locks.forceRelease(lease.name(), lease.id())).isTrue();
    }
}
