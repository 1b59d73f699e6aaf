/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ReentrancyTests {

    private final Node node = Node.alone();
    private final LockRequest request = LockRequest.of("job").reentrant(true);

    @Test
    void detachedLeaseIsForgottenWithItsHandlesOpen() throws InterruptedException {
        Lease handle = node.locks.acquire(request);
        assertThat(node.registry.holds.size()).isOne();

        LeaseToken token = handle.detach();

        assertThat(node.registry.holds.size()).isZero();
        node.rival().locks.resume(token).close();
    }

    @Test
    void leaseThatIsLeftToExpireIsForgotten() throws InterruptedException {
        Lease left = node.locks.acquire(request.autoRenew(false));

        node.pass(Duration.ofMinutes(1));

        assertThat(left.state()).isEqualTo(LeaseState.LOST);
        assertThat(node.registry.holds.size()).isZero();
    }

    @Test
    void leaseThatEndsBeforeItsHoldIsRegisteredIsForgotten() {
        HeldLease lease = (HeldLease) node.take("job");
        lease.release();

        Lease handle = node.registry.holds.register("job", lease);

        assertThat(handle.isHeld()).isFalse();
        assertThat(node.registry.holds.size()).isZero();
    }

    @Test
    void sameThreadGetsSameLeaseWithoutRequest() throws InterruptedException {
        Lease outer = node.locks.acquire(request);
        node.store.forget();

        node.pass(Duration.ofSeconds(5));
        Lease inner = node.locks.acquire(request);

        assertThat(inner.fencingToken()).isEqualTo(outer.fencingToken());
        assertThat(inner.age()).isEqualTo(outer.age()).isEqualTo(Duration.ofSeconds(5));
        assertThat(inner.id()).isEqualTo(outer.id());
        assertThat(node.store.operations()).isEmpty();
    }

    @Test
    void lossReachesWorkOfEachRequestByItsOwnPolicy() throws Exception {
        LockRequest both = LockRequest.ofAll(List.of("job", "other")).reentrant(true);

        String result = node.locks.call(request.onLost(OnLost.EVENT), outer -> {
            assertThatExceptionOfType(LeaseLostException.class)
                    .isThrownBy(() ->
                            node.locks.call(both, inner -> lose(inner.leases().get(1))))
                    .withMessageContaining("other");
            assertThatExceptionOfType(LeaseLostException.class)
                    .isThrownBy(() -> node.locks.call(request, this::lose))
                    .withMessageContaining("job");
            return "only notified";
        });

        assertThat(result).isEqualTo("only notified");
    }

    private String lose(Lease lease) {
        node.locks.forceRelease(lease.name(), lease.id());
        node.pass(Duration.ofSeconds(15));
        return "lost";
    }

    @Test
    void closingManagerStillAllowsReentry() throws InterruptedException {
        Lease outer = node.locks.acquire(request);
        boolean open = node.registry.markClosed();

        try (Lease inner = node.locks.acquire(request)) {
            assertThat(open).isTrue();
            assertThat(inner.fencingToken()).isEqualTo(outer.fencingToken());
        }
    }

    @Test
    void lastCloseReleases() throws InterruptedException {
        Lease outer = node.locks.acquire(request);
        Lease inner = node.locks.acquire(request);

        inner.close();
        inner.close();
        boolean stillHeld = outer.isHeld() && !inner.isHeld();
        boolean rowTaken = !node.row("job").isFree();
        outer.close();

        assertThat(stillHeld).isTrue();
        assertThat(rowTaken).isTrue();
        assertThat(node.row("job").isFree()).isTrue();
        assertThatIllegalStateException().isThrownBy(inner::ensureHeld);
    }

    @Test
    void textOfHandleHasItsOwnState() throws InterruptedException {
        Lease outer = node.locks.acquire(request);
        Lease inner = node.locks.acquire(request);

        inner.close();

        assertThat(inner).asString().contains("RELEASED");
        assertThat(outer).asString().contains("HELD");
    }

    @Test
    void lastReleaseReleases() throws InterruptedException {
        Lease outer = node.locks.acquire(request);
        Lease inner = node.locks.acquire(request);

        assertThat(inner.release()).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(node.row("job").isFree()).isFalse();
        assertThat(outer.release()).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(node.row("job").isFree()).isTrue();
        node.store.forget();
        assertThat(outer.release()).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(inner.release()).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(node.store.operations()).isEmpty();
    }

    @Test
    @Tag("scaled")
    void concurrentReleasesHideNoFailure() throws Exception {
        for (int i = 0; i < Scale.of(500, 3_000); i++) {
            Lease lease = node.locks.acquire(request);
            node.store.next(FaultyStore.Fault.DENY);
            CyclicBarrier start = new CyclicBarrier(2);
            Thread other = new Thread(() -> releaseWith(start, lease));
            other.start();
            releaseWith(start, lease);
            other.join(TestRun.TIMEOUT.toMillis());
            node.store.heal();

            assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
            assertThat(node.row("job").isFree()).isTrue();
        }
    }

    private static void releaseWith(CyclicBarrier start, Lease lease) {
        try {
            start.await();
            lease.release();
        } catch (LockStoreException denied) {
            // one of them gets the failure
        } catch (InterruptedException | BrokenBarrierException unexpected) {
            throw new AssertionError(unexpected);
        }
    }

    @Test
    void otherThreadIsRejected() throws Exception {
        node.locks.acquire(request);

        Optional<Lease> other = CompletableFuture.supplyAsync(() -> node.locks.tryAcquire("job"))
                .get(TestRun.TIMEOUT.toSeconds(), TimeUnit.SECONDS);

        assertThat(other).isEmpty();
    }

    @Test
    void requiresBothRequestsToBeReentrant() throws InterruptedException {
        node.locks.acquire(request);

        assertThat(node.locks.tryAcquire("job")).isEmpty();

        node.take("plain");
        assertThat(node.locks.tryAcquire(LockRequest.of("plain").reentrant(true)))
                .isEmpty();
    }

    @Test
    void lostLeaseIsAcquiredAnew() throws InterruptedException {
        Lease lost = node.locks.acquire(request.autoRenew(false));
        node.scheduler.freeze(Duration.ofSeconds(32));

        Lease anew = node.locks.acquire(request);

        assertThat(anew.fencingToken()).isGreaterThan(lost.fencingToken());
        lost.close();
        assertThat(anew.isHeld()).isTrue();
        assertThat(node.row("job").leaseId()).isEqualTo(anew.id());
        assertThat(node.locks.tryAcquire(request)).isPresent();
    }

    @Test
    void releasedHoldHasNoFurtherEffect() throws InterruptedException {
        Lease outer = node.locks.acquire(request);
        Lease inner = node.locks.acquire(request);
        inner.close();
        node.store.forget();

        assertThatIllegalStateException().isThrownBy(inner::renew);
        assertThatIllegalStateException().isThrownBy(() -> inner.renew(Duration.ofSeconds(5)));
        assertThatIllegalStateException().isThrownBy(inner::detach);
        assertThat(inner.verify()).isFalse();
        assertThat(inner.remaining()).isZero();
        assertThat(inner.state()).isEqualTo(LeaseState.RELEASED);
        assertThat(node.store.operations()).isEmpty();
        assertThat(outer.isHeld()).isTrue();
    }

    @Test
    void keepsNoCallbackOfHandleReleasedBeforeOthers() throws InterruptedException {
        Lease outer = node.locks.acquire(request);

        List<WeakReference<Object>> callbacks = callbacksOfReleasedHandle();

        await().until(() -> {
            System.gc();
            return callbacks.stream().allMatch(callback -> callback.get() == null);
        });
        assertThat(outer.isHeld()).isTrue();
    }

    private List<WeakReference<Object>> callbacksOfReleasedHandle() throws InterruptedException {
        try (Lease inner = node.locks.acquire(request)) {
            Consumer<Object> onLost = new AtomicReference<>()::set;
            Consumer<Object> onAtRisk = new AtomicReference<>()::set;
            Consumer<Object> atEnd = new AtomicReference<>()::set;
            inner.onLost(onLost::accept);
            inner.onAtRisk(onAtRisk::accept);
            var unused = inner.lost().thenAccept(atEnd);
            return List.of(new WeakReference<>(onLost), new WeakReference<>(onAtRisk), new WeakReference<>(atEnd));
        }
    }

    @Test
    void keepsNoThreadStateAfterRelease() throws InterruptedException {
        Thread thread = new Thread(() -> {
            try {
                node.locks.acquire(request).release();
            } catch (InterruptedException unexpected) {
                throw new IllegalStateException(unexpected);
            }
        });
        WeakReference<Thread> ended = new WeakReference<>(thread);
        thread.start();
        thread.join();
        thread = null;

        await().until(() -> {
            System.gc();
            return ended.get() == null;
        });
    }
}
