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
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** A process that holds a lock is killed (SIGKILL): nobody releases, and nobody renews any more. */
class KilledHolderTests {

    private static final Duration LEASE = Duration.ofMillis(1500);
    private static final Duration SKEW = OtherProcess.SKEW;

    /** For a machine that is busy with other things. */
    private static final Duration PATIENCE = Duration.ofMillis(750);

    private final String table = LocalDynamoDb.newTable();
    private final RawItems items = new RawItems(table);

    @Test
    void whoWaitsHasTheLockOneLeaseAndTheSkewAfterTheLastRenewalAndNeverWithinTheLease() throws Exception {
        try (OtherJvm holder = OtherJvm.start(table, LEASE);
                DynamoDbNode fresh = DynamoDbNode.on(
                        table, settings -> settings.time(LeaseTime.SYSTEM).maxClockSkew(SKEW))) {
            long token = killWhileItHolds(holder);
            Instant lastRenewal = end().minus(SKEW.dividedBy(2)).minus(LEASE);

            Lease lease = fresh.locks.acquire(LockRequest.of("job").waitTime(Duration.ofSeconds(30)));

            Duration took = Duration.between(lastRenewal, Instant.now());
            assertThat(took).isGreaterThanOrEqualTo(LEASE);
            assertThat(took)
                    .isLessThan(LEASE.plus(SKEW).plus(Duration.ofMillis(250)).plus(PATIENCE));
            assertThat(lease.fencingToken()).isGreaterThan(token);
        }
    }

    @Test
    void aFreshProcessHasTheLockWithItsFirstTryAndNeedsNoSecondLease() throws Exception {
        try (OtherJvm holder = OtherJvm.start(table, LEASE);
                OtherJvm fresh = OtherJvm.start(table, LEASE)) {
            assertThat(fresh.hear()).isEqualTo("ready");
            long token = killWhileItHolds(holder);
            Instant free = end().plus(SKEW.dividedBy(2));

            await().until(() -> Instant.now().isAfter(free));
            fresh.tell("try", "job");

            String answer = fresh.hear();
            assertThat(answer).matches("token \\d+ requests 1");
            assertThat(Long.parseLong(answer.split(" ", -1)[1])).isGreaterThan(token);
        }
    }

    /** Returns its token. */
    private long killWhileItHolds(OtherJvm holder) throws InterruptedException {
        assertThat(holder.hear()).isEqualTo("ready");
        holder.tell("hold", "job");
        long token = holder.hearNumber("token");
        await().until(() -> Integer.parseInt(items.text("job", "renewals")) >= 2);
        holder.kill();
        assertThat(items.text("job", "fencingToken")).isEqualTo(Long.toString(token));
        return token;
    }

    private Instant end() {
        return Instant.ofEpochMilli(Long.parseLong(items.text("job", "expiresAt")));
    }
}
