/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.coordination;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynamolock.Lease;
import io.dynamolock.LockDiagnostics;
import io.dynamolock.LockManager;
import io.dynamolock.LockManagerClosedException;
import io.dynamolock.LockRequest;
import io.dynamolock.LockSettings;
import io.dynamolock.LockStoreException;
import io.dynamolock.TestRun;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Attempts of a candidate, on a manager whose responses a test decides. */
class CampaignTests {

    private final Queue<Runnable> delayed = new ArrayDeque<>();
    private final Queue<Runnable> tasks = new ArrayDeque<>();
    private final List<String> events = new CopyOnWriteArrayList<>();
    private Executor threads = Runnable::run;
    private FutureAwaiter awaiter = FutureAwaiter.ofThread();
    private Duration now = Duration.ZERO;
    private boolean managerIsGone;

    /** Responds to each call of a method with the next attempt. */
    private LeaderElection election(List<Attempt> attempts) {
        Iterator<Attempt> next = attempts.iterator();
        LockManager real = LockManager.unlocked();
        LockManager scripted = (LockManager) Proxy.newProxyInstance(
                LockManager.class.getClassLoader(), new Class<?>[] {LockManager.class}, (proxy, method, arguments) -> {
                    if (managerIsGone) {
                        throw new IllegalStateException("no manager");
                    }
                    return switch (method.getName()) {
                        case "tryAcquireAsync" -> next.next().start();
                        case "diagnostics" -> Optional.of(scriptedClock());
                        default -> method.invoke(real, arguments);
                    };
                });
        Retries retries = new Retries((millis, action) -> delayed.add(action), threads, () -> 1);
        return new LeaderElection(scripted, LockRequest.of("leader"), retries, awaiter);
    }

    private LockDiagnostics scriptedClock() {
        return (LockDiagnostics) Proxy.newProxyInstance(
                LockDiagnostics.class.getClassLoader(),
                new Class<?>[] {LockDiagnostics.class},
                (proxy, method, arguments) ->
                        method.getName().equals("nanoTime") ? now.toNanos() : LockSettings.DEFAULTS);
    }

    @FunctionalInterface
    private interface Attempt {

        @Nullable
        CompletableFuture<Optional<Lease>> start() throws InterruptedException;
    }

    private static CompletableFuture<Optional<Lease>> failed() {
        return CompletableFuture.failedFuture(new LockStoreException("leader", "on purpose", null, false, true));
    }

    @Test
    void retryThatOverlapsStopAndStartLeavesItsSuccessorToBeCancelled() throws Exception {
        CountDownLatch retrying = new CountDownLatch(1);
        CountDownLatch mayRetry = new CountDownLatch(1);
        CompletableFuture<Optional<Lease>> overlapping = new CompletableFuture<>();
        CompletableFuture<Optional<Lease>> successor = new CompletableFuture<>();
        LeaderElection election = election(List.of(
                CampaignTests::failed,
                () -> {
                    retrying.countDown();
                    mayRetry.await();
                    return overlapping;
                },
                () -> successor));
        election.start();
        CompletableFuture<Void> retry = Background.run(() -> {
            delayed.remove().run();
            return null;
        });
        retrying.await();
        election.stop();
        election.start();
        mayRetry.countDown();
        retry.get();
        assertThat(overlapping).isCancelled();
        assertThat(successor).isNotDone();

        election.stop();

        assertThat(successor).isCancelled();
    }

    /** As a mock does: the starting thread would not return, and the campaigns would take all of its time. */
    @Test
    void managerThatGrantsNothingIsAskedAgainLater() {
        CompletableFuture<Optional<Lease>> last = new CompletableFuture<>();
        LeaderElection election = election(List.of(
                () -> CompletableFuture.completedFuture(Optional.empty()),
                () -> CompletableFuture.completedFuture(null),
                () -> null,
                () -> last));
        election.start();

        for (int i = 0; i < 3; i++) {
            assertThat(delayed).hasSize(1);
            delayed.remove().run();
        }

        assertThat(delayed).isEmpty();
        assertThat(last).isNotDone();
        election.stop();
        assertThat(last).isCancelled();
        assertThat(delayed).as("a stopped election retries nothing").isEmpty();
    }

    @Test
    void exceptionThrownByAManagerIsRetried() {
        CompletableFuture<Optional<Lease>> last = new CompletableFuture<>();
        LeaderElection election = election(List.of(
                CampaignTests::failed,
                () -> {
                    throw new IllegalStateException("on purpose");
                },
                () -> last));
        election.start();

        delayed.remove().run();
        delayed.remove().run();

        assertThat(delayed).isEmpty();
        assertThat(last).isNotDone();
        election.stop();
        assertThat(last).isCancelled();
    }

