/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dynamolock.Lease;
import io.dynamolock.LeaseLost;
import io.dynamolock.LeaseState;
import io.dynamolock.LockRequest;
import io.dynamolock.dynamodb.FaultyHttpClient.Attempt;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Renewals by real threads in real time. */
class ManagerHeartbeatTests {

    private final String table = LocalDynamoDb.newTable();
    private final RawItems items = new RawItems(table);

    @Test
    void aRivalIsRefusedForTenTimesTheLease() {
        Duration lease = Duration.ofMillis(600);
        try (DynamoDbNode node = DynamoDbNode.on(table);
                DynamoDbNode beating = DynamoDbNode.on(table, settings -> settings.leaseDuration(lease));
                DynamoDbNode rival = DynamoDbNode.on(table)) {
            node.take("warm-up");
            Lease held = beating.take("job");

            await().pollInterval(Duration.ofMillis(50))
                    .during(lease.multipliedBy(10))
                    .atMost(lease.multipliedBy(20))
                    .until(() -> rival.isRefused("job"));

            assertThat(held.isHeld()).isTrue();
            assertThat(beating.told.losses).isEmpty();
            assertThat(Long.parseLong(items.text("job", "renewals"))).isBetween(25L, 80L);
        }
    }

    /** The troubled ones have longer leases, so that their requests may hang for longer than the others' leases last. */
    @Test
    void ofTwoHundredLocksTheOnesWhoseRequestsHangOrFailDelayNoOther() throws InterruptedException {
        try (DynamoDbNode node = DynamoDbNode.on(
                table,
                settings -> settings.leaseDuration(Duration.ofSeconds(2)).heartbeatInterval(Duration.ofMillis(600)))) {
            List<Lease> others = new ArrayList<>();
            for (int i = 0; i < 198; i++) {
                others.add(node.take("job-" + i));
            }
            Lease hanging = node.locks.acquire(LockRequest.of("hanging").leaseDuration(Duration.ofMinutes(1)));
            Lease failing = node.locks.acquire(LockRequest.of("failing").leaseDuration(Duration.ofMinutes(1)));
            node.http.decide(attempt -> isAbout("hanging", attempt)
                    ? Fault.hang()
                    : isAbout("failing", attempt) ? Fault.serverError() : Fault.none());

            await().pollDelay(Duration.ofSeconds(6)).until(() -> node.told.failedRenewals.size() >= 2);

            assertThat(node.told.losses).isEmpty();
            assertThat(others).allMatch(Lease::isHeld);
            assertThat(others).allMatch(lease -> Long.parseLong(items.text(lease.name(), "renewals")) >= 5);
            assertThat(List.of(hanging.state(), failing.state())).containsOnly(LeaseState.AT_RISK);
        }
    }

    @Test
    void whateverARenewalFailsOfTheNextOneIsSentAndTheLeaseIsKept() {
        List<Fault> faults = List.of(
                Fault.throttle(),
                Fault.serverError(),
                Fault.loseRequest(),
                Fault.loseAnswer(),
                Fault.hang(),
                Fault.refuseConnection(),
                Fault.denyAccess(),
                exchange -> {
                    throw new IllegalStateException("a fault of the HTTP client");
                },
                exchange -> {
                    throw new AssertionError("an error in the HTTP client");
                });
        AtomicInteger beats = new AtomicInteger();
        Set<LeaseState> states = ConcurrentHashMap.newKeySet();
        try (DynamoDbNode node = DynamoDbNode.on(
                table,
                settings -> settings.leaseDuration(Duration.ofSeconds(4))
                        .heartbeatInterval(Duration.ofMillis(100))
                        .attemptTimeout(Duration.ofMillis(500)))) {
            Lease lease = node.take("job");
            node.http.decide(attempt -> {
                int beat = beats.getAndIncrement();
                return beat % 2 == 0 && beat / 2 < faults.size() ? faults.get(beat / 2) : Fault.none();
            });

            await().pollInterval(Duration.ofMillis(1)).until(() -> {
                states.add(lease.state());
                return beats.get() > 2 * faults.size() + 1;
            });

            assertThat(node.told.failedRenewals).hasSize(faults.size());
            assertThat(node.told.losses).isEmpty();
            assertThat(states).containsExactlyInAnyOrder(LeaseState.HELD, LeaseState.AT_RISK);
            await().until(() -> lease.state() == LeaseState.HELD);
        }
    }

    @Test
    void anOutageLongerThanTheLeaseIsToldOnceNoLaterThanTheLeasesEnd() {
        try (DynamoDbNode node = DynamoDbNode.on(table, settings -> settings.leaseDuration(Duration.ofSeconds(1)))) {
            Lease lease = node.take("job");
            node.http.always(Fault.hang());

            await().pollInterval(Duration.ofMillis(1)).until(() -> !lease.isHeld());
            await().atMost(Duration.ofMillis(500)).until(() -> !node.told.losses.isEmpty());

            assertThat(node.told.losses).extracting(LeaseLost::reason).containsExactly(LeaseLost.Reason.UNREACHABLE);
            assertThat(node.told.failedRenewals).isNotEmpty();
            assertThat(lease.state()).isEqualTo(LeaseState.LOST);
            assertThat(items.text("job", "leaseId")).isEqualTo(lease.id());
        }
    }

    @Test
    void aTakenLockIsToldWithItsNewHolderAndNothingIsWrittenAfterwards() {
        try (DynamoDbNode node = DynamoDbNode.on(table, settings -> settings.heartbeatInterval(Duration.ofMillis(50)));
                DynamoDbNode thief = DynamoDbNode.on(table, settings -> settings.owner("thief"))) {
            Lease lease = node.take("job");
            thief.locks.forceRelease("job", lease.id());
            thief.take("job");

            await().until(() -> !node.told.losses.isEmpty());
            node.http.forget();

            await().during(Duration.ofMillis(300)).until(() -> node.requests().isEmpty());
            assertThat(lease.isHeld()).isFalse();
            assertThat(items.text("job", "owner")).isEqualTo("thief");
        }
    }

    private static boolean isAbout(String lock, Attempt attempt) {
        return attempt.body().contains("{\"S\":\"" + lock + "\"}");
    }
}
