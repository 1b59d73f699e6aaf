/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.coordination;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.dynamolock.InvalidSettingException;
import io.dynamolock.Lease;
import io.dynamolock.LockListener.Operation;
import io.dynamolock.LockManager;
import io.dynamolock.LockManagerClosedException;
import io.dynamolock.LockRequest;
import io.dynamolock.LockState.Status;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LeaderElectionTests {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final Cluster cluster = new Cluster();
    private final LockManager another = cluster.another();
    private final List<String> events = new CopyOnWriteArrayList<>();
    private final LinkedBlockingQueue<Runnable> delayed = new LinkedBlockingQueue<>();
    private final ConcurrentLinkedQueue<Long> delays = new ConcurrentLinkedQueue<>();
    private final LeaderElection here = election(cluster.locks, "here");
    private final LeaderElection there = election(another, "there");

    private LeaderElection election(LockManager locks, String who) {
        Retries retries = new Retries(
                (millis, action) -> {
                    delays.add(millis);
                    delayed.add(action);
                },
                Background::start,
                () -> 1);
        return new LeaderElection(locks, LockRequest.of("leader"), retries, FutureAwaiter.ofThread())
                .onElected(lease -> events.add(who + " elected"))
                .onRevoked(() -> events.add(who + " revoked"));
    }

    /** Until it has been told so. */
    private void awaitLeader(String who, LeaderElection election) throws Exception {
        Cluster.await(() ->
                election.isLeader() && events.lastIndexOf(who + " elected") > events.lastIndexOf(who + " revoked"));
    }

    @AfterEach
    void close() {
        here.stop();
        there.stop();
        cluster.close();
    }

    @Test
    void oneIsElectedAndAnotherSucceeds() throws Exception {
        here.start();
        awaitLeader("here", here);
        there.start();
        Cluster.await(() -> cluster.requests().size() > 10);
        assertThat(there.isLeader()).isFalse();
        assertThat(there.lease()).isEmpty();
        assertThat(here.lease().orElseThrow().isHeld()).isTrue();
        assertThat(here).hasToString("LeaderElection[leader, leader]");
        assertThat(there).hasToString("LeaderElection[leader, candidate]");

        here.stop();

        assertThat(here.isLeader()).isFalse();
        assertThat(here).hasToString("LeaderElection[leader, stopped]");
        awaitLeader("there", there);
        Cluster.await(() -> events.size() == 3);
        assertThat(events).containsExactly("here elected", "here revoked", "there elected");
    }

    @Test
    void leaderWritesEachTenSecondsAndCandidateOnlyReads() throws Exception {
        here.start();
        awaitLeader("here", here);
        cluster.forgetRequests();
        cluster.clock.advance(MINUTE.multipliedBy(10));
        assertThat(cluster.requests()).containsOnly(Operation.RENEW).hasSizeBetween(53, 61); // 10 s, plus up to 10 %
        assertThat(here.isLeader()).isTrue();

        there.start();
        Cluster.await(() -> cluster.requests().contains(Operation.READ));
        cluster.forgetRequests();
        Cluster.await(() -> cluster.requests().size() > 30);
        assertThat(cluster.requests()).isSubsetOf(Operation.READ, Operation.RENEW); // the leader goes on
    }

    @Test
    void revocationComesBeforeReleaseAndEndsLeadershipFirst() throws Exception {
        here.onRevoked(() -> events.add(
                here.isLeader() + " " + cluster.locks.inspect("leader").status()));
        here.start();
        awaitLeader("here", here);

        here.stop();

        assertThat(events).containsExactly("here elected", "here revoked", "false HELD");
        assertThat(cluster.locks.inspect("leader").status()).isEqualTo(Status.FREE);
    }

    @Test
    void callbackOfTheLeaseDoesNotDelayTheNextElection() throws Exception {
        CompletableFuture<Void> mayReturn = new CompletableFuture<>();
        here.onElected(lease -> lease.onLost(loss -> mayReturn.join()));
        here.start();
        Cluster.await(() -> events.contains("here elected"));

        cluster.clock.pauseProcess(MINUTE);

        Cluster.await(() -> events.size() == 3);
        mayReturn.complete(null);
        assertThat(events).containsExactly("here elected", "here revoked", "here elected");
    }

    @Test
    void leaderThatLosesIsNoLongerLeaderAndRunsAgain() throws Exception {
        here.start();
        Cluster.await(() -> events.contains("here elected"));
        String id = here.lease().orElseThrow().id();

        cluster.clock.pauseProcess(MINUTE);

        Cluster.await(() -> events.size() == 3);
        assertThat(events).containsExactly("here elected", "here revoked", "here elected");
        awaitLeader("here", here);
        assertThat(here.lease().orElseThrow().id()).isNotEqualTo(id);
    }

    @Test
    void revocationReportsNoLeaderWhileItRuns() throws Exception {
        CountDownLatch electing = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        here.onElected(lease -> {
            electing.countDown();
            Background.awaitUninterruptibly(end);
        });
        here.start();
        electing.await();
        awaitLeader("here", here); // on a busy machine, a clock reading can be uncertain for a moment

        cluster.clock.pauseProcess(MINUTE);

        assertThat(here.isLeader()).isFalse();
        assertThat(here.lease()).isEmpty();
        end.countDown();
    }

    @Test
    void stopWithoutAWaitEndsLeadershipAtOnce() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        here.onRevoked(() -> Background.awaitUninterruptibly(end));
        here.start();
        Cluster.await(() -> events.contains("here elected"));

        CompletableFuture<Void> stopped = here.stopAsync().toCompletableFuture();
        CompletableFuture<Void> again = here.stopAsync().toCompletableFuture();

        assertThat(here.isLeader()).isFalse();
        assertThat(List.of(stopped, again)).noneMatch(CompletableFuture::isDone);
        assertThat(cluster.locks.inspect("leader").status()).isEqualTo(Status.HELD);
        end.countDown();
        assertThat(again).succeedsWithin(Duration.ofMinutes(1));
        assertThat(stopped).isCompleted();
        assertThat(cluster.locks.inspect("leader").status()).isEqualTo(Status.FREE);
        assertThat(here.stopAsync()).isCompleted();
    }

    @Test
    void nextElectionWaitsForRevocationToReturn() throws Exception {
        CountDownLatch revoking = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        here.onRevoked(() -> {
            revoking.countDown();
            Background.awaitUninterruptibly(end);
            events.add("here is done");
        });
        here.start();
        Cluster.await(() -> events.contains("here elected"));

        cluster.clock.pauseProcess(MINUTE);
        revoking.await();
        cluster.awaitSilence();
        assertThat(events).containsExactly("here elected", "here revoked");
        assertThat(here.isLeader()).isFalse();
        end.countDown();

        Cluster.await(() -> events.size() == 4);
        assertThat(events).containsExactly("here elected", "here revoked", "here is done", "here elected");
    }

    @Test
    void lossDuringElectedCallbackIsReportedAfterIt() throws Exception {
        CountDownLatch electing = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        here.onElected(lease -> {
            electing.countDown();
            Background.awaitUninterruptibly(end);
            events.add("still " + lease.isHeld());
        });
        here.start();
        electing.await();
        cluster.clock.pauseProcess(MINUTE);
        end.countDown();

        Cluster.await(() -> events.size() >= 4);
        assertThat(List.copyOf(events)).startsWith("here elected", "still false", "here revoked", "here elected");
    }

    @Test
    void candidateTriesAgainAfterStoreFailuresWithGrowingDelays() throws Exception {
        cluster.storeIsDown(true);
        here.start();
        for (int i = 0; i < 7; i++) {
            nextRetry().run();
        }
        Runnable last = nextRetry();
        cluster.storeIsDown(false);
        last.run();

        awaitLeader("here", here);
        assertThat(delays).startsWith(1_000L, 2_000L, 4_000L, 8_000L, 16_000L, 30_000L, 30_000L, 30_000L);
    }

    @Test
    void stoppedElectionDoesNotTryAgain() throws Exception {
        cluster.storeIsDown(true);
        here.start();
        Runnable again = nextRetry();
        here.stop();
        cluster.storeIsDown(false);
        cluster.forgetRequests();

        again.run();

        assertThat(cluster.requests()).isEmpty();
        assertThat(events).isEmpty();
    }

    @Test
    void stoppedCandidateLeavesNothingAndCanStartAgain() throws Exception {
        here.start();
        awaitLeader("here", here);
        there.start();
        Cluster.await(() -> cluster.requests().size() > 10);

        there.stop();
        there.stop();
        here.stop();
        assertThat(cluster.locks.inspect("leader").status()).isEqualTo(Status.FREE);
        there.start();
        there.start();

        awaitLeader("there", there);
        Cluster.await(() -> events.size() == 3);
        assertThat(events).containsExactly("here elected", "here revoked", "there elected");
    }

    @Test
    void callbackCanStopItsElection() throws Exception {
        here.onElected(lease -> here.stop());

        here.start();

        Cluster.await(() -> events.size() == 2);
        assertThat(events).containsExactly("here elected", "here revoked");
        Cluster.await(() -> cluster.locks.inspect("leader").status() == Status.FREE);
    }

    @Test
    void interruptOfCallbackDoesNotReachTheNextOne() throws Exception {
        here.onElected(lease -> Thread.currentThread().interrupt());
        here.onElected(
                lease -> events.add("interrupted: " + Thread.currentThread().isInterrupted()));

        here.start();

        Cluster.await(() -> events.size() == 2);
        assertThat(events).containsExactly("here elected", "interrupted: false");
    }

    @Test
    void failingElectionCallbackEndsLeadershipForAWhile() throws Exception {
        AtomicInteger failures = new AtomicInteger(2);
        here.onElected(lease -> {
            if (failures.getAndDecrement() > 0) {
                throw new IllegalStateException("broken");
            }
        });
        here.onElected(lease -> events.add("last " + lease.isHeld()));

        here.start();
        Runnable again = nextRetry();
        assertThat(events).containsExactly("here elected", "last true", "here revoked");
        assertThat(here.isLeader()).isFalse();
        assertThat(cluster.locks.inspect("leader").status()).isEqualTo(Status.FREE);
        again.run();
        nextRetry().run();

        awaitLeader("here", here);
        assertThat(delays).containsExactly(1_000L, 2_000L);
    }

    @Test
    void leaseReleasedByCallbackEndsLeadership() throws Exception {
        AtomicInteger releases = new AtomicInteger(1);
        here.onElected(lease -> {
            if (releases.getAndDecrement() > 0) {
                lease.close();
            }
        });

        here.start();
        Runnable again = nextRetry();
        assertThat(events).containsExactly("here elected", "here revoked");
        assertThat(here.isLeader()).isFalse();
        again.run();

        awaitLeader("here", here);
    }

    @Test
    void leaseReleasedAfterCallbackEndsLeadershipAndCandidacyUntilStop() throws Exception {
        here.start();
        Cluster.await(() -> events.contains("here elected"));

        here.lease().orElseThrow().release();

        assertThat(here.isLeader()).isFalse();
        there.start();
        awaitLeader("there", there);
        there.stop();
        assertThat(here.isLeader()).isFalse();
        assertThat(events).containsExactly("here elected", "there elected", "there revoked");
        here.stop();
        assertThat(events).last().isEqualTo("here revoked");
        here.start();
        awaitLeader("here", here);
    }

    @Test
    void failingRevocationCallbackIsLoggedAndChangesNothing() throws Exception {
        here.onRevoked(() -> {
            throw new StackOverflowError("broken");
        });
        here.onRevoked(() -> events.add("last"));
        here.start();
        awaitLeader("here", here);

        here.close();

        assertThat(events).containsExactly("here elected", "here revoked", "last");
        assertThat(cluster.locks.inspect("leader").status()).isEqualTo(Status.FREE);
    }

    @Test
    void startedAgainItDoesNotLeadByEarlierTerm() throws Exception {
        CountDownLatch electing = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        here.onElected(lease -> {
            electing.countDown();
            Background.awaitUninterruptibly(end);
        });
        here.start();
        electing.await();
        assertThat(here.isLeader()).isTrue();
        var stopping = Background.run(() -> {
            here.stop();
            return true;
        });
        Cluster.await(() -> !here.isLeader());

        here.start();

        assertThat(here.isLeader()).isFalse();
        assertThat(here.lease()).isEmpty();
        end.countDown();
        assertThat(stopping.get(10, TimeUnit.SECONDS)).isTrue();
        awaitLeader("here", here);
        Cluster.await(() -> events.size() == 3);
        assertThat(events).containsExactly("here elected", "here revoked", "here elected");
    }

    @Test
    void whatCanNeverBeAcquiredIsRejectedImmediately() {
        assertThatExceptionOfType(InvalidSettingException.class)
                .isThrownBy(() -> LeaderElection.of(cluster.locks, "z".repeat(3_000)))
                .withMessageContaining("2,048 bytes");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LeaderElection.of(cluster.locks, LockRequest.ofAll(List.of("a", "b"))))
                .withMessageContaining("must be for one lock, but is for [a, b]");
    }

    @Test
    void closedManagerEndsElection() throws Exception {
        here.start();
        Cluster.await(() -> events.contains("here elected"));

        cluster.locks.close();

        Cluster.await(() -> events.contains("here revoked"));
        assertThat(here.isLeader()).isFalse();
        assertThat(delayed).isEmpty();
        assertThatExceptionOfType(LockManagerClosedException.class)
                .isThrownBy(() -> LeaderElection.of(cluster.locks, "leader").start());
    }

    @Test
    void drainingManagerIsCandidateAgainAfterwards() throws Exception {
        cluster.locks.startDraining();
        here.start();
        Runnable again = nextRetry();
        cluster.locks.stopDraining();

        again.run();

        awaitLeader("here", here);
    }

    @Test
    void withoutLockingEachProcessLeads() {
        LeaderElection unlocked = LeaderElection.of(LockManager.unlocked(), "leader");

        unlocked.start();

        assertThat(unlocked.isLeader()).isTrue();
        assertThat(unlocked.lease()).map(Lease::fencingToken).hasValue(0L);
        unlocked.stop();
        assertThat(unlocked.isLeader()).isFalse();
    }

    private Runnable nextRetry() throws InterruptedException {
        return Objects.requireNonNull(delayed.poll(10, TimeUnit.SECONDS), "no retry");
    }

    @Test
    void lockWonAfterStopHasNoMinimumHold() throws Exception {
        CountDownLatch revoking = new CountDownLatch(1);
        LeaderElection election =
                LeaderElection.of(cluster.locks, LockRequest.of("held").minHold(Duration.ofHours(1)));
        election.onElected(lease -> events.add("elected"));
        election.onRevoked(() -> Background.awaitUninterruptibly(revoking));
        election.start();
        Cluster.await(() -> events.contains("elected"));
        var stopping = Background.run(() -> {
            election.stop();
            return true;
        });
        Cluster.await(() -> !election.isLeader());
        cluster.locks.forceFree("held");
        cluster.forgetRequests();
        election.start();
        Cluster.await(() -> cluster.locks.inspect("held").status() == Status.HELD);
        var stoppingAgain = Background.run(() -> {
            election.stop();
            return true;
        });
        Cluster.await(() -> election.toString().contains("stopped"));

        revoking.countDown();

        assertThat(stopping.get(10, TimeUnit.SECONDS)).isTrue();
        assertThat(stoppingAgain.get(10, TimeUnit.SECONDS)).isTrue();
        Cluster.await(() -> cluster.locks.inspect("held").status() == Status.FREE);
    }
}
