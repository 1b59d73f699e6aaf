/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynamolock.FaultyStore.Fault;
import io.dynamolock.LeaseLost.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A thousand holders during an outage of the store. */
@ExtendWith(WithoutWarnings.class)
class OutageTests {

    private static final int HOLDERS = 1_000;
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Duration INTERVAL = LEASE.dividedBy(3);

    private final Node node = Node.spread(Node.settings(LEASE), 42);
    private final Node rival = node.rival();
    private final List<Lease> leases = new ArrayList<>();

    @Test
    void outageReportsEachLossOnceThenSendsNothing() {
        takeAll();
        node.pass(LEASE.multipliedBy(2));
        node.store.always(Fault.LOSE_REQUEST);
        node.pass(LEASE.multipliedBy(2));
        node.store.heal();
        node.store.forget();

        node.pass(LEASE.multipliedBy(2));

        assertThat(node.events.losses).hasSize(HOLDERS);
        assertThat(node.events.losses).extracting(LeaseLost::reason).containsOnly(Reason.UNREACHABLE);
        assertThat(node.events.losses).extracting(LeaseLost::name).doesNotHaveDuplicates();
        assertThat(node.store.operations()).isEmpty();
        assertThat(node.scheduler.scheduled()).isZero();
        assertThat(leases).noneMatch(Lease::isHeld);
        for (Lease lease : leases) {
            assertThat(rival.take(lease.name()).fencingToken()).isGreaterThan(lease.fencingToken());
            assertThatThrownBy(lease::renew).isInstanceOf(LeaseLostException.class);
        }
    }

    /** The first leases end two intervals after the outage begins: the last renewal was up to one interval before. */
    static IntStream secondsAway() {
        return Scale.isFull()
                ? IntStream.concat(IntStream.range(1, 30), IntStream.of(60))
                : IntStream.of(1, 10, 20, 21, 25, 28, 29);
    }

    @ParameterizedTest
    @MethodSource("secondsAway")
    @Tag("scaled")
    void outageNeverDoublesRequestsAndSparesLeasesWithSecondLeft(int seconds) {
        takeAll();
        node.pass(LEASE.multipliedBy(2));
        List<Integer> before = sentInTenthsOfASecond(LEASE.multipliedBy(2));
        double steady = before.stream().mapToInt(Integer::intValue).sum() / 60.0;
        node.store.always(Fault.LOSE_REQUEST);

        List<Integer> during = sentInTenthsOfASecond(Duration.ofSeconds(seconds));
        List<Instant> ends =
                leases.stream().filter(Lease::isHeld).map(Lease::expiresAt).toList();
        node.store.heal();
        Instant back = node.time.instant();
        List<Integer> after = sentInTenthsOfASecond(LEASE.multipliedBy(2));

        assertThat(mostInASecond(Stream.of(during, after).flatMap(List::stream).toList()))
                .as("requests in a second, of %s in the steady state", steady)
                .isLessThanOrEqualTo((int) (2 * steady));
        assertThat(leases.stream().filter(lease -> lease.state() == LeaseState.HELD))
                .hasSizeGreaterThanOrEqualTo((int) ends.stream()
                        .filter(end -> end.isAfter(back.plusSeconds(1)))
                        .count());
        assertThat(node.events.losses)
                .hasSize(HOLDERS - (int) leases.stream().filter(Lease::isHeld).count());
    }

    @Test
    void thousandLocksNeedOneRequestPerInterval() {
        takeAll();
        node.pass(LEASE.multipliedBy(2));
        node.store.forget();

        node.pass(LEASE);

        assertThat(node.store.sent().size()).isBetween(HOLDERS * 27 / 10, HOLDERS * 31 / 10);
        assertThat(leases).allMatch(Lease::isHeld);
    }

    @Test
    void outageDoesNotIncreaseRequestRate() {
        takeAll();
        node.pass(LEASE.multipliedBy(2));
        node.store.always(Fault.LOSE_REQUEST);
        node.store.forget();

        node.pass(LEASE);

        assertThat(node.store.sent().size())
                .as("requests of %s holders while the store is away", HOLDERS)
                .isBetween(HOLDERS, HOLDERS * 32 / 10);
    }

    private List<Integer> sentInTenthsOfASecond(Duration time) {
        List<Integer> counts = new ArrayList<>();
        for (long i = 0; i < time.toMillis() / 100; i++) {
            node.store.forget();
            node.pass(Duration.ofMillis(100));
            counts.add(node.store.sent().size());
        }
        return counts;
    }

    private static int mostInASecond(List<Integer> tenths) {
        return IntStream.rangeClosed(0, tenths.size() - 10)
                .map(first -> tenths.subList(first, first + 10).stream()
                        .mapToInt(Integer::intValue)
                        .sum())
                .max()
                .orElseThrow();
    }

    /** Acquires the locks over one interval, as applications do. */
    private void takeAll() {
        for (int i = 0; i < HOLDERS; i++) {
            leases.add(node.take("job-" + i));
            node.pass(INTERVAL.dividedBy(HOLDERS));
        }
    }
}
