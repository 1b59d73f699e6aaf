/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.coordination;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.dynamolock.Lease;
import io.dynamolock.LockListener.Operation;
import io.dynamolock.LockManager;
import io.dynamolock.LockRequest;
import io.dynamolock.LockStoreException;
import io.dynamolock.TestRun;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** First acquisitions while another process or thread writes the number of permits, or has crashed meanwhile. */
class FixedNumberTests {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    /** More writes than the attempts of 1.3 seconds. */
    private static final int WRITES_OF_A_LONG_WAIT = 12;

    /** A semaphore, or one side of a read-write lock, and the row of its number. */
    private enum Side {
        SEMAPHORE("pool#permits") {
            @Override
            Acquirable of(LockManager locks) {
                return DistributedSemaphore.of(locks, "pool", 3);
            }
        },
        READERS("map#read#permits") {
            @Override
            Acquirable of(LockManager locks) {
                return DistributedReadWriteLock.of(locks, "map", 3).read();
            }
        },
        WRITERS("map#read#permits") {
            @Override
            Acquirable of(LockManager locks) {
                return DistributedReadWriteLock.of(locks, "map", 3).write();
            }
        };

        private final String row;

        Side(String row) {
            this.row = row;
        }

        LockRequest number() {
            return LockRequest.of(row).metadata(Map.of("permits", "3"));
        }

        abstract Acquirable of(LockManager locks);
    }

    private final Cluster cluster = new Cluster();

    @AfterEach
    void close() {
        cluster.close();
    }

    @ParameterizedTest
    @EnumSource
    void slowWriterIsAwaitedForTheWaitTime(Side side) throws Exception {
        Lease writer = cluster.another().acquire(side.number());
        Acquirable here = side.of(cluster.locks);
        CompletableFuture<Optional<Lease>> waiting = Background.run(() -> here.tryAcquire(MINUTE));

        letTimePassUntil(() -> waiting.isDone() || writes() > WRITES_OF_A_LONG_WAIT);
        assertThat(waiting).isNotDone();
        writer.release(Lease.LONGEST_KEEP);

        assertAcquired(waiting);
    }

    @ParameterizedTest
    @EnumSource
    void waitForTheWriterEndsWithTheWaitTime(Side side) throws Exception {
        Lease writer = cluster.another().acquire(side.number());
        Acquirable here = side.of(cluster.locks);
        CompletableFuture<Optional<Lease>> waiting = Background.run(() -> here.tryAcquire(MINUTE));
        letTimePassUntil(() -> waiting.isDone() || writes() > WRITES_OF_A_LONG_WAIT);
        assertThat(waiting).isNotDone();

        cluster.clock.advance(MINUTE);

        assertThat(waiting)
                .failsWithin(TestRun.TIMEOUT)
                .withThrowableThat()
                .withCauseInstanceOf(LockStoreException.class)
                .withMessageContaining("another process or thread is writing it");
        assertThat(writer.isHeld()).isTrue();
    }

