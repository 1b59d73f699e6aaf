/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.integration;

import static org.assertj.core.api.Assertions.assertThat;

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

    private final CountingStore store = new CountingStore();
    private final TestClock clock = new TestClock();
    private final BlockingQueue<String> events = new LinkedBlockingQueue<>();
    private final Node first = new Node("first");
    private final Node second = new Node("second");

    /** A process with its own lock manager. */
    private final class Node {

        private final LockManager manager =
                LockManager.builder(store).testClock(clock).build();
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

    @Test
    @Tag("proof")
    void candidateReadsOnceASecondAndWritesNothing() throws Exception {
        first.initiator.start();
        awaitEvents("+first");
        second.initiator.start();
        TimeUnit.MILLISECONDS.sleep(600); // its first attempt
        int reads = store.reads();
        int writes = store.writes();

        TimeUnit.MILLISECONDS.sleep(4_000);

        assertThat(store.reads() - reads).isBetween(3, 4);
        assertThat(store.writes() - writes).isZero();
    }
}
