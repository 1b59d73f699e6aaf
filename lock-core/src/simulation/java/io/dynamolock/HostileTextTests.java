/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromM;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromN;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromS;

import ch.qos.logback.classic.Level;
import io.dynamolock.dynamodb.CapturedLogs;
import io.dynamolock.dynamodb.DynamoDbLockStore;
import io.dynamolock.dynamodb.FakeDynamoDb;
import io.dynamolock.dynamodb.FakeTable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Texts of callers or in rows that try to forge or hide log lines. */
class HostileTextTests {

    private static final String HOSTILE =
            "job'\n2026-11-20 ERROR c.p.Payments - refunded everything \u001b[2K\u202e\u2028";
    private static final String THEIR_ID = "4875b20a-their-lease-id";
    private static final Duration LEASE = Duration.ofSeconds(30);

    private final FakeTable table = new FakeTable("locks", "lockName", null);
    private final ManualTime time = new ManualTime();
    private final RecordingListener events = new RecordingListener();
    private final LockManager locks = LockManager.builder(DynamoDbLockStore.builder(new FakeDynamoDb(table))
                    .tableName("locks")
                    .partitionKey("lockName")
                    .build())
            .leaseDuration(LEASE)
            .time(LeaseTime.SYSTEM)
            .clock(time)
            .nanoTime(time::nanos)
            .listener(events)
            .shutdownGrace(Duration.ZERO)
            .build();
    private final List<String> shown = new ArrayList<>();

    @AfterEach
    void close() {
        locks.close();
    }

    @Test
    void displayedTextHasNoControlCharacterOrLeaseId() {
        List<String> ids = new ArrayList<>(List.of(THEIR_ID));
        try (CapturedLogs logs = new CapturedLogs(Level.TRACE)) {
            rejected(() -> LockRequest.of(HOSTILE));
            rejected(() -> LockRequest.of("job").owner(HOSTILE));
            rejected(() -> LockRequest.of("job").metadata(Map.of(HOSTILE, HOSTILE)));
            rejected(() -> locks.inspect(HOSTILE));
            rejected(() -> locks.forceRelease("job", HOSTILE));
            rejected(() -> locks.resume(LeaseToken.parse(HOSTILE)));
            rejected(() -> locks.resume(LeaseToken.parse(
                    LeaseToken.of("elsewhere" + HOSTILE, "job", THEIR_ID, null).asText())));

            put(Map.of());
            rejected(() -> locks.tryCall(LockRequest.of("job"), () -> 1));
            rejected(() -> locks.acquire("job"));
            shown.add(locks.inspect("job").toString());
            put(Map.of("tokenFloor", fromN("9223372036854775807"), "expiresAt", fromN("0")));
            rejected(() -> locks.acquire("job"));
            shown.add(String.valueOf(locks.forceFree("job")));
            ids.add(loseOne());
            ids.add(releaseOneByForce());

            shown.addAll(logs.everything().stream()
                    .flatMap(text -> text.lines().filter(line -> !line.startsWith("\tat ")))
                    .toList());
        }
        shown.addAll(events.all);
        events.losses.forEach(loss -> shown.add(loss.toString()));
        events.busy.forEach(state -> shown.add(state.toString()));

        assertThat(shown).hasSizeGreaterThan(12).allSatisfy(text -> {
            assertThat(text).doesNotContainPattern("\\p{Cntrl}|\u202e|\u2028");
            assertThat(text).doesNotContain(ids);
        });
    }

    /** Returns the id of the lease. */
    private String loseOne() throws LeaseLostException {
        Lease lease = locks.tryAcquire("job").orElseThrow();
        put(Map.of());
        rejected(lease::renew);
        shown.add(lease.toString());
        lease.close();
        return lease.id();
    }

    /** Returns the id of the lease. */
    private String releaseOneByForce() {
        Lease lease = locks.tryAcquire("stuck").orElseThrow();
        assertThat(locks.forceRelease("stuck", lease.id())).isTrue();
        return lease.id();
    }

    private void rejected(ThrowingCallable call) {
        Throwable thrown = catchThrowable(call);
        while (thrown != null) {
            shown.add(String.valueOf(thrown.getMessage()));
            thrown = thrown.getCause();
        }
    }

    private void put(Map<String, AttributeValue> changes) {
        Map<String, AttributeValue> row = new HashMap<>(Map.of(
                "lockName",
                fromS("job"),
                "leaseId",
                fromS(THEIR_ID),
                "owner",
                fromS(HOSTILE),
                "metadata",
                fromM(Map.of(HOSTILE, fromS(HOSTILE))),
                "fencingToken",
                fromN("7"),
                "tokenFloor",
                fromN("7"),
                "expiresAt",
                fromN(Long.toString(time.millis() + 30_000)),
                "leaseMillis",
                fromN("30000"),
                "clock",
                fromS(LeaseTime.SYSTEM.code()),
                "note",
                fromS(HOSTILE)));
        row.putAll(changes);
        table.put(row);
    }
}
