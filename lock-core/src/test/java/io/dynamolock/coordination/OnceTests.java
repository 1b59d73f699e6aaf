/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.coordination;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNoException;

import io.dynamolock.Execution;
import io.dynamolock.Lease;
import io.dynamolock.LeaseLostException;
import io.dynamolock.LockListener.Operation;
import io.dynamolock.LockManager;
import io.dynamolock.LockManagerClosedException;
import io.dynamolock.LockRequest;
import io.dynamolock.LockState;
import io.dynamolock.LockStoreException;
import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class OnceTests {

    private final Cluster cluster = new Cluster();
    private final LockManager another = cluster.another();
    private final Once here = Once.of(cluster.locks, "migration-42");
    private final Once there = Once.of(another, "migration-42");
    private final AtomicInteger runs = new AtomicInteger();

    @AfterEach
    void close() {
        cluster.close();
    }

    @Test
    void runsOnceForEver() throws Exception {
        assertThat(here.isDone()).isFalse();
        assertThat(here.run(runs::incrementAndGet)).isTrue();
        assertThat(here.run(runs::incrementAndGet)).isFalse();
        assertThat(there.run(runs::incrementAndGet)).isFalse();
        assertThat(there.tryRun(runs::incrementAndGet)).isFalse();
        assertThat(there.call(() -> "result").executed()).isFalse();

        cluster.clock.pauseProcess(Duration.ofDays(10_000));

        assertThat(Once.of(another, "migration-42").tryRun(runs::incrementAndGet))
                .isFalse();
        assertThat(there.isDone()).isTrue();
        assertThat(runs).hasValue(1);
    }

    @Test
    void nestedRunIsSkipped() throws Exception {
        Once reentrant = Once.of(cluster.locks, LockRequest.of("job").reentrant(true));

        boolean ran = reentrant.run(
                () -> assertThat(reentrant.tryRun(runs::incrementAndGet)).isFalse());

        assertThat(ran).isTrue();
        assertThat(runs).hasValue(0);
    }

    @Test
    @Timeout(60)
    void workDoesNotWaitForItsOwnEnd() throws Exception {
        boolean ran = here.run(() -> assertThatIllegalStateException()
                .isThrownBy(() -> Once.of(cluster.locks, "migration-42").run(runs::incrementAndGet))
                .withMessageContaining("already runs the work 'migration-42', so run and call would wait forever"));

        assertThat(ran).isTrue();
        assertThat(runs).hasValue(0);
        here.reset();
        assertThat(here.run(runs::incrementAndGet)).isTrue();
    }

    @Test
    void workCanRunOtherWorkOnce() throws Exception {
        Once other = Once.of(cluster.locks, "migration-43");

        here.run(() -> assertThatNoException().isThrownBy(() -> other.run(runs::incrementAndGet)));

        assertThat(runs).hasValue(1);
    }

    @Test
    void longerWaitWritesMoreRarely() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        CompletableFuture<Boolean> first = Background.run(() -> here.run(() -> {
            begun.countDown();
            Background.awaitUninterruptibly(end);
        }));
        begun.await();
        CompletableFuture<Boolean> waiting = Background.run(() -> there.run(runs::incrementAndGet));

        for (int i = 0; i < 100; i++) {
            int sent = cluster.requests().size();
            cluster.clock.advance(Duration.ofSeconds(3));
            Cluster.await(() -> cluster.requests().size() > sent + 5);
        }

        assertThat(cluster.requests().stream().filter(Operation.ACQUIRE::equals))
                .hasSizeBetween(10, 85); // at most 2 in each of 40 turns; in turns of 2 s, more than 100
        end.countDown();
        assertThat(first.get(10, TimeUnit.SECONDS)).isTrue();
        Cluster.await(() -> {
            cluster.clock.advance(Duration.ofMinutes(1)); // again if a turn begins meanwhile
            return waiting.isDone();
        });
        assertThat(waiting.get(10, TimeUnit.SECONDS)).isFalse();
    }

    @Test
    void rowShowsWhoDidItAndWhen() throws Exception {
        here.run(() -> {});

        LockState state = there.state();

        assertThat(state.owner()).isEqualTo("first");
        assertThat(state.lastHold()).isNotNull().satisfies(hold -> {
            assertThat(hold.failed()).isFalse();
            assertThat(hold.endedAt()).isBeforeOrEqualTo(cluster.clock.instant());
        });
    }

    @Test
    void failedRunLeavesItFree() throws Exception {
        assertThatIllegalStateException()
                .isThrownBy(() -> here.run(() -> {
                    throw new IllegalStateException("broken");
                }))
                .withMessage("broken");
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> here.call(() -> {
                    throw new IOException("broken");
                }));

        assertThat(here.isDone()).isFalse();
        assertThat(here.state().lastHold())
                .isNotNull()
                .satisfies(hold -> assertThat(hold.failed()).isTrue());
        assertThat(there.call(() -> "result").result()).isEqualTo("result");
        assertThat(here.isDone()).isTrue();
    }

    @Test
    void whoeverComesLaterWaitsOrSkips() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        CompletableFuture<Boolean> first = Background.run(() -> here.run(() -> {
            runs.incrementAndGet();
            begun.countDown();
            Background.awaitUninterruptibly(end);
        }));
        begun.await();

        assertThat(there.tryRun(runs::incrementAndGet)).isFalse();
        CompletableFuture<Boolean> waiting = Background.run(() -> there.run(runs::incrementAndGet));
        Cluster.await(() -> cluster.requests().size() > 30);
        assertThat(waiting).isNotDone();
        end.countDown();

        assertThat(first.get(10, TimeUnit.SECONDS)).isTrue();
        assertThat(waiting.get(10, TimeUnit.SECONDS)).isFalse();
        assertThat(runs).hasValue(1);
    }

    @Test
    void waiterRunsWhatAnotherFailedToDo() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        CompletableFuture<Boolean> first = Background.run(() -> here.run(() -> {
            begun.countDown();
            Background.awaitUninterruptibly(end);
            throw new IllegalStateException("broken");
        }));
        begun.await();
        CompletableFuture<Boolean> waiting = Background.run(() -> there.run(runs::incrementAndGet));
        end.countDown();

        assertThat(waiting.get(10, TimeUnit.SECONDS)).isTrue();
        assertThat(first).isCompletedExceptionally();
    }

    @Test
    void lostLeaseIsNotDone() {
        assertThatExceptionOfType(LeaseLostException.class)
                .isThrownBy(() -> here.run(() -> cluster.clock.pauseProcess(Duration.ofMinutes(1))));

        assertThat(there.isDone()).isFalse();
        assertThat(there.tryRun(runs::incrementAndGet)).isTrue();
    }

    @Test
    void lossThatOnlyReleaseFindsIsReported() {
        assertThatExceptionOfType(LeaseLostException.class)
                .isThrownBy(() -> here.run(() -> {
                    var unused = another.forceFree("migration-42");
                }));

        assertThat(there.isDone()).isFalse();
    }

    @Test
    void lossBetweenTheEndOfTheWorkAndItsRecordIsReported() {
        cluster.beforeNextRelease(() -> {
            cluster.clock.pauseProcess(Duration.ofMinutes(1));
            assertThatIllegalStateException()
                    .isThrownBy(() -> there.run(() -> {
                        throw new IllegalStateException("the other process fails");
                    }));
        });

        assertThatExceptionOfType(LeaseLostException.class).isThrownBy(() -> here.run(runs::incrementAndGet));

        assertThat(runs).hasValue(1);
        assertThat(here.isDone()).isFalse();
    }

    @Test
    void operatorsResetIt() throws Exception {
        assertThat(there.reset()).isFalse();
        here.run(runs::incrementAndGet);

        assertThat(there.reset()).isTrue();

        assertThat(here.isDone()).isFalse();
        assertThat(here.tryRun(runs::incrementAndGet)).isTrue();
        assertThat(runs).hasValue(2);
    }

    @Test
    void lockOfAnotherUseIsNotDone() throws Exception {
        try (Lease lease = another.acquire("migration-42")) {
            assertIsRejected(here::isDone);
            assertIsRejected(() -> here.tryRun(runs::incrementAndGet));
            assertIsRejected(() -> here.run(runs::incrementAndGet));
            lease.release(Duration.ofMinutes(1));
        }

        assertIsRejected(here::isDone);
        assertIsRejected(() -> here.run(runs::incrementAndGet));
        assertIsRejected(here::reset);
        assertThat(here.state().kept()).isTrue();
        assertThat(runs).hasValue(0);
    }

    /** Such as that of an earlier version of the application, which kept its lock for a minimum hold. */
    @Test
    void lockThatWasKeptForAnotherUseAndIsFreeDoesNotCount() throws Exception {
        Lease lease = another.acquire("migration-42");
        lease.release(Duration.ofMinutes(1));
        cluster.clock.advance(Duration.ofMinutes(2));

        assertThat(here.isDone()).isFalse();
        assertThat(here.reset()).isFalse();
        assertThat(another.inspect("migration-42").kept())
                .as("the row is left alone")
                .isTrue();
        assertThat(here.run(runs::incrementAndGet)).isTrue();
        assertThat(there.isDone()).isTrue();
    }

    @Test
    void recordThatFailsIsRepeatedAndCountsAsSuccess() throws Exception {
        cluster.beforeNextRelease(() -> {
            throw new LockStoreException("migration-42", "on purpose", null, false, true);
        });

        assertThat(here.run(runs::incrementAndGet)).isTrue();

        assertThat(there.isDone()).isTrue();
        assertThat(Objects.requireNonNull(here.state().lastHold()).failed()).isFalse();
    }

    private static void assertIsRejected(ThrowingCallable action) {
        assertThatIllegalStateException()
                .isThrownBy(action)
                .withMessageContaining("'migration-42' is in use, but not for work that is done once")
                .withMessageContaining("another-1")
                .withMessageContaining("forceFree(\"migration-42\")");
    }

    @Test
    void costsWhatIsDocumented() throws Exception {
        here.run(() -> {});
        assertThat(cluster.requests()).containsExactly(Operation.READ, Operation.ACQUIRE, Operation.RELEASE);
        cluster.forgetRequests();
        here.run(() -> {});
        assertThat(cluster.requests()).hasSizeLessThanOrEqualTo(1);
        cluster.forgetRequests();
        here.run(() -> {});
        assertThat(cluster.requests()).isEmpty();
        there.tryRun(() -> {});
        assertThat(cluster.requests()).containsExactly(Operation.READ);
    }

    @Test
    void failureAndClosedManagerRunNothing() {
        cluster.storeIsDown(true);
        assertThatExceptionOfType(LockStoreException.class).isThrownBy(() -> here.run(runs::incrementAndGet));
        assertThatExceptionOfType(LockStoreException.class).isThrownBy(() -> here.tryRun(runs::incrementAndGet));
        cluster.storeIsDown(false);
        cluster.locks.close();
        assertThatExceptionOfType(LockManagerClosedException.class)
                .isThrownBy(() -> here.tryRun(runs::incrementAndGet));

        assertThat(runs).hasValue(0);
    }

    @Test
    void withoutLockingWorkAlwaysRuns() throws Exception {
        Once unlocked = Once.of(LockManager.unlocked(), "migration-42");

        assertThat(unlocked.run(runs::incrementAndGet)).isTrue();
        assertThat(unlocked.tryRun(runs::incrementAndGet)).isTrue();
        Execution<String> execution = unlocked.tryCall(() -> "result");

        assertThat(execution.result()).isEqualTo("result");
        assertThat(unlocked.isDone()).isFalse();
        assertThat(unlocked.reset()).isFalse();
    }
}
