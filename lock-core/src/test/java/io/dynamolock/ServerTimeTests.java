/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.dynamolock.FaultyStore.Fault;
import io.dynamolock.LockListener.Operation;
import io.dynamolock.dynamodb.CapturedLogs;
import io.dynamolock.memory.InMemoryLockStore;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Leases on the store's time: each process has its own clocks. */
class ServerTimeTests {

    private static final LockSettings SERVER = Node.settings(Duration.ofSeconds(30), LeaseTime.SERVER);

    private final ManualTime storeTime = new ManualTime();
    private final InMemoryLockStore rows = new InMemoryLockStore(storeTime);
    private final Node holder = node(Duration.ofMinutes(10));
    private final Node rival = node(Duration.ofMinutes(-10));

    private Node node(Duration wallError) {
        ManualTime clocks = new ManualTime();
        clocks.stepWall(wallError);
        return Node.on(clocks, rows, SERVER);
    }

    private void pass(Duration time) {
        for (Duration gone = Duration.ZERO; gone.compareTo(time) < 0; gone = gone.plusMillis(10)) {
            storeTime.pass(Duration.ofMillis(10));
            holder.pass(Duration.ofMillis(10));
            rival.pass(Duration.ofMillis(10));
        }
    }

    private void passWithoutHolder(Duration time) {
        storeTime.pass(time);
        rival.pass(time);
    }

    @Test
    void samplesTimeOnceBeforeFirstWrite() {
        holder.take("one");
        holder.take("two");

        assertThat(holder.store.operations()).containsExactly(Operation.READ, Operation.ACQUIRE, Operation.ACQUIRE);
        assertThat(holder.row("one").clock()).isEqualTo(LeaseTime.SERVER);
    }

    @Test
    void wallClocksTwentyMinutesApartAreHarmless() {
        Lease lease = holder.take("job");
        rival.locks.tryAcquire("other");

        pass(Duration.ofMinutes(2));

        assertThat(lease.isHeld()).isTrue();
        assertThat(rival.locks.tryAcquire("job")).isEmpty();
    }

    @Test
    void freshProcessReplacesDeadHolderAfterLeaseSkewAndWidths() {
        holder.take("job");

        passWithoutHolder(Duration.ofSeconds(30));
        Optional<Lease> early = node(Duration.ofHours(1).dividedBy(2)).locks.tryAcquire("job");
        passWithoutHolder(Duration.ofMillis(3_250));
        Optional<Lease> taken = node(Duration.ofMinutes(-30)).locks.tryAcquire("job");

        assertThat(early).isEmpty();
        assertThat(taken).isPresent();
    }

    @Test
    void datesOffByDecadesAreNamedAsTheReasonWhyThereIsNoToken() {
        storeTime.stepWall(Duration.ofDays(-30 * 365));

        assertThatThrownBy(() -> holder.locks.tryAcquire("job"))
                .isInstanceOf(LockStoreException.class)
                .hasMessageContaining("by the dates of the store's responses")
                .hasMessageContaining(holder.time.instant() + " by this machine's clock")
                .hasMessageNotContaining("the only one available");
    }

    @Test
    void holderStopsBeforeAnyRivalStarts() {
        for (int phase = 0; phase < 50; phase++) {
            storeTime.pass(Duration.ofMillis(37));
            holder.time.pass(Duration.ofMillis(37));
            rival.time.pass(Duration.ofMillis(37));
            Lease lease = holder.take("job-" + phase);
            Optional<Lease> taken = Optional.empty();
            while (taken.isEmpty()) {
                storeTime.pass(Duration.ofMillis(50));
                holder.time.pass(Duration.ofMillis(50));
                rival.time.pass(Duration.ofMillis(50));
                taken = rival.locks.tryAcquire("job-" + phase);
                assertThat(taken.isPresent() && lease.isHeld()).isFalse();
            }
        }
    }

    @Test
    void fewRenewalsNarrowTheTime() {
        for (int phase = 0; phase < 25; phase++) {
            storeTime.pass(Duration.ofMillis(39));
            Node fresh = node(Duration.ZERO);
            fresh.take("job-" + phase);
            for (int i = 0; i < 500; i++) {
                storeTime.pass(Duration.ofMillis(100));
                fresh.pass(Duration.ofMillis(100));
            }

            assertThat(fresh.events.clockWidth).isBetween(Duration.ofSeconds(1), Duration.ofMillis(1_250));
            assertThat(fresh.store.operations()).hasSizeLessThanOrEqualTo(2 + 6);
        }
    }

