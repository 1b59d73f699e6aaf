/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dynamolock.Lease;
import io.dynamolock.LeaseState;
import io.dynamolock.LockRequest;
import io.dynamolock.dynamodb.FaultyHttpClient.Attempt;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Renewals on real threads in real time. */
@Tag("proof")
class ManagerHeartbeatTests {

    private final String table = LocalDynamoDb.newTable();

    /** Failing locks have longer leases, so that their requests may hang longer than the other leases last. */
    @Test
    void hangingOrFailingRenewalsDelayNoOtherOf200Locks() throws InterruptedException {
        Duration lease = Duration.ofSeconds(6);
        try (DynamoDbNode node = DynamoDbNode.on(
                table, settings -> settings.leaseDuration(lease).heartbeatInterval(Duration.ofMillis(1_500)))) {
            List<Lease> others = new ArrayList<>();
            for (int i = 0; i < 198; i++) {
                others.add(node.take("job-" + i));
            }
            Lease hanging = node.locks.acquire(LockRequest.of("hanging").leaseDuration(Duration.ofMinutes(1)));
            Lease failing = node.locks.acquire(LockRequest.of("failing").leaseDuration(Duration.ofMinutes(1)));
            node.http.decide(attempt -> isAbout("hanging", attempt)
                    ? Fault.hang()
                    : isAbout("failing", attempt) ? Fault.serverError() : Fault.none());

            await().pollDelay(lease.multipliedBy(2)).until(() -> node.events.failedRenewals.size() >= 2);

            assertThat(node.events.losses).isEmpty();
            assertThat(others).allMatch(Lease::isHeld);
            assertThat(List.of(hanging.state(), failing.state())).containsOnly(LeaseState.AT_RISK);
        }
    }

    private static boolean isAbout(String lock, Attempt attempt) {
        return attempt.body().contains("{\"S\":\"" + lock + "\"}");
    }
}