    /** Elected at once, as without locks or if the store responds before the start has returned. */
    @Test
    void startDoesNotWaitForCallbacks() throws Exception {
        CountDownLatch mayReturn = new CountDownLatch(1);
        LeaderElection election = LeaderElection.of(LockManager.unlocked(), "leader")
                .onElected(lease -> {
                    events.add("elected");
                    Background.awaitUninterruptibly(mayReturn);
                    events.add("returned");
                })
                .onRevoked(() -> events.add("revoked"));
        CompletableFuture<Void> start = Background.run(() -> {
            election.start();
            return null;
        });

        assertThat(start).succeedsWithin(TestRun.TIMEOUT);
        assertThat(election.isLeader()).isTrue();
        Cluster.await(() -> events.contains("elected"));
        mayReturn.countDown();
        election.stop();
        assertThat(events).containsExactly("elected", "returned", "revoked");
    }

    @Test
    void startDuringAStopBeginsALeadershipOfItsOwn() {
        List<Lease> leases = List.of(newLease(), newLease());
        Runnable[] duringStop = {() -> {}};
        CompletableFuture<Optional<Lease>> won = new CompletableFuture<>() {
            @Override
            public boolean cancel(boolean mayInterrupt) {
                duringStop[0].run();
                return false;
            }
        };
        won.complete(Optional.of(leases.get(0)));
        LeaderElection election = observed(election(List.of(() -> won, () -> granted(leases.get(1)))));
        duringStop[0] = election::start;
        election.start();

        election.stop();

        assertThat(events).containsExactly("elected", "revoked", "elected");
        assertThat(election.isLeader()).isTrue();
        assertThat(leases).extracting(Lease::isHeld).containsExactly(false, true);
    }

    @Test
    void stoppedCandidateIsNotElected() {
        Lease lease = newLease();
        threads = tasks::add;
        awaiter = (future, atMost) -> false;
        LeaderElection election = observed(election(List.of(() -> granted(lease))));
        election.start();
        assertThat(election.isLeader()).isTrue();

        election.stop();
        tasks.forEach(Runnable::run);

        assertThat(events).isEmpty();
        assertThat(lease.isHeld()).isFalse();
    }

    @Test
    void stopDoesNotWaitForEverForARevocation() throws Exception {
        Lease lease = newLease();
        CountDownLatch mayReturn = new CountDownLatch(1);
        List<Duration> waits = new ArrayList<>();
        threads = Background::start;
        awaiter = (future, atMost) -> {
            waits.add(atMost);
            assertThat(mayReturn.getCount()).isPositive();
            return future.isDone();
        };
        LeaderElection election = observed(election(List.of(() -> granted(lease))))
                .onRevoked(() -> Background.awaitUninterruptibly(mayReturn));
        election.start();
        Cluster.await(() -> events.contains("elected"));

        election.stop();
        election.close();

        assertThat(waits).hasSize(2).allSatisfy(wait -> assertThat(wait).isPositive());
        assertThat(election.isLeader()).isFalse();
        assertThat(lease.isHeld()).as("until the callback has returned").isTrue();
        mayReturn.countDown();
        Cluster.await(() -> !lease.isHeld());
    }

    @Test
    void eachStartIsAwaitedForTenSecondsByAllOfItsStops() {
        List<Duration> waits = recordedWaits();
        LeaderElection election = election(List.of(() -> granted(newLease()), () -> granted(newLease())));
        for (int i = 0; i < 2; i++) {
            now = now.plusHours(1);
            election.start();
            now = now.plusHours(1);
            election.stop();
            now = now.plusSeconds(3);
            election.stop();
            now = now.plusSeconds(8);
            election.close();
        }

        List<Duration> ofOneStart = List.of(Duration.ofSeconds(10), Duration.ofSeconds(7), Duration.ZERO);
        assertThat(waits.subList(0, 3)).isEqualTo(ofOneStart);
        assertThat(waits.subList(3, 6)).isEqualTo(ofOneStart);
    }

    /** As in a graceful shutdown: stopped early, closed after the work of the leader. */
    @Test
    void waitBeginsWithTheFirstCallThatWaits() {
        List<Duration> waits = recordedWaits();
        LeaderElection election = election(List.of(() -> granted(newLease())));
        election.onRevoked(() -> {
            election.stop();
            now = now.plusSeconds(11);
        });
        election.start();

        assertThat(election.stopAsync()).isCompleted();
        election.close();

        assertThat(waits).containsExactly(Duration.ofSeconds(10));
    }

    private List<Duration> recordedWaits() {
        List<Duration> waits = new ArrayList<>();
        awaiter = (future, atMost) -> {
            waits.add(atMost);
            return future.isDone();
        };
        return waits;
    }

