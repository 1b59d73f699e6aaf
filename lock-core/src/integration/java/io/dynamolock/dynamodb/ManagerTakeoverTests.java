/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.Lease;
import io.dynamolock.LockRequest;
import io.dynamolock.Scale;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import software.amazon.awssdk.http.HttpExecuteResponse;

/** An expired lease is taken over, and never earlier. */
@Timeout(120) // frozen time ends no wait
class ManagerTakeoverTests {

    private static final Duration MILLI = Duration.ofMillis(1);
    private static final Duration SKEW = Duration.ofSeconds(1);

    private final String table = LocalDynamoDb.newTable();

    @Test
    @Tag("scaled")
    void takeoverHappensAtEndNeverEarlierAtAnySecondPhase() throws InterruptedException {
        FrozenTime time = new FrozenTime();
        Random random = new Random(20261120);
        try (DynamoDbNode holder = DynamoDbNode.on(table, time::rule);
                DynamoDbNode rival = DynamoDbNode.on(table, time::rule)) {
            for (int phase = 0; phase < Scale.of(20, 100); phase++) {
                time.pass(Duration.ofNanos(random.nextLong(1_000_000_000L)));
                // requests time out in real time although the test clock is frozen
                Duration lease = Duration.ofMillis(30_000 + random.nextInt(60_000));
                String name = "job-" + phase;
                Lease held = holder.locks.acquire(
                        LockRequest.of(name).leaseDuration(lease).autoRenew(false));

                Duration before = before(lease);
                time.pass(before);
                boolean heldBefore = held.isHeld();
                time.pass(lease.minus(before));
                boolean heldAtItsEnd = held.isHeld();
                time.pass(SKEW);
                boolean takenBefore = rival.locks.tryAcquire(name).isPresent();
                time.pass(MILLI);
                Optional<Lease> taken = rival.locks.tryAcquire(name);

                assertThat(heldBefore).as("held by its holder").isTrue();
                assertThat(heldAtItsEnd).as("held at its end").isFalse();
                assertThat(takenBefore).as("taken within the skew").isFalse();
                assertThat(taken).as("taken over").isPresent();
                assertThat(taken.get().fencingToken()).isGreaterThan(held.fencingToken());
            }
        }
    }

    /** Returns the last millisecond in which the holder treats the lease as held, less the allowed clock drift. */
    private static Duration before(Duration lease) {
        Duration heldFor = lease.minus(lease.dividedBy(2_000)).minus(MILLI);
        return heldFor.isNegative() ? Duration.ZERO : heldFor;
    }

    @Test
    void slowResponseDoesNotExtendLease() throws InterruptedException {
        FrozenTime time = new FrozenTime();
        LockRequest request =
                LockRequest.of("job").leaseDuration(Duration.ofSeconds(10)).autoRenew(false);
        Fault slow = exchange -> {
            HttpExecuteResponse answer = exchange.send();
            time.pass(Duration.ofSeconds(4));
            return answer;
        };
        try (DynamoDbNode node = DynamoDbNode.on(table, time::rule)) {
            node.http.next(slow, slow);

            Lease lease = node.locks.acquire(request);
            assertThat(lease.remaining()).isEqualTo(Duration.ofSeconds(6).minusMillis(5));
            lease.renew();
            assertThat(lease.remaining()).isEqualTo(Duration.ofSeconds(6).minusMillis(5));

            time.pass(Duration.ofSeconds(6).minusMillis(6));
            assertThat(lease.isHeld()).isTrue();
            time.pass(MILLI);
            assertThat(lease.isHeld()).isFalse();
        }
    }
}
