/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.coordination;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

import io.dynamolock.InvalidSettingException;
import io.dynamolock.Latches;
import io.dynamolock.Lease;
import io.dynamolock.LockListener.Operation;
import io.dynamolock.LockManager;
import io.dynamolock.LockManagerClosedException;
import io.dynamolock.LockRequest;
import io.dynamolock.LockStoreException;
import io.dynamolock.ReleaseOutcome;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CircuitSwitchTests {

    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration LONG_ENOUGH = Duration.ofSeconds(10);

    private final Cluster cluster = new Cluster();
    private final LockManager another = cluster.another();
    private final CircuitSwitch here = CircuitSwitch.of(cluster.locks, "gate");
    private final CircuitSwitch there = CircuitSwitch.of(another, "gate", Duration.ZERO);

    @AfterEach
    void close() {
        cluster.close();
    }

    @Test
    void anyProcessOpensAndCloses() {
        assertThat(there.isOpen()).isFalse();
        there.close();
        here.open(MINUTE);
        assertThat(there.isOpen()).isTrue();
        there.open(MINUTE);
        assertThat(there.isOpen()).isTrue();
        assertThat(here.isOpen()).isTrue();
        there.close();
        there.close();
        assertThat(there.isOpen()).isFalse();
        cluster.clock.advance(SECOND);
        assertThat(here.isOpen()).isFalse();
    }

    @Test
    void closesByItselfAtItsEndNotBefore() {
        here.open(MINUTE);

        cluster.clock.advance(MINUTE.minusSeconds(1));
        assertThat(there.isOpen()).isTrue();
        cluster.clock.advance(SECOND.plusMillis(10));

        assertThat(there.isOpen()).isFalse();
        assertThat(here.isOpen()).isFalse();
    }

    @Test
    void rowOfAnotherUseThatHasEndedIsLeftAlone() throws Exception {
        another.acquire("gate").release(SECOND);
        cluster.clock.advance(MINUTE);

        here.close();

        assertThat(another.inspect("gate").kept()).isTrue();
        assertThat(there.isOpen()).isFalse();
    }

    @Test
    void longestCacheTimeIsAYear() {
        CircuitSwitch cached = CircuitSwitch.of(cluster.locks, "gate", Duration.ofSeconds(Long.MAX_VALUE));
        cached.open(MINUTE);
        cluster.clock.advance(MINUTE.multipliedBy(2));

        assertThat(cached.isOpen()).isTrue();
    }

    @Test
    void openingAgainSetsEndWithoutClosing() {
        here.open(MINUTE);
        cluster.forgetRequests();
        there.open(MINUTE.multipliedBy(3));
        assertThat(cluster.requests()).containsExactly(Operation.ACQUIRE, Operation.READ, Operation.RELEASE);
        cluster.clock.advance(MINUTE.multipliedBy(2));
        assertThat(there.isOpen()).isTrue();

        here.open(SECOND);
        cluster.clock.advance(SECOND.multipliedBy(2));

        assertThat(there.isOpen()).isFalse();
    }

    @Test
    void readingIsOneReadAndNoneWithinSecond() {
        assertThat(here.isOpen()).isFalse();
        assertThat(here.isOpen()).isFalse();
        assertThat(cluster.requests()).containsExactly(Operation.READ);

        there.open(MINUTE);
        cluster.clock.advance(SECOND);
        cluster.forgetRequests();
        assertThat(here.isOpen()).isTrue();
        assertThat(here.isOpen()).isTrue();

        assertThat(cluster.requests()).containsExactly(Operation.READ);
    }

    @Test
    void readingCountsFromItsRequestNotFromItsResponse() {
        cluster.afterNextRead(() -> {
            there.open(MINUTE);
            cluster.clock.advance(SECOND);
        });
        assertThat(here.isOpen()).isFalse();

        assertThat(here.isOpen()).isTrue();
    }

    @Test
    void ownChangeIsSeenImmediately() {
        assertThat(here.isOpen()).isFalse();
        here.open(MINUTE);
        assertThat(here.isOpen()).isTrue();
        here.close();
        assertThat(here.isOpen()).isFalse();
    }

    @Test
    void readInFlightDoesNotHideOwnOpening() {
        cluster.afterNextRead(() -> here.open(MINUTE));

        assertThat(here.isOpen()).isTrue();
        assertThat(here.isOpen()).isTrue();

        assertThat(cluster.requests().stream().filter(Operation.READ::equals)).hasSize(1);
    }

    /** A read whose response does not arrive until it is told to. */
    private final class HeldRead {

        private final CountDownLatch sent = new CountDownLatch(1);
        private final CountDownLatch late = new CountDownLatch(1);
        private final CompletableFuture<Boolean> reader;

        HeldRead(Runnable response) {
            this(here, response);
        }

        HeldRead(CircuitSwitch asked, Runnable response) {
            cluster.afterNextRead(() -> {
                sent.countDown();
                Latches.await(late);
                response.run();
            });
            reader = Background.run(asked::isOpen);
            Latches.await(sent);
        }
    }

    private record Asking(Thread thread, CompletableFuture<Boolean> result) {

        /** Returns how often the thread has begun to wait. */
        long waits() {
            return ManagementFactory.getThreadMXBean()
                    .getThreadInfo(thread.getId())
                    .getWaitedCount();
        }
    }

    /** Starts a thread that waits for the read of another one, or reads itself. */
    private Asking anotherThread() throws Exception {
        return anotherThread(here);
    }

    private static Asking anotherThread(CircuitSwitch asked) throws Exception {
        CompletableFuture<Thread> started = new CompletableFuture<>();
        CompletableFuture<Boolean> result = Background.run(() -> {
            started.complete(Thread.currentThread());
            return asked.isOpen();
        });
        Thread thread = started.get();
        await().until(() -> thread.getState() == Thread.State.TIMED_WAITING || result.isDone());
        return new Asking(thread, result);
    }

    @Test
    void readingCountsForASecondLongerAtMostWhileAnotherThreadReads() throws Exception {
        CircuitSwitch cached = CircuitSwitch.of(cluster.locks, "gate", MINUTE);
        assertThat(cached.isOpen()).isFalse();
        there.open(MINUTE.multipliedBy(10));
        cluster.clock.advance(MINUTE.plus(SECOND));

        HeldRead read = new HeldRead(cached, () -> {});
        CompletableFuture<Boolean> other = anotherThread(cached).result;
        read.late.countDown();

        assertThat(read.reader).succeedsWithin(LONG_ENOUGH).isEqualTo(true);
        assertThat(other).succeedsWithin(LONG_ENOUGH).isEqualTo(true);
    }

    /** Otherwise a slow store would get a read of each thread, none of which would be in time for the next call. */
    @Test
    void threadsThatAskAtOnceShareOneRead() throws Exception {
        HeldRead read = new HeldRead(() -> {});
        List<CompletableFuture<Boolean>> threads = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            threads.add(anotherThread().result);
        }
        read.late.countDown();

        assertThat(read.reader).succeedsWithin(LONG_ENOUGH).isEqualTo(false);
        assertThat(threads)
                .allSatisfy(
                        thread -> assertThat(thread).succeedsWithin(LONG_ENOUGH).isEqualTo(false));
        assertThat(cluster.requests()).containsExactly(Operation.READ);
    }

    /** The next call reads again. */
    @Test
    void threadsThatShareReadShareItsFailure() throws Exception {
        HeldRead read = new HeldRead(() -> {
            throw new IllegalStateException("response is lost");
        });
        CompletableFuture<Boolean> second = anotherThread().result;
        read.late.countDown();

        assertThat(read.reader).failsWithin(LONG_ENOUGH).withThrowableThat().withMessageContaining("is lost");
        assertThat(second).failsWithin(LONG_ENOUGH).withThrowableThat().withMessageContaining("is lost");
        assertThat(here.isOpen()).isFalse();
    }

    /** One that asks in turn for what the reading thread knows would otherwise never return. */
    @Test
    void readThatHangsIsReplacedWithinSecond() throws Exception {
        HeldRead read = new HeldRead(() -> {});
        CompletableFuture<Boolean> other = anotherThread().result;
        cluster.clock.advance(SECOND);

        assertThat(other).succeedsWithin(LONG_ENOUGH).isEqualTo(false);
        read.late.countDown();
        assertThat(read.reader).succeedsWithin(LONG_ENOUGH).isEqualTo(false);
    }

    /** Where reads take longer than a second, no thread would return otherwise but those that read. */
    @Test
    void threadThatWaitsReturnsWithTheFirstResponse() throws Exception {
        HeldRead read = new HeldRead(() -> {});
        CountDownLatch never = new CountDownLatch(1);
        cluster.beforeRead(() -> Latches.await(never));
        Asking one = anotherThread();
        Asking other = anotherThread();
        long waits = Math.max(one.waits(), other.waits());
        cluster.clock.advance(SECOND.multipliedBy(2)); // one of them reads; for others, the first response is too old
        await().until(() -> one.waits() > waits && other.waits() > waits);

        read.late.countDown();

        assertThat(CompletableFuture.anyOf(one.result, other.result))
                .succeedsWithin(LONG_ENOUGH)
                .isEqualTo(false);
        never.countDown();
        assertThat(CompletableFuture.allOf(one.result, other.result)).succeedsWithin(LONG_ENOUGH);
    }

    @Test
    void listenerOfItsReadCanAsk() {
        List<Boolean> asked = new ArrayList<>();
        cluster.afterNextRead(() -> asked.add(here.isOpen()));

        assertThat(Background.run(here::isOpen)).succeedsWithin(LONG_ENOUGH).isEqualTo(false);
        assertThat(asked).containsExactly(false);
    }

    @Test
    void lateReadingDoesNotHideLaterOne() throws Exception {
        HeldRead read = new HeldRead(() -> {});
        there.open(MINUTE);
        cluster.clock.advance(SECOND);
        cluster.afterNextRead(() -> {
            read.late.countDown();
            assertThat(read.reader.join()).isFalse();
        });

        assertThat(here.isOpen()).isTrue();
        assertThat(here.isOpen()).isTrue();
    }

    @Test
    void costsWhatIsDocumented() {
        here.open(MINUTE);
        assertThat(cluster.requests()).containsExactly(Operation.ACQUIRE, Operation.RELEASE);
        cluster.forgetRequests();
        here.close();
        assertThat(cluster.requests()).containsExactly(Operation.READ, Operation.READ, Operation.RELEASE);
        cluster.forgetRequests();
        here.close();
        assertThat(cluster.requests()).containsExactly(Operation.READ);
    }

    @Test
    void rowShowsWhoOpenedIt() {
        here.open(MINUTE);

        assertThat(another.inspect("gate").owner()).isEqualTo("first");
        assertThat(another.inspect("gate").expiresAt())
                .isAfter(cluster.clock.instant().plusSeconds(50));
    }

    /** Acquires the lock as open() does, before it releases it. */
    private Lease halfOpened(LockManager locks) throws InterruptedException {
        return locks.acquire(Kind.SWITCH.mark(LockRequest.of("gate")));
    }

    @Test
    void openerThatDiedCanBeClosed() throws Exception {
        Lease half = halfOpened(another);
        assertThat(here.isOpen()).isTrue();

        here.close();

        assertThat(there.isOpen()).isFalse();
        assertThat(half.release(MINUTE)).isNotEqualTo(ReleaseOutcome.RELEASED);
    }

    @Test
    void openerThatDiedIsReplacedSoon() throws Exception {
        var unused = halfOpened(another);

        Background.run(() -> {
                    here.open(MINUTE);
                    return true;
                })
                .get(5, TimeUnit.SECONDS);

        assertThat(another.inspect("gate").kept()).isTrue();
        assertThat(another.inspect("gate").owner()).isEqualTo("first");
        assertThat(cluster.requests().stream().filter(Operation.ACQUIRE::equals))
                .hasSizeLessThan(10);
    }

    @Test
    void openerUnderWayIsAwaited() throws Exception {
        Lease half = halfOpened(another);
        var opening = Background.run(() -> {
            here.open(MINUTE);
            return true;
        });
        Cluster.await(() -> cluster.requests().contains(Operation.READ));

        assertThat(half.release(SECOND)).isEqualTo(ReleaseOutcome.RELEASED);

        assertThat(opening.get(10, TimeUnit.SECONDS)).isTrue();
        cluster.clock.advance(SECOND.multipliedBy(10));
        assertThat(there.isOpen()).isTrue();
    }

    @Test
    void interruptEndsWaitToOpenAndIsPreserved() throws Exception {
        var unused = halfOpened(another);
        CompletableFuture<Boolean> stillInterrupted = Background.run(() -> {
            Thread.currentThread().interrupt();
            assertThatExceptionOfType(LockStoreException.class)
                    .isThrownBy(() -> here.open(MINUTE))
                    .withMessageContaining("'another-1' is opening or closing it")
                    .withMessageContaining("interrupted");
            return Thread.interrupted();
        });

        assertThat(stillInterrupted.get(10, TimeUnit.SECONDS)).isTrue();
        assertThat(another.inspect("gate").kept()).isFalse();
    }

    @Test
    void interruptedThreadOpensAndCloses() throws Exception {
        CompletableFuture<Boolean> stillInterrupted = Background.run(() -> {
            Thread.currentThread().interrupt();
            here.open(MINUTE);
            here.open(MINUTE);
            here.close();
            return Thread.interrupted();
        });

        assertThat(stillInterrupted.get(10, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void lockOfAnotherUseIsNeitherOpenNorClosed() throws Exception {
        Lease lease = another.acquire("gate");

        assertIsRejected(here::close, "'another-1' holds it");
        assertIsRejected(here::isOpen, "'another-1' holds it");
        assertIsRejected(() -> here.open(MINUTE), "'another-1' holds it");

        assertThat(lease.verify()).isTrue();
        assertThat(lease.release(MINUTE)).isEqualTo(ReleaseOutcome.RELEASED);
        assertIsRejected(here::close, "stays taken");
        assertIsRejected(() -> here.open(MINUTE), "stays taken");
        assertThat(another.inspect("gate").expiresAt())
                .isAfter(cluster.clock.instant().plusSeconds(50));
    }

    private static void assertIsRejected(ThrowingCallable action, String reason) {
        assertThatIllegalStateException()
                .isThrownBy(action)
                .withMessageContaining("'gate' is in use, but not for a circuit switch")
                .withMessageContaining(reason)
                .withMessageContaining("forceFree(\"gate\")");
    }

    @Test
    void rejectsTimesOutOfRange() {
        for (Duration time : new Duration[] {Duration.ZERO, SECOND.negated(), Duration.ofDays(36_501)}) {
            assertThatExceptionOfType(InvalidSettingException.class)
                    .isThrownBy(() -> here.open(time))
                    .withMessageContaining("duration");
        }
        assertThat(cluster.requests()).isEmpty();
    }

    @Test
    void failureIsNeitherOpenNorClosed() {
        cluster.storeIsDown(true);
        assertThatExceptionOfType(LockStoreException.class).isThrownBy(here::isOpen);
        assertThatExceptionOfType(LockStoreException.class).isThrownBy(() -> here.open(MINUTE));
        assertThatExceptionOfType(LockStoreException.class).isThrownBy(here::close);
        cluster.storeIsDown(false);
        assertThat(here.isOpen()).isFalse();
        cluster.locks.close();
        assertThatExceptionOfType(LockManagerClosedException.class).isThrownBy(() -> here.open(MINUTE));
        assertThatExceptionOfType(LockManagerClosedException.class).isThrownBy(here::close);
    }

    @Test
    void withoutLockingItIsAlwaysClosed() {
        CircuitSwitch unlocked = CircuitSwitch.of(LockManager.unlocked(), "gate", Duration.ZERO);

        unlocked.open(MINUTE);
        assertThat(unlocked.isOpen()).isFalse();
        CircuitSwitch cached = CircuitSwitch.of(LockManager.unlocked(), "gate");
        cached.open(MINUTE);
        assertThat(cached.isOpen()).isFalse();
        unlocked.close();

        assertThat(unlocked.isOpen()).isFalse();
    }
}