    @Test
    void stopReleasesTheLockWithoutTheManager() {
        Lease lease = newLease();
        LeaderElection election = observed(election(List.of(() -> granted(lease))));
        election.start();
        managerIsGone = true;

        election.stop();

        assertThat(events).containsExactly("elected", "revoked");
        assertThat(lease.isHeld()).isFalse();
    }

    @Test
    void leaseThatIsLostBeforeItsElectionIsNotAnnounced() {
        Lease lease = newLease();
        threads = tasks::add;
        LeaderElection election = observed(election(List.of(() -> granted(lease), CompletableFuture::new)));
        election.start();
        lease.release();

        tasks.remove().run();
        delayed.remove().run();

        assertThat(events).isEmpty();
        assertThat(election).asString().endsWith(", candidate]");
    }

    @Test
    void lateGrantOfAnEarlierTermIsNoLeadership() {
        CompletableFuture<Optional<Lease>> late = new CompletableFuture<>() {
            @Override
            public boolean cancel(boolean mayInterrupt) {
                return false;
            }
        };
        Lease lease = newLease();
        LeaderElection election = observed(election(List.of(() -> late, () -> granted(newLease()))));
        election.start();
        election.stop();
        election.start();

        late.complete(Optional.of(lease));

        assertThat(election.isLeader()).isTrue();
        assertThat(events).containsExactly("elected");
        assertThat(lease.isHeld()).isFalse();
    }

    @Test
    void taskWithoutThreadRunsWithTheNext() {
        var unused = rejectingTheFirstTask();
        LeaderElection election = observed(election(List.of(() -> granted(newLease()), () -> granted(newLease()))));
        election.start();
        assertThat(events).isEmpty();

        election.stop();
        election.start();

        assertThat(events).containsExactly("elected");
    }

    @Test
    void stopReleasesTheLockOfALeaderThatGotNoThread() {
        Lease lease = newLease();
        var unused = rejectingTheFirstTask();
        LeaderElection election = observed(election(List.of(() -> granted(lease))));
        election.start();

        election.stop();

        assertThat(lease.isHeld()).isFalse();
        assertThat(events).isEmpty();
    }

    @Test
    void taskThatWasRejectedAndRunsLaterDoesNotRunBesideAnother() {
        List<Runnable> started = rejectingTheFirstTask();
        LeaderElection election = election(List.of(() -> granted(newLease()), () -> granted(newLease())));
        election.onElected(lease -> {
                    events.add("begun");
                    election.stop();
                    started.get(0).run();
                    events.add("ended");
                })
                .onRevoked(() -> events.add("revoked"));
        election.start();
        election.stop();

        election.start();

        assertThat(events).containsExactly("begun", "ended", "revoked");
    }

    private List<Runnable> rejectingTheFirstTask() {
        List<Runnable> started = new ArrayList<>();
        threads = task -> {
            started.add(task);
            if (started.size() == 1) {
                throw new IllegalStateException("no thread");
            }
            task.run();
        };
        return started;
    }

    @Test
    void startAfterAStopLeadsAtOnce() {
        LeaderElection election = LeaderElection.of(LockManager.unlocked(), "leader");

        for (int i = 0; i < 5; i++) {
            election.start();
            assertThat(election.isLeader()).isTrue();
            election.stop();
        }
    }

    @Test
    void interruptBeforeAStopDoesNotEndItsWait() {
        awaiter = (future, atMost) -> {
            events.add("waits, interrupted: " + Thread.currentThread().isInterrupted());
            return future.isDone();
        };
        LeaderElection election = election(List.of(() -> granted(newLease())));
        election.start();

        Thread.currentThread().interrupt();
        election.stop();

        assertThat(Thread.interrupted()).isTrue();
        assertThat(events).containsExactly("waits, interrupted: false");
    }

    @Test
    void startOnClosedManagerFails() {
        LockManager locks = LockManager.unlocked();
        locks.close();
        LeaderElection ofManager = LeaderElection.of(locks, "leader");
        LeaderElection ofWrapper = election(
                List.of(() -> locks.tryAcquireAsync(LockRequest.of("leader")).thenApply(lease -> lease)));

        for (LeaderElection election : List.of(ofManager, ofWrapper)) {
            assertThatThrownBy(election::start).isInstanceOf(LockManagerClosedException.class);
            assertThat(election).asString().endsWith(", stopped]");
        }
    }

    private LeaderElection observed(LeaderElection election) {
        return election.onElected(lease -> events.add("elected")).onRevoked(() -> events.add("revoked"));
    }

    private static CompletableFuture<Optional<Lease>> granted(Lease lease) {
        return CompletableFuture.completedFuture(Optional.of(lease));
    }

    private static Lease newLease() {
        return LockManager.unlocked().acquireAsync(LockRequest.of("leader")).join();
    }
}