    @Test
    void numberRecordedAtTheEndOfTheWaitTimeCounts() throws Exception {
        Lease writer = cluster.another().acquire(Side.SEMAPHORE.number());
        Acquirable here = Side.SEMAPHORE.of(cluster.locks);
        Instant end = cluster.clock.instant().plus(MINUTE);
        CompletableFuture<Optional<Lease>> waiting = Background.run(() -> here.tryAcquire(MINUTE));
        letTimePassUntil(() -> waiting.isDone() || writes() > WRITES_OF_A_LONG_WAIT);
        AtomicBoolean recorded = new AtomicBoolean();
        cluster.beforeRead(() -> {
            if (!cluster.clock.instant().isBefore(end) && recorded.compareAndSet(false, true)) {
                writer.release(Lease.LONGEST_KEEP);
            }
        });

        cluster.clock.advance(MINUTE);

        assertAcquired(waiting);
        assertThat(recorded).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void interruptWhileTheNumberIsVerifiedIsReportedAsSuch(Side side) throws Exception {
        Lease writer = cluster.another().acquire(side.number());
        Acquirable here = side.of(cluster.locks);
        cluster.beforeRead(Thread.currentThread()::interrupt);

        assertThatExceptionOfType(InterruptedException.class).isThrownBy(() -> here.tryAcquire(MINUTE));

        assertThat(Thread.interrupted()).isFalse();
        assertThat(writer.isHeld()).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void interruptedThreadSendsNothingBeforeItWaits(Side side) {
        Acquirable here = side.of(cluster.locks);
        Thread.currentThread().interrupt();

        assertThatExceptionOfType(InterruptedException.class).isThrownBy(() -> here.tryAcquire(MINUTE));

        assertThat(cluster.requests()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void singleAttemptPreservesInterrupt(Side side) throws Exception {
        Lease writer = cluster.another().acquire(side.number());
        Acquirable here = side.of(cluster.locks);
        Thread.currentThread().interrupt();

        assertThatExceptionOfType(LockStoreException.class).isThrownBy(here::tryAcquire);
        assertThat(Thread.currentThread().isInterrupted()).isTrue();
        assertThatExceptionOfType(LockStoreException.class).isThrownBy(() -> here.tryAcquire(Duration.ZERO));
        assertThat(Thread.currentThread().isInterrupted()).isTrue();
        writer.release(Lease.LONGEST_KEEP);

        assertThat(here.tryAcquire()).isPresent();
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void threadsOfOneProcessVerifyTogether() throws Exception {
        Verifying threads = new Verifying(() -> {});

        threads.goOn();

        assertThat(threads.results).allSatisfy(FixedNumberTests::assertAcquired);
        assertThat(threads.reads).hasValue(1);
    }

    @Test
    void failureIsThatOfAllWhoVerifyTogether() throws Exception {
        Verifying threads = new Verifying(() -> cluster.storeIsDown(true));

        threads.goOn();

        assertThat(threads.results)
                .allSatisfy(result -> assertThat(result)
                        .failsWithin(TestRun.TIMEOUT)
                        .withThrowableThat()
                        .withMessageContaining("the store is down"));
        assertThat(threads.reads).hasValue(1);
    }

    @Test
    void interruptOfOneThreadIsNotThatOfOthers() throws Exception {
        Lease writer = cluster.another().acquire(Side.SEMAPHORE.number());
        Verifying threads = new Verifying(() -> Thread.currentThread().interrupt());

        threads.goOn();

        assertInterrupted(threads.results.get(0));
        writer.release(Lease.LONGEST_KEEP);
        assertThat(threads.results.subList(1, 3)).allSatisfy(FixedNumberTests::assertAcquired);
    }

    @Test
    void interruptEndsWaitForThreadThatVerifies() throws Exception {
        Verifying threads = new Verifying(() -> {});

        threads.interruptLast();

        assertInterrupted(threads.results.get(2));
        threads.goOn();
        assertThat(threads.results.subList(0, 2)).allSatisfy(FixedNumberTests::assertAcquired);
    }

    /** Three threads, of which the first is stopped at its first read. */
    private final class Verifying {

        final AtomicInteger reads = new AtomicInteger();
        final List<CompletableFuture<Optional<Lease>>> results = new ArrayList<>();
        private final DistributedSemaphore here = DistributedSemaphore.of(cluster.locks, "pool", 3);
        private final List<Thread> threads = new CopyOnWriteArrayList<>();
        private final CountDownLatch open = new CountDownLatch(1);

        Verifying(Runnable firstRead) throws InterruptedException {
            cluster.beforeRead(() -> {
                if (reads.incrementAndGet() == 1) {
                    Background.awaitUninterruptibly(open);
                    firstRead.run();
                }
            });
            for (int i = 1; i <= 3; i++) {
                int started = i;
                results.add(Background.run(() -> {
                    threads.add(Thread.currentThread());
                    return here.tryAcquire(MINUTE);
                }));
                Cluster.await(() -> threads.size() == started && waitsOrHasEnded(threads.get(started - 1)));
            }
        }

        private static boolean waitsOrHasEnded(Thread thread) {
            return thread.getState() == Thread.State.TIMED_WAITING || !thread.isAlive();
        }

        void interruptLast() {
            threads.get(2).interrupt();
        }

        void goOn() {
            open.countDown();
        }
    }

    private static void assertAcquired(CompletableFuture<Optional<Lease>> result) {
        assertThat(result).succeedsWithin(TestRun.TIMEOUT).matches(Optional::isPresent);
    }

    private static void assertInterrupted(CompletableFuture<Optional<Lease>> result) {
        assertThat(result)
                .failsWithin(TestRun.TIMEOUT)
                .withThrowableThat()
                .withCauseInstanceOf(InterruptedException.class);
    }

    private long writes() {
        return cluster.requests().stream().filter(Operation.ACQUIRE::equals).count();
    }

    private void letTimePassUntil(BooleanSupplier condition) throws InterruptedException {
        Cluster.await(() -> {
            cluster.clock.advance(Duration.ofMillis(20));
            return condition.getAsBoolean();
        });
    }
}
