/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import io.dynamolock.Lease;
import io.dynamolock.LeaseLostException;
import io.dynamolock.LeaseState;
import io.dynamolock.LeaseTime;
import io.dynamolock.LeaseToken;
import io.dynamolock.LockManager;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A lease that one JVM passes to another as a secret text. */
@Tag("proof")
class DetachAcrossProcessesTests {

    private static final Duration LEASE = Duration.ofSeconds(20);

    private final String table = LocalDynamoDb.newTable();
    private final RawItems items = new RawItems(table);
    private final LockManager locks = LockManager.builder(DynamoDbLockStore.builder(LocalDynamoDb.client())
                    .tableName(table)
                    .build())
            .time(LeaseTime.SYSTEM)
            .maxClockSkew(ChildProcess.SKEW)
            .leaseDuration(LEASE)
            .shutdownGrace(Duration.ZERO)
            .build();

    @AfterEach
    void close() {
        locks.close();
    }

    @Test
    void otherProcessResumesOnceAndSecretIsNeverLogged() throws Exception {
        try (CapturedLogs logs = new CapturedLogs(Level.TRACE);
                ChildJvm next = ChildJvm.start(table, LEASE);
                ChildJvm late = ChildJvm.start(table, LEASE)) {
            Lease lease = locks.tryAcquire("job").orElseThrow();
            LeaseToken token = lease.detach();
            String secret = token.asText();

            assertThat(lease.isHeld()).isFalse();
            assertThat(lease.state()).isEqualTo(LeaseState.DETACHED);
            assertThat(locks.held()).isEmpty();

            next.whenReady();
            next.send("resume", secret);
            String[] resumed = next.receive().split(" ", -1);
            assertThat(resumed[0]).isEqualTo("token");
            assertThat(Long.parseLong(resumed[1])).isGreaterThan(lease.fencingToken());
            assertThat(resumed[2]).isNotEqualTo(lease.id()).isEqualTo(items.text("job", "leaseId"));
            assertThat(locks.tryAcquire("job")).isEmpty();

            late.whenReady();
            late.send("resume", secret);
            String second = late.receive();
            assertThat(second).startsWith("rejected " + LeaseLostException.class.getName());
            assertThat(items.text("job", "leaseId")).isEqualTo(resumed[2]);

            next.send("release");
            assertThat(next.receive()).isEqualTo("release RELEASED");
            assertThatThrownBy(() -> locks.resume(token))
                    .isInstanceOf(LeaseLostException.class)
                    .satisfies(rejected -> assertNoSecret(rejected.toString(), lease, secret));

            assertNoSecret(token.toString(), lease, secret);
            assertNoSecret(lease.toString(), lease, secret);
            assertNoSecret(second, lease, secret);
            assertThat(logs.everything()).allSatisfy(line -> assertNoSecret(line, lease, secret));
        }
    }

    private static void assertNoSecret(String text, Lease lease, String secret) {
        assertThat(text).doesNotContain(secret, lease.id());
    }
}
