/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynamolock.FaultyStore.Fault;
import io.dynamolock.memory.InMemoryLockStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Which work in progress a closing manager waits for, given the thread that closes it. */
class ClosingWaitTests {

    private final Node node = Node.alone();

    /** Whether a manager waits that is closed during a request, by its thread and by another one. */
    private final List<Boolean> waits = new ArrayList<>();

    @Test
    void releaseWithoutThreadOrOnAnotherIsAwaited() throws Exception {
        Lease lease = node.take("job");
        lease.release();

        node.registry.releaseRequested(lease);
        assertThat(node.registry.holdsNothing()).isFalse();
        node.registry.releaseBegun(lease);
        assertThat(node.registry.holdsNothing()).isTrue();
        assertThat(onAnotherThread(node.registry::holdsNothing)).isFalse();
    }

    @Test
    void releaseThatAnotherThreadRepeatsIsAwaited() throws Exception {
        Lease lease = node.take("job");
        node.registry.releaseBegun(lease);
        beginReleaseOnAnotherThread(lease);

        node.registry.releaseEnded(lease);

        assertThat(node.registry.isOwnLease(lease.id())).isTrue();
        assertThat(node.registry.isSettled()).isFalse();
    }

    @Test
    void releaseDuringDetachOfAnotherThreadIsAwaited() throws Exception {
        Lease lease = node.take("job");
        beginReleaseOnAnotherThread(lease);

        lease.detach();

        assertThat(node.registry.isSettled()).isFalse();
    }

    @Test
    void acquisitionIsAwaitedByOtherThreadsOnly() {
        node.store.next(Fault.then(this::recordWaits));
        node.take("job");

        node.store.next(Fault.then(this::recordWaits));
        CompletableFuture<Optional<Lease>> acquired = node.locks.tryAcquireAsync(LockRequest.of("other"));
        node.pass(Duration.ZERO);

        assertThat(acquired).isCompleted();
        assertThat(waits).containsExactly(false, true, false, true);
    }

    @Test
    void asynchronousAcquisitionBetweenTwoRequestsIsAwaited() {
        Node rival = node.rival();
        rival.take("job");
        CompletableFuture<Optional<Lease>> waiting =
                node.locks.tryAcquireAsync(LockRequest.of("job").waitTime(Duration.ofSeconds(10)));
        node.pass(Duration.ofSeconds(1));

        assertThat(waiting).isNotDone();
        assertThat(node.registry.isSettled()).isFalse();
    }

    @Test
    void renewalIsAwaitedByOtherThreadsOnly() {
        HeldLease lease = (HeldLease) node.take("job");
        node.store.next(Fault.then(() -> recordWaitsFor(List.of(lease))));

        lease.renew();

        assertThat(waits).containsExactly(false, true);
    }

    @Test
    void undoIsAwaitedByOtherThreadsOnly() {
        node.store.always(Fault.LOSE_REQUEST);
        assertThatThrownBy(() -> node.take("job")).isInstanceOf(LockStoreException.class);
        node.store.heal();
        node.store.next(Fault.then(this::recordWaits));

        node.pass(Duration.ofSeconds(1));

        assertThat(waits).containsExactly(false, true);
        assertThat(node.acquire.undo().isSettled()).isTrue();
    }

    @Test
    void eachOfSeveralManagersIsClosedByTheThreadThatReleasesItsLease() {
        assertThat(closedWhen(Lease::close)).succeedsWithin(TestRun.TIMEOUT);
        assertThat(closedWhen(Lease::closeAsync)).succeedsWithin(TestRun.TIMEOUT);
    }

    @Test
    void eachOfSeveralManagersIsClosedByItsCallbackWithoutInterrupt() {
        assertThat(closedWhen(lease -> ((HeldLease) lease).lose(LeaseLost.Reason.TAKEN)))
                .succeedsWithin(TestRun.TIMEOUT)
                .isEqualTo(false);
    }

    @Test
    void oneOfSeveralManagersIsClosedByTheThreadThatRenewsItsLease() {
        Node other = node.rival();
        Lease lease = node.take("job");
        Closing closing = new Closing(List.of(other.locks, node.locks), unused -> new Thread());
        node.store.next(Fault.then(closing::run));

        assertThatThrownBy(lease::renew).isInstanceOf(LeaseLostException.class);

        assertThat(node.registry.isClosed()).isTrue();
        assertThat(other.registry.isClosed()).isFalse();
    }

    /** Returns whether the thread of a listener was interrupted as it closed two managers; the second has called it. */
    private static CompletableFuture<Boolean> closedWhen(Consumer<Lease> end) {
        LockManagerBuilder patient =
                LockManager.builder(new InMemoryLockStore()).shutdownGrace(Duration.ofMinutes(10));
        CompletableFuture<Boolean> closed = new CompletableFuture<>();
        List<LockManager> managers = new CopyOnWriteArrayList<>();
        LockListener closing = new LockListener() {
            @Override
            public void onReleased(Lease lease, ReleaseOutcome outcome, Duration took) {
                LockManagers.closeAll(managers);
                closed.complete(Thread.interrupted());
            }

            @Override
            public void onLost(Lease lease, LeaseLost lost) {
                onReleased(lease, ReleaseOutcome.LOST, Duration.ZERO);
            }
        };
        managers.add(patient.build());
        managers.add(patient.listener(closing).build());
        Lease lease = managers.get(1).tryAcquire("job").orElseThrow();
        new Thread(() -> end.accept(lease)).start();
        return closed;
    }

    private void recordWaits() {
        recordWaitsFor(List.of());
    }

    private void recordWaitsFor(List<HeldLease> open) {
        Shutdown shutdown = new Shutdown(node.context, node.registry, node.acquire.undo());
        waits.add(!shutdown.isSettled(open));
        waits.add(!onAnotherThread(() -> shutdown.isSettled(open)));
    }

    private void beginReleaseOnAnotherThread(Lease lease) {
        onAnotherThread(() -> {
            node.registry.releaseBegun(lease);
            return true;
        });
    }

    private static boolean onAnotherThread(BooleanSupplier action) {
        return CompletableFuture.supplyAsync(action::getAsBoolean)
                .orTimeout(TestRun.TIMEOUT.toSeconds(), TimeUnit.SECONDS)
                .join();
    }
}
