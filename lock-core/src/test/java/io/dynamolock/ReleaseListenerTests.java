/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.dynamolock.FaultyStore.Fault;
import io.dynamolock.LockListener.Operation;
import io.dynamolock.memory.InMemoryLockStore;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A listener that releases the lease again in its release callback. */
class ReleaseListenerTests {

    private final FaultyStore store = new FaultyStore(new InMemoryLockStore());
    private final List<ReleaseOutcome> outcomes = new CopyOnWriteArrayList<>();
    private final ExecutorService thread = Executors.newSingleThreadExecutor(action -> {
        Thread daemon = new Thread(action);
        daemon.setDaemon(true);
        return daemon;
    });

    @AfterEach
    void end() {
        thread.shutdownNow();
    }

    private Lease leaseWith(LockListener listener) {
        LockManager locks = LockManager.builder(store)
                .time(LeaseTime.SYSTEM)
                .listener(listener)
                .build();
        Lease lease = locks.tryAcquire("job").orElseThrow();
        store.forget();
        return lease;
    }

    private CompletableFuture<ReleaseOutcome> released(Lease lease) {
        return CompletableFuture.supplyAsync(lease::release, thread);
    }

    /** On the thread that releases: it would wait for itself. */
    @Test
    void releaseDuringTheRequestOfTheReleaseIsRejected() {
        AtomicReference<Lease> held = new AtomicReference<>();
        List<Throwable> thrown = new CopyOnWriteArrayList<>();
        Lease lease = leaseWith(new LockListener() {
            @Override
            public void onRequest(String name, Operation operation, RequestOutcome outcome) {
                if (operation == Operation.RELEASE) {
                    thrown.add(catchThrowable(
                            () -> Objects.requireNonNull(held.get()).release()));
                }
            }
        });
        held.set(lease);

        assertThat(released(lease)).succeedsWithin(TestRun.TIMEOUT).isEqualTo(ReleaseOutcome.RELEASED);

        assertThat(thrown)
                .singleElement()
                .asInstanceOf(InstanceOfAssertFactories.THROWABLE)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("'job' during its release");
    }

    @Test
    void secondReleaseReturnsSameOutcomeWithoutRequest() {
        Lease lease = leaseWith(new LockListener() {
            @Override
            public void onReleased(Lease released, ReleaseOutcome outcome, Duration took) {
                outcomes.add(released.release());
                released.close();
            }
        });

        assertThat(released(lease)).succeedsWithin(TestRun.TIMEOUT).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(outcomes).containsExactly(ReleaseOutcome.RELEASED);
        assertThat(store.operations()).containsExactly(Operation.RELEASE);
    }

    @Test
    void lossFoundByReleaseIsReportedBeforeIt() {
        List<String> events = new CopyOnWriteArrayList<>();
        LockListener listener = new LockListener() {
            @Override
            public void onLost(Lease lease, LeaseLost lost) {
                events.add("lost");
            }

            @Override
            public void onReleased(Lease lease, ReleaseOutcome outcome, Duration took) {
                events.add("released");
            }
        };
        for (int i = 0; i < 100; i++) {
            Lease lease = leaseWith(listener);
            try (LockManager another = LockManager.builder(store).build()) {
                another.forceFree("job");
            }
            events.clear();

            lease.release();

            Awaitility.await().until(() -> events.size() == 2);
            assertThat(events).containsExactly("lost", "released");
        }
    }

    @Test
    void releaseAfterFailureTriesAgain() {
        Lease lease = leaseWith(new LockListener() {
            @Override
            public void onReleaseFailed(Lease failed, LockStoreException failure, Duration took) {
                outcomes.add(failed.release());
            }
        });
        store.next(Fault.DENY);

        assertThat(released(lease))
                .failsWithin(TestRun.TIMEOUT)
                .withThrowableThat()
                .withCauseInstanceOf(LockStoreException.class);
        assertThat(outcomes).containsExactly(ReleaseOutcome.RELEASED);
        assertThat(store.operations()).isEqualTo(Collections.nCopies(2, Operation.RELEASE));
        assertThat(released(lease)).succeedsWithin(TestRun.TIMEOUT).isEqualTo(ReleaseOutcome.RELEASED);
    }
}