    @Test
    void onlyOneRequestIsTimedForSampling() {
        ManualTime time = new ManualTime();
        LeaseClock clock = LeaseClock.of(SERVER, time, time::nanos, new LockListener() {});
        clock.onResponse(clock.now(), clock.now(), time.instant().truncatedTo(ChronoUnit.SECONDS));
        long later = time.nanos() + Duration.ofSeconds(10).toNanos();
        long second = Duration.ofSeconds(1).toNanos();

        assertThat(clock.mostInformativeTime(clock.now(), later, later)).isEqualTo(later);
        long moment = clock.mostInformativeTime(clock.now(), later - second, later);
        assertThat(moment).isBetween(later - second, later - 1);
        assertThat(clock.mostInformativeTime(clock.now(), later - second, later))
                .isEqualTo(later);
        time.pass(Duration.ofSeconds(11));
        assertThat(clock.mostInformativeTime(clock.now(), later + second, later + 2 * second))
                .isEqualTo(moment + 2 * second);
    }

    @Test
    void processIdleForADaySamplesTimeAgain() {
        holder.take("job").release();
        pass(Duration.ofSeconds(1));
        storeTime.pass(Duration.ofDays(1));
        holder.time.pass(Duration.ofDays(1));
        holder.store.forget();

        holder.take("job");

        assertThat(holder.store.operations()).containsExactly(Operation.READ, Operation.ACQUIRE);
    }

    @Test
    void steppingClockIsSampledAtMostSixTimes() {
        ManualTime time = new ManualTime();
        FaultyStore store = new FaultyStore(rows);
        LockListener steps = new LockListener() {
            @Override
            public void onRequest(String name, Operation operation, RequestOutcome outcome) {
                if (operation == Operation.READ) {
                    time.stepWall(Duration.ofDays(1));
                }
            }
        };
        try (LockManager locks = LockManager.builder(store)
                .clock(time)
                .nanoTime(time::nanos)
                .listener(steps)
                .build()) {

            locks.tryAcquire("job").orElseThrow().release();
        }

        assertThat(store.operations())
                .hasSize(8)
                .startsWith(Operation.READ, Operation.READ)
                .endsWith(Operation.READ, Operation.ACQUIRE, Operation.RELEASE);
    }

    /** The machine is suspended after the wait time: a sample comes before the throttled write is sent again. */
    @Test
    void finalThrottledWriteIsRetriedAfterSample() {
        Lease held = holder.take("job");
        LockRequest waits = LockRequest.of("job").waitTime(Duration.ofSeconds(10));
        CompletableFuture<Optional<Lease>> waiting = rival.locks.tryAcquireAsync(waits);
        pass(Duration.ofMillis(9_990));

        held.release();
        rival.store.forget();
        rival.store.next(request -> request.get(), request -> {
            rival.time.stepWall(Duration.ofSeconds(5));
            return Fault.THROTTLE.strike(request);
        });
        pass(Duration.ofMillis(20));

        assertThat(rival.store.operations())
                .containsExactly(Operation.READ, Operation.ACQUIRE, Operation.READ, Operation.ACQUIRE);
        assertThat(waiting).isCompletedWithValueMatching(Optional::isPresent);
    }

    @Test
    @Timeout(120)
    void clockSteppingOnEachSampleLeavesCallsBounded() {
        LeaseToken token = holder.take("detached").detach();
        LockRequest waiting = LockRequest.of("job").waitTime(Duration.ofMillis(300));
        AtomicInteger reads = new AtomicInteger();
        Clock stepping = new UtcClock() {
            @Override
            public Instant instant() {
                return storeTime.instant().plus(Duration.ofDays(reads.incrementAndGet()));
            }
        };
        FaultyStore store = new FaultyStore(rows);
        try (LockManager locks = LockManager.builder(store)
                .clock(stepping)
                .attemptTimeout(Duration.ofMillis(500))
                .callTimeout(Duration.ofMillis(500))
                .shutdownGrace(Duration.ZERO)
                .build()) {

            List<ThrowingCallable> calls = List.of(
                    () -> locks.acquire(waiting),
                    () -> locks.acquireAsync(waiting).join(),
                    () -> locks.resume(token),
                    () -> locks.inspect("job"));

            assertThatThrownBy(() -> locks.tryAcquire("job")).isInstanceOf(LockStoreException.class);
            assertThat(calls)
                    .allSatisfy(call -> assertThat(catchThrowable(call))
                            .as("over, with a result or a failure")
                            .matches(failure -> !(failure instanceof Error)));
        }

        assertThat(store.operations()).hasSizeLessThan(1_000);
    }

