/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynamolock.FaultyStore.Fault;
import io.dynamolock.LockGuard.Free;
import io.dynamolock.LockListener.Operation;
import io.dynamolock.LockWrite.Release;
import io.dynamolock.dynamodb.CapturedLogs;
import io.dynamolock.time.PollBackoff;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Freeing a lock by force, while other processes continue and responses get lost. */
class ForceFreeTests {

    private static final Duration TIMEOUT = Duration.ofSeconds(1);

    private final Node node = Node.alone();
    private final Node other = node.rival();

    @Test
    void freesLockOfAnyHolder() {
        Lease held = other.take("job");

        LockState before = node.locks.forceFree("job").orElseThrow();

        assertThat(before.owner()).isEqualTo("rival");
        assertThat(node.store.operations()).containsExactly(Operation.READ, Operation.RELEASE);
        assertThat(node.take("job").fencingToken()).isGreaterThan(held.fencingToken());
    }

    @Test
    void writesNothingIfLockIsFree() {
        assertThat(node.locks.forceFree("job")).isEmpty();
        other.take("job").release();
        assertThat(node.locks.forceFree("job")).isEmpty();

        assertThat(node.store.operations()).containsOnly(Operation.READ);
    }

    @Test
    void recognizesOwnWriteWithLostResponse() {
        other.take("job");
        node.store.next(Fault.then(() -> {}), Fault.LOSE_RESPONSE);

        try (CapturedLogs logs = new CapturedLogs()) {
            assertThat(node.locks.forceFree("job")).isPresent();
            assertThat(logs.warnings()).singleElement().asString().contains("freed by force from 'rival', which");
        }
    }

    @Test
    void freeingWithoutResponseHandsLockOver() {
        other.take("job");
        CompletableFuture<Optional<Lease>> waiting = waitRarely();
        node.store.next(Fault.then(() -> {}), Fault.LOSE_RESPONSE, Fault.LOSE_REQUEST, Fault.LOSE_REQUEST);

        assertThatThrownBy(() -> node.locks.forceFree("job")).isInstanceOf(LockStoreException.class);

        assertThat(waiting).isCompletedWithValueMatching(Optional::isPresent);
    }

    @Test
    void releaseByForceWithoutResponseHandsLockOver() {
        Lease held = other.take("job");
        CompletableFuture<Optional<Lease>> waiting = waitRarely();
        node.store.next(Fault.LOSE_RESPONSE, Fault.LOSE_REQUEST, Fault.LOSE_REQUEST);

        assertThatThrownBy(() -> node.locks.forceRelease("job", held.id())).isInstanceOf(LockStoreException.class);

        assertThat(waiting).isCompletedWithValueMatching(Optional::isPresent);
    }

    /** Only a hand-over serves it soon. */
    private CompletableFuture<Optional<Lease>> waitRarely() {
        Duration rarely = Duration.ofSeconds(20);
        return node.locks.tryAcquireAsync(LockRequest.of("job")
                .waitTime(Duration.ofMinutes(1))
                .pollMin(rarely)
                .pollMax(rarely));
    }

    @Test
    void neverFreesLeaseAcquiredAfterFirstAttempt() {
        other.take("job");
        Node third = node.rival();
        node.store.next(Fault.then(() -> {}), request -> {
            var unused = request.get();
            third.take("job");
            throw new LockStoreException("job", "no response", null, true, true);
        });

        assertThatThrownBy(() -> node.locks.forceFree("job"))
                .isInstanceOf(LockStoreException.class)
                .hasMessageContaining("changed meanwhile");

        assertThat(third.locks.held()).hasSize(1);
        assertThat(node.row("job").owner()).isEqualTo("rival");
        assertThat(node.row("job").isFree()).isFalse();
    }

    @Test
    void doesNotClaimWhatOthersFreedMeanwhile() {
        Lease held = other.take("job");
        node.store.next(Fault.then(() -> {}), request -> {
            held.release();
            other.take("job").release();
            throw new LockStoreException("job", "no response", null, true, true);
        });

        assertThatThrownBy(() -> node.locks.forceFree("job"))
                .isInstanceOf(LockStoreException.class)
                .hasMessageContaining("changed meanwhile");
    }

