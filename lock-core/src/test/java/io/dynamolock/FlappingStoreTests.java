/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynamolock.FaultyStore.Fault;
import io.dynamolock.LockListener.Operation;
import io.dynamolock.time.Durations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Leases whose renewals succeed while series of requests for other names fail. */
@ExtendWith(WithoutWarnings.class)
class FlappingStoreTests {

    private static final int HOLDERS = 50;
    private static final Duration LEASE = Duration.ofSeconds(30);

    private final Node node = Node.spread(Node.settings(LEASE), 42);
    private final List<Lease> leases = new ArrayList<>();

    static IntStream millisBetweenFailures() {
        return Scale.isFull() ? IntStream.of(100, 300, 1_000) : IntStream.of(300, 1_000);
    }

    @ParameterizedTest
    @MethodSource("millisBetweenFailures")
    @Tag("scaled")
    void noLeaseNearsItsEnd(int millis) {
        takeAll();

        Duration least = LEASE;
        for (long i = 0; i < 4 * LEASE.toMillis() / millis; i++) {
            node.pass(Duration.ofMillis(millis));
            flap();
            least = Durations.min(least, leastRemaining());
        }

        assertThat(node.events.losses).isEmpty();
        assertThat(least).isGreaterThan(LEASE.dividedBy(5));
        assertThat(node.store.operations().stream().filter(Operation.RENEW::equals))
                .as("renewals in four leases")
                .hasSizeGreaterThan(HOLDERS * 7);
    }

    @Test
    void deferredRenewalCountsAsLate() {
        takeAll();
        node.pass(LEASE.dividedBy(6));
        flap();

        Duration most = Duration.ZERO;
        for (int i = 0; i < 100; i++) {
            node.pass(Duration.ofMillis(100));
            most = Durations.max(most, node.heartbeatLag());
        }

        assertThat(most).isGreaterThan(Duration.ofSeconds(1));
    }

    @Test
    void renewalsAreRescheduledInBackground() {
        takeAll();
        int before = node.scheduler.scheduled();

        flap();

        assertThat(node.scheduler.scheduled()).isEqualTo(before + 1);
    }

    @Test
    void unresponsiveStoreIsUnavailable() {
        readInVain(Fault.LOSE_REQUEST);

        assertThat(node.scheduler.limit()).isEqualTo(4);
    }

    @Test
    void rejectingStoreIsAvailable() {
        readInVain(Fault.DENY);

        assertThat(node.scheduler.limit()).isEqualTo(8);
    }

    @Test
    void throttlingStoreIsAvailable() {
        readInVain(Fault.THROTTLE);

        assertThat(node.scheduler.limit()).isEqualTo(8);
    }

    @Test
    void interruptedRequestsDoNotAffectStoreAvailability() {
        node.store.next(Collections.nCopies(10, Fault.INTERRUPT).toArray(Fault[]::new));

        node.locks.inspect("other");

        assertThat(Thread.interrupted()).isTrue();
        assertThat(node.scheduler.limit()).isEqualTo(8);
    }

    @Test
    void rejectedRequestEndsOutage() {
        takeAll();
        readInVain(Fault.LOSE_REQUEST);
        int before = node.scheduler.scheduled();

        readInVain(Fault.THROTTLE);

        assertThat(node.scheduler.scheduled()).isEqualTo(before + 1);
    }

    private void takeAll() {
        for (int i = 0; i < HOLDERS; i++) {
            leases.add(node.take("job-" + i));
        }
    }

    /** Lets requests for another name fail, then one succeed. */
    private void flap() {
        readInVain(Fault.LOSE_REQUEST);
        node.locks.inspect("other");
    }

    private void readInVain(Fault fault) {
        node.store.always(fault);
        for (int i = 0; i < 10; i++) {
            assertThatThrownBy(() -> node.locks.inspect("other")).isInstanceOf(LockStoreException.class);
        }
        node.store.heal();
    }

    private Duration leastRemaining() {
        return leases.stream()
                .map(Lease::remaining)
                .min(Comparator.naturalOrder())
                .orElseThrow();
    }
}