    /** The response to a time sample proves nothing about the acquire. */
    @Test
    void unansweredAcquireIsUndoneIfResamplingExhaustsTheCall() {
        Lease held = holder.take("job");
        CompletableFuture<Optional<Lease>> waiting =
                rival.locks.tryAcquireAsync(LockRequest.of("job").waitTime(Duration.ofSeconds(2)));
        held.release();
        rival.store.next(
                Supplier::get,
                request -> {
                    rival.time.stepWall(Duration.ofDays(1)); // or the machine was suspended: it must sample
                    return Fault.LOSE_RESPONSE.strike(request);
                },
                Fault.slow(rival.time, Duration.ofSeconds(3)),
                Fault.LOSE_REQUEST,
                Fault.LOSE_REQUEST);
        rival.store.forget();

        pass(Duration.ofSeconds(3));

        assertThat(rival.store.operations())
                .containsExactly(
                        Operation.READ,
                        Operation.ACQUIRE,
                        Operation.READ,
                        Operation.ACQUIRE,
                        Operation.ACQUIRE,
                        Operation.RELEASE);
        assertThat(rival.row("job").isFree()).isTrue();
        assertThat(waiting)
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .havingCause()
                .isInstanceOfSatisfying(
                        LockStoreException.class,
                        failure -> assertThat(failure.isOutcomeUnknown()).isTrue());
    }

    @Test
    void responsesWithoutDatesNeverFallBackToWallClock() {
        holder.store.always(request -> {
            LockStore.Response response = request.get();
            return new LockStore.Response(response.applied(), response.row(), null);
        });

        holder.take("job");

        assertThat(holder.row("job").clock()).isEqualTo(LeaseTime.OBSERVED);
        assertThat(holder.events.clockProblems).containsExactly(LockListener.ClockProblem.UNDATED);
        storeTime.pass(Duration.ofHours(2));
        assertThat(rival.locks.tryAcquire("job"))
                .as("another clock: must be observed first")
                .isEmpty();
    }

    @Test
    void contradictionIsReportedAndLeadsToObservation() {
        holder.take("job");
        holder.store.next(request -> {
            LockStore.Response response = request.get();
            Instant wrong = storeTime.instant().plusSeconds(20);
            return new LockStore.Response(response.applied(), response.row(), wrong);
        });
        holder.take("other");

        holder.take("third");

        assertThat(holder.events.clockProblems).containsExactly(LockListener.ClockProblem.CONTRADICTION);
        assertThat(holder.row("third").clock()).isEqualTo(LeaseTime.OBSERVED);
        assertThat(holder.events.clockWidth)
                .as("no sample of what is not trusted")
                .isZero();
    }

    private void falsifyDates(Node node, long wrongBySeconds) {
        node.store.always(request -> {
            LockStore.Response response = request.get();
            return new LockStore.Response(
                    response.applied(), response.row(), storeTime.instant().plusSeconds(wrongBySeconds));
        });
    }

    @ParameterizedTest
    @ValueSource(longs = {-86_400, -7_200, -300, -60, 60, 300, 1_800, 7_200, 86_400})
    void consistentlyWrongDatesDoNotAllowTakeover(long wrongBySeconds) {
        Lease lease = holder.take("job");
        rival.locks.tryAcquire("job");
        falsifyDates(rival, wrongBySeconds);

        for (int attempts = 0; attempts < 6; attempts++) {
            pass(Duration.ofMillis(400));
            assertThat(rival.locks.tryAcquire("job")).isEmpty();
        }

        assertThat(lease.isHeld()).isTrue();
        assertThat(rival.events.clockProblems).containsExactly(LockListener.ClockProblem.CONTRADICTION);
    }

    @ParameterizedTest
    @ValueSource(longs = {-86_400, -7_200, -300, -60, 60, 300, 1_800, 7_200, 86_400})
    void holderWithWrongDatesKeepsItsLock(long wrongBySeconds) {
        Lease lease = holder.take("job");
        falsifyDates(holder, wrongBySeconds);

        for (int attempts = 0; attempts < 90; attempts++) {
            pass(Duration.ofSeconds(1));
            assertThat(rival.locks.tryAcquire("job")).isEmpty();
        }

        assertThat(lease.isHeld()).isTrue();
        assertThat(holder.row("job").clock()).isEqualTo(LeaseTime.OBSERVED);
        assertThat(holder.events.clockProblems).containsExactly(LockListener.ClockProblem.CONTRADICTION);
    }

