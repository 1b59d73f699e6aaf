/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dynamolock.Lease;
import io.dynamolock.LeaseTime;
import io.dynamolock.LockRequest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** A holder process is stopped for longer than its lease (SIGSTOP), then continues (SIGCONT). */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "has no SIGSTOP")
@Tag("proof")
class PausedHolderTests {

    private static final Duration LEASE = Duration.ofMillis(1500);

    private final String table = LocalDynamoDb.newTable();
    private final RawItems items = new RawItems(table);

    @ParameterizedTest
    @EnumSource
    void pausedHolderIsLostImmediatelyAndLeavesSuccessorUntouched(LeaseTime time) throws Exception {
        try (ChildJvm paused = ChildJvm.start(table, LEASE, time);
                DynamoDbNode rival =
                        DynamoDbNode.on(table, settings -> settings.time(time).owner("rival"))) {
            paused.whenReady();
            paused.send("hold", "job");
            long token = paused.receiveNumber("token");
            await().until(() -> Integer.parseInt(items.text("job", "renewals")) >= 1);

            paused.signal("STOP");
            long stopped = System.nanoTime();
            Lease taken = rival.locks.acquire(
                    LockRequest.of("job").waitTime(Duration.ofSeconds(30)).autoRenew(false));
            await().until(() ->
                    System.nanoTime() - stopped > LEASE.multipliedBy(2).toNanos());
            Map<String, AttributeValue> before = items.item("job");
            paused.signal("CONT");

            assertThat(List.of(paused.receive(), paused.receive()))
                    .containsExactlyInAnyOrder("woke false", "lost TAKEN rival");
            paused.send("release");
            assertThat(paused.receive()).isEqualTo("release NOT_OWNED");
            assertThat(items.item("job")).isEqualTo(before);
            assertThat(taken.isHeld()).isTrue();
            assertThat(taken.fencingToken()).isGreaterThan(token);
        }
    }
}