    @Test
    void otherProcessesForgetTokensLoweredByOperator() {
        close("job");
        assertThatThrownBy(() -> other.locks.tryAcquire("job")).hasMessageContaining("forceFree");

        try (CapturedLogs logs = new CapturedLogs()) {
            node.locks.forceFree("job");
            assertThat(logs.warnings())
                    .last()
                    .asString()
                    .contains("'job' was freed by force, held by nobody; its next");
        }

        Lease lease = other.take("job");
        assertThat(lease.fencingToken())
                .isLessThan(FencingTokens.at(node.time.instant().toEpochMilli() + 60_000));
        lease.release();
        assertThat(node.row("job").isClosed()).isFalse();
    }

    @Test
    void waiterNoticesTokensLoweredByOperator() {
        Lease held = other.take("job");
        PollBackoff plan = new PollBackoff(Duration.ofMillis(50), Duration.ofSeconds(1), () -> 0.5);
        Observations observations = new Observations(1, TIMEOUT);
        TurnClaims claims = new TurnClaims("claimant", observations);
        WaiterPolling polling = new WaiterPolling(plan, observations, claims, "job", Times.nanos(0));
        ClockReading now = node.context.clock.now();
        polling.rejected(
                node.row("job").toBuilder().tokenFloor(LockRow.HIGHEST_TOKEN).build(), now);
        held.release();

        assertThat(polling.observed(node.row("job"), now)).isTrue();
    }

    @Test
    void followsRequiredTokenHoweverFarAhead() {
        long far = FencingTokens.at(Times.START_MILLIS) + (1L << 52);
        raise("job", far);

        Lease lease = node.take("job");

        assertThat(lease.fencingToken()).isEqualTo(far + 1);
        assertThat(node.store.operations()).containsExactly(Operation.ACQUIRE, Operation.ACQUIRE);
    }

    @Test
    void firstRequestDerivesFloorFromStoreTime() {
        ManualTime ahead = new ManualTime();
        ahead.stepWall(Duration.ofDays(365 * 20));
        Node fresh = node.rival(ahead, Node.settings(Duration.ofSeconds(30), LeaseTime.SERVER));
        close("job");

        fresh.locks.forceFree("job");

        assertThat(node.row("job").highestToken())
                .isLessThan(FencingTokens.at(Instant.now().toEpochMilli() + 86_400_000));
    }

    @Test
    void listenersAreNotifiedOfRepairedRow() {
        close("job");
        node.locks.inspect("job");
        other.locks.inspect("job");

        node.locks.forceFree("job");
        other.locks.inspect("job");

        assertThat(node.events.repaired).containsExactly("job");
        assertThat(other.events.repaired).containsExactly("job");
    }

    @Test
    void onlyCorruptRowIsReportedAsRepaired() {
        close("job");
        node.locks.inspect("job");

        node.take("sound").renew();
        node.locks.inspect("sound");

        assertThat(node.events.repaired).isEmpty();
    }

    /** A free row whose floor leaves no token. */
    private void close(String name) {
        raise(name, LockRow.HIGHEST_TOKEN);
    }

    private void raise(String name, long token) {
        LockStore rows = node.store.rows();
        Instant at = Instant.ofEpochMilli(Times.START_MILLIS);
        assertThat(List.of(
                        rows.acquire(
                                Writes.acquire(
                                        name,
                                        "forged",
                                        "forger",
                                        token,
                                        TIMEOUT,
                                        at,
                                        at,
                                        LeaseTime.SYSTEM,
                                        Map.of(),
                                        new Free()),
                                TIMEOUT),
                        rows.release(new Release(name, "forged", at, null), TIMEOUT)))
                .allMatch(LockStore.Response::applied);
    }

    @Test
    void localWaiterGetsFreedLockImmediately() {
        LockRequest patient = LockRequest.of("job").waitTime(Duration.ofMinutes(1));
        other.take("job");

        CompletableFuture<Lease> afterFreeing = node.locks.acquireAsync(patient);
        node.locks.forceFree("job");
        assertThat(afterFreeing).isCompleted();
        CompletableFuture<Lease> afterRelease = node.locks.acquireAsync(patient);
        node.locks.forceRelease("job", afterFreeing.join().id());

        assertThat(afterRelease).isCompleted();
    }
}
