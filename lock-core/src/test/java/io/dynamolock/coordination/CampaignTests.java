/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.coordination;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.Lease;
import io.dynamolock.LockManager;
import io.dynamolock.LockRequest;
import io.dynamolock.LockStoreException;
import io.dynamolock.TestRun;
import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Attempts of a candidate, on a manager whose responses a test decides. */
class CampaignTests {

    private final Queue<Runnable> delayed = new ArrayDeque<>();

    /** Responds to each call of a method with the next attempt. */
    private LeaderElection election(List<Attempt> attempts) {
        Iterator<Attempt> next = attempts.iterator();
        LockManager real = LockManager.unlocked();
        LockManager scripted = (LockManager) Proxy.newProxyInstance(
                LockManager.class.getClassLoader(),
                new Class<?>[] {LockManager.class},
                (proxy, method, arguments) -> method.getName().equals("tryAcquireAsync")
                        ? next.next().start()
                        : method.invoke(real, arguments));
        Retries retries = new Retries((millis, action) -> delayed.add(action), () -> 1);
        return new LeaderElection(scripted, LockRequest.of("leader"), retries, FutureAwaiter.ofThread());
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
    void startDoesNotWaitForCallbacks() {
        CountDownLatch mayReturn = new CountDownLatch(1);
        List<String> events = new CopyOnWriteArrayList<>();
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
        mayReturn.countDown();
        election.stop();
        assertThat(events).containsExactly("elected", "returned", "revoked");
    }
}
