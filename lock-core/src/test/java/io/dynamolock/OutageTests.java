/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.dynamolock.FaultyStore.Fault;
import io.dynamolock.LeaseLost.Reason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** A thousand holders, and a store that goes away and comes back. */
class OutageTests {

    private static final int HOLDERS = 1_000;
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Duration INTERVAL = LEASE.dividedBy(3);
    private static final Duration WINDOW = INTERVAL.dividedBy(10);

    private final Logger logger = (Logger) LoggerFactory.getLogger("io.dynamolock");
    private final Node node = Node.spread(Node.settings(LEASE), 42);
    private final Node rival = node.rival();
    private final List<Lease> leases = new ArrayList<>();

    /** Each holder has something to say. */
    @BeforeEach
    void silence() {
        logger.setLevel(Level.ERROR);
    }

    @AfterEach
    void speak() {
        logger.setLevel(Level.INFO);
    }

    @Test
    void anOutageOfTwoLeasesIsToldOnceToEachHolderAndNothingIsSentAfterwards() {
        takeAll();
        node.pass(LEASE.multipliedBy(2));
        node.store.always(Fault.LOSE_REQUEST);
        node.pass(LEASE.multipliedBy(2));
        node.store.heal();
        node.store.forget();

        node.pass(LEASE.multipliedBy(2));

        assertThat(node.told.losses).hasSize(HOLDERS);
        assertThat(node.told.losses).extracting(LeaseLost::reason).containsOnly(Reason.UNREACHABLE);
        assertThat(node.told.losses).extracting(LeaseLost::name).doesNotHaveDuplicates();
        assertThat(node.store.operations()).isEmpty();
        assertThat(node.tasks.scheduled()).isZero();
        assertThat(leases).noneMatch(Lease::isHeld);
        for (Lease lease : leases) {
            assertThat(rival.take(lease.name()).fencingToken()).isGreaterThan(lease.fencingToken());
            assertThatThrownBy(lease::renew).isInstanceOf(LeaseLostException.class);
        }
    }

    @Test
    void whileTheStoreIsAwayItIsNotFlooded() {
        takeAll();
        node.pass(LEASE.multipliedBy(2));
        node.store.always(Fault.LOSE_REQUEST);
        node.store.forget();

        node.pass(LEASE);

        assertThat(node.store.sent().size())
                .as("requests of %s holders while the store is away", HOLDERS)
                .isBetween(HOLDERS * 4, HOLDERS * 16);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 5, 10, 15})
    void anOutageShorterThanTheLeasesLosesNoneAndRequestsComeBackSpread(long seconds) {
        takeAll();
        node.pass(LEASE.multipliedBy(2));
        double steady = perWindow(LEASE.multipliedBy(2));
        node.store.always(Fault.LOSE_REQUEST);
        node.pass(Duration.ofSeconds(seconds));
        node.store.heal();

        List<Integer> windows = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            node.store.forget();
            node.pass(WINDOW);
            windows.add(node.store.sent().size());
        }

        assertThat(Collections.max(windows))
                .as("requests in tenths of an interval after the return, %s in the steady state: %s", steady, windows)
                .isLessThanOrEqualTo((int) (2 * steady));
        assertThat(node.told.losses).isEmpty();
        assertThat(leases).allMatch(lease -> lease.state() == LeaseState.HELD);
    }

    @Test
    void anOutageThatEndsJustBeforeTheLeasesLosesNone() {
        takeAll();
        node.pass(LEASE.multipliedBy(2));
        node.store.always(Fault.LOSE_REQUEST);
        node.pass(LEASE.minus(INTERVAL).minusSeconds(1));
        node.store.heal();

        node.pass(LEASE);

        assertThat(node.told.losses).isEmpty();
        assertThat(leases).allMatch(lease -> lease.state() == LeaseState.HELD);
    }

    private double perWindow(Duration time) {
        node.store.forget();
        node.pass(time);
        return node.store.sent().size() * (double) WINDOW.toMillis() / time.toMillis();
    }

    /** Acquires them in the course of an interval, as applications do. */
    private void takeAll() {
        for (int i = 0; i < HOLDERS; i++) {
            leases.add(node.take("job-" + i));
            node.pass(INTERVAL.dividedBy(HOLDERS));
        }
    }
}
