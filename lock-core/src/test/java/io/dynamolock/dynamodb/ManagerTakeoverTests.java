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
import io.dynamolock.LockStoreException;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.http.HttpExecuteResponse;

/** A lease that ran out is taken over, and not a moment before it did. */
class ManagerTakeoverTests {

    private static final Duration MILLI = Duration.ofMillis(1);
    private static final Duration SKEW = Duration.ofSeconds(1);

    private final String table = LocalDynamoDb.newTable();

    @Test
    void happensAtTheEndAndNeverBeforeWhateverThePhaseOfTheSecond() throws InterruptedException {
        StandingTime time = new StandingTime();
        Random random = new Random(20261120);
        try (DynamoDbNode holder = DynamoDbNode.on(table, time::rule);
                DynamoDbNode rival = DynamoDbNode.on(table, time::rule)) {
            for (int phase = 0; phase < 100; phase++) {
                time.pass(Duration.ofNanos(random.nextLong(1_000_000_000L)));
                Duration lease = Duration.ofMillis(1 + random.nextInt(60_000));
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

    /** The last millisecond in which the holder believes in it, as it allows for the drift of its clock. */
    private static Duration before(Duration lease) {
        Duration believed = lease.minus(lease.dividedBy(2_000)).minus(MILLI);
        return believed.isNegative() ? Duration.ZERO : believed;
    }

    @Test
    void aSlowAnswerDoesNotMakeALeaseLastLonger() throws InterruptedException {
        StandingTime time = new StandingTime();
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

    @ParameterizedTest
    @ValueSource(longs = {200, 1500})
    void aShortLeaseLastsAsLongAsItSaysAndNoLonger(long millis) throws InterruptedException {
        Duration lease = Duration.ofMillis(millis);
        try (DynamoDbNode holder = DynamoDbNode.on(table)) {
            Mortal mortal = Mortal.acquire(holder, "job", lease);

            await().pollInterval(MILLI).until(() -> !mortal.lease().isHeld());

            assertThat(mortal.age()).isBetween(lease.minusMillis(2), lease.plusMillis(750));
        }
    }

    /** A busy machine only makes it later, so the shortest of some counts. */
    @ParameterizedTest
    @ValueSource(longs = {200, 1500})
    void inRealTimeADeadHoldersLockIsTakenSoonAfterItsEnd(long millis) throws InterruptedException {
        Duration lease = Duration.ofMillis(millis);
        Duration skew = Duration.ofMillis(20);
        Duration shortest = Duration.ofDays(1);
        try (DynamoDbNode holder = DynamoDbNode.on(
                        table, settings -> settings.time(LeaseTime.SYSTEM).maxClockSkew(skew));
                DynamoDbNode rival = DynamoDbNode.on(
                        table, settings -> settings.time(LeaseTime.SYSTEM).maxClockSkew(skew))) {
            for (int round = 0; round < 3; round++) {
                Mortal mortal = Mortal.acquire(holder, "job-" + round, lease);
                Lease dead = mortal.lease();

                Lease taken = rival.locks.acquire(LockRequest.of(dead.name()).waitTime(Duration.ofMinutes(1)));

                Duration took = mortal.age();
                assertThat(dead.isHeld()).isFalse();
                assertThat(took).isGreaterThan(lease);
                assertThat(taken.fencingToken()).isGreaterThan(dead.fencingToken());
                shortest = took.compareTo(shortest) < 0 ? took : shortest;
            }
        }
        assertThat(shortest).isLessThan(lease.plus(skew).plusMillis(250));
    }

    /** A lease that nobody renews, and since when there was a request for it. */
    private record Mortal(Lease lease, long sinceNanos) {

        /** Requests have to be quick for a short lease, which takes some tries on a busy machine. */
        static Mortal acquire(DynamoDbNode node, String name, Duration duration) throws InterruptedException {
            for (int number = 0; ; number++) {
                LockRequest request = LockRequest.of(name + "." + number).autoRenew(false);
                node.locks.acquire(request).release();
                long started = System.nanoTime();
                try {
                    return new Mortal(node.locks.acquire(request.leaseDuration(duration)), started);
                } catch (LockStoreException late) {
                    assertThat(number).as("tries, the last one: %s", late).isLessThan(10);
                }
            }
        }

        Duration age() {
            return Duration.ofNanos(System.nanoTime() - sinceNanos);
        }
    }
}