    @Test
    void rejectionDatedAfterLeaseEndIsRetriedImmediately() {
        boolean triedAgain = false;
        for (int millis = 30_000; millis < 33_500 && !triedAgain; millis += 50) {
            Node fresh = node(Duration.ZERO);
            fresh.locks.tryAcquire("prime-" + millis);
            fresh.store.forget();
            holder.take("job-" + millis);
            storeTime.pass(Duration.ofMillis(millis));
            holder.time.pass(Duration.ofMillis(millis));
            fresh.time.pass(Duration.ofMillis(millis));

            Optional<Lease> taken = fresh.locks.tryAcquire("job-" + millis);

            triedAgain = taken.isPresent() && fresh.store.operations().size() == 2;
        }

        assertThat(triedAgain).isTrue();
    }

    /** The store's time is known for an hour. Nobody waits for the lock, as for that of a job by cron. */
    @Test
    void deadHolderOfLongLeaseIsReplacedAfterIt() throws InterruptedException {
        Duration hours = Duration.ofHours(4);
        Lease lease = holder.locks.acquire(LockRequest.of("job").leaseDuration(hours));
        Duration step = Duration.ofMillis(100);
        for (Duration gone = Duration.ZERO; gone.compareTo(hours) < 0; gone = gone.plus(step)) {
            storeTime.pass(step);
            holder.pass(step);
        }
        assertThat(lease.isHeld()).isTrue();

        storeTime.pass(hours.plusSeconds(10));

        assertThat(node(Duration.ZERO).locks.tryAcquire("job")).isPresent();
    }

    /** A process that sees the row for the first time could not compare the end otherwise: it would wait for as long. */
    @Test
    void lockIsKeptUntilTheStoresTimeAlsoAfterAnHourOfSilence() throws InterruptedException {
        Lease lease = takeSilently(Duration.ofHours(3));
        holder.store.forget();

        lease.release();

        assertThat(holder.store.operations()).containsExactly(Operation.READ, Operation.RELEASE);
        storeTime.pass(Duration.ofHours(1));
        assertThat(node(Duration.ZERO).locks.tryAcquire("job")).isEmpty();
        storeTime.pass(Duration.ofHours(1));
        assertThat(node(Duration.ZERO).locks.tryAcquire("job")).isPresent();
    }

    @Test
    void lockIsReleasedAlsoIfTheStoresTimeCannotBeRead() throws InterruptedException {
        Lease lease = takeSilently(Duration.ofHours(3));
        holder.store.next(Fault.DENY);

        assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
    }

    @Test
    void releaseThatKeepsNothingIsOneRequestAlsoAfterAnHourOfSilence() throws InterruptedException {
        Lease lease = takeSilently(Duration.ofHours(1));
        holder.store.forget();

        lease.release();

        assertThat(holder.store.operations()).containsExactly(Operation.RELEASE);
    }

    /** The time becomes known to another thread's request, at any moment of the release. */
    @Test
    void lockIsKeptUntilTheStoresTimeAlsoIfThatWasJustRead() throws InterruptedException {
        for (int reading = 2; reading < 12; reading++) {
            Lease lease = takeSilently(Duration.ofHours(3));
            holder.time.atReading(reading, () -> holder.locks.inspect("other"));

            lease.release();

            assertThat(holder.row("job").clock()).as("reading %s", reading).isEqualTo(LeaseTime.SERVER);
            storeTime.pass(Duration.ofHours(3));
            holder.pass(Duration.ofHours(3));
        }
    }

    @Test
    void lockIsAcquiredWithTheStoresTimeAlsoIfThatWasJustRead() {
        for (int reading = 1; reading < 12; reading++) {
            Node fresh = node(Duration.ZERO);
            fresh.time.atReading(reading, () -> fresh.locks.inspect("other"));

            fresh.take("job-" + reading);

            assertThat(fresh.row("job-" + reading).clock())
                    .as("reading %s", reading)
                    .isEqualTo(LeaseTime.SERVER);
        }
    }

    private Lease takeSilently(Duration minHold) throws InterruptedException {
        LockRequest request = LockRequest.of("job").leaseDuration(Duration.ofHours(4));
        Lease lease = holder.locks.acquire(request.autoRenew(false).minHold(minHold));
        storeTime.pass(Duration.ofMinutes(70));
        holder.pass(Duration.ofMinutes(70));
        return lease;
    }

    @Test
    void firstDatesFarFromWallClockLogOneWarning() {
        Node off = node(Duration.ofHours(3));

        try (CapturedLogs logs = new CapturedLogs()) {
            off.take("one");
            off.take("two");
            off.take("three");

            assertThat(logs.warnings()).singleElement().asString().contains("more than an hour off");
        }
    }
}
