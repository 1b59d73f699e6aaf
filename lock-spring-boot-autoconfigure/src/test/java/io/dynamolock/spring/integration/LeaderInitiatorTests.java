/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.LockListener;
import io.dynamolock.LockListener.Operation;
import io.dynamolock.LockManager;
import io.dynamolock.LockState;
import io.dynamolock.spring.CountingStore;
import io.dynamolock.spring.Locking;
import io.dynamolock.time.TestClock;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.integration.leader.Context;
import org.springframework.integration.leader.DefaultCandidate;
import org.springframework.integration.support.leader.LockRegistryLeaderInitiator;

/** Spring Integration's leader election on the registry, with its own defaults. */
class LeaderInitiatorTests {

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final CountingStore store = new CountingStore();
    private final TestClock clock = new TestClock();
    private final BlockingQueue<String> events = new LinkedBlockingQueue<>();
    private final Node first = new Node("first");
    private final Node second = new Node("second");

    /** A request, and when it had its response. */
    private record Request(Operation operation, long atNanos) {}

    /** A process with its own lock manager. */
    private final class Node {

        private final BlockingQueue<Request> requests = new LinkedBlockingQueue<>();
        private final LockManager manager = LockManager.builder(store)
                .testClock(clock)
                .listener(new LockListener() {

                    @Override
                    public void onRequest(String name, Operation operation, RequestOutcome outcome) {
                        requests.add(new Request(operation, System.nanoTime()));
                    }
                })
                .build();
        private final LockRegistryLeaderInitiator initiator;

        Node(String id) {
            initiator = new LockRegistryLeaderInitiator(
                    new LeaseLockRegistry(manager), new DefaultCandidate(id, "reporter") {

                        @Override
                        public void onGranted(Context context) {
                            events.add("+" + id);
                        }

                        @Override
                        public void onRevoked(Context context) {
                            events.add("-" + id);
                        }
                    });
            initiator.setApplicationEventPublisher(event -> {});
        }

        Request nextRequest() throws InterruptedException {
            return Objects.requireNonNull(requests.poll(Locking.TIMEOUT.toSeconds(), TimeUnit.SECONDS));
        }
    }

    private void awaitEvents(String... expected) throws InterruptedException {
        for (String event : expected) {
            assertThat(events.poll(Locking.TIMEOUT.toSeconds(), TimeUnit.SECONDS))
                    .isEqualTo(event);
        }
    }

    @AfterEach
    void close() {
        for (Node node : List.of(first, second)) {
            node.initiator.destroy();
            node.manager.close();
        }
    }

    @Test
    void leaderIsReplacedAsSoonAsItStops() throws Exception {
        first.initiator.start();
        awaitEvents("+first");
        second.initiator.start();
        assertThat(second.initiator.getContext().isLeader()).isFalse();

        first.initiator.stop();

        awaitEvents("-first", "+second");
        assertThat(second.initiator.getContext().isLeader()).isTrue();
    }

    @Test
    void leaderThatLostItsLockIsRevoked() throws Exception {
        first.initiator.start();
        awaitEvents("+first");
        LockState held = first.manager.inspect("reporter");

        first.manager.forceRelease("reporter", Objects.requireNonNull(held.leaseId()));
        clock.advance(Duration.ofSeconds(20));

        awaitEvents("-first", "+first");
        assertThat(first.manager.inspect("reporter").fencingToken()).isGreaterThan(held.fencingToken());
    }

    @Test
    void leaderWritesARenewalInTenSeconds() throws Exception {
        first.initiator.start();
        awaitEvents("+first");
        int before = store.writes();

        clock.advance(Duration.ofMinutes(10));

        assertThat(store.writes() - before).isBetween(50, 70);
        assertThat(store.reads()).isZero();
        assertThat(events).isEmpty();
    }

    /** A process that the machine stops for a quarter of a second starts again with a write; then this waits longer. */
    @Test
    @Tag("proof")
    void candidateReadsOnceASecondAndWritesNothing() throws Exception {
        first.initiator.start();
        awaitEvents("+first");
        second.initiator.start();

        int readsASecondApart = 0;
        long before = second.nextRequest().atNanos();
        for (int i = 0; i < 60 && readsASecondApart < 3; i++) {
            Request next = second.nextRequest();
            boolean isPaced = next.operation() == Operation.READ && next.atNanos() - before >= SECOND;
            readsASecondApart = isPaced ? readsASecondApart + 1 : 0;
            before = next.atNanos();
        }

        assertThat(readsASecondApart).isEqualTo(3);
    }
}
