/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dynamolock.FaultyStore.Fault;
import io.dynamolock.LockListener.Operation;
import io.dynamolock.LockWrite.Acquire;
import io.dynamolock.LockWrite.Claim;
import io.dynamolock.LockWrite.ForceFree;
import io.dynamolock.LockWrite.RaiseFloor;
import io.dynamolock.LockWrite.Release;
import io.dynamolock.LockWrite.Renew;
import io.dynamolock.LockWrite.WithdrawClaim;
import io.dynamolock.memory.InMemoryLockStore;
import io.dynamolock.time.TestClock;
import java.time.Duration;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** A release races renewals in flight on real threads: no request is sent for a lease after its release returns. */
class ReleaseRaceTests {

    private static final int ROUNDS = 500;
    private static final int MAX_ROUNDS = 20_000;
    private static final int ENOUGH = 50;
    private static final int SIDE_BY_SIDE = 4;
    private static final long SEED = 20261120;

    @Test
    void noRequestIsSentAfterReleaseReturns() throws Exception {
        JitteryStore store = new JitteryStore();
        try (LockManager locks = LockManager.builder(store)
                .leaseDuration(Duration.ofSeconds(5))
                .heartbeatInterval(Duration.ofMillis(2))
                .build()) {
            for (int first = 0; first < MAX_ROUNDS && store.overtaken.get() < ENOUGH; first += ROUNDS) {
                inParallel(first, round -> playRound(store, locks, round));
            }
        }

        assertThat(store.late).isEmpty();
        assertThat(store.overtaken)
                .as("releases that met a renewal under way, of %s renewals", store.renewals)
                .hasValueGreaterThanOrEqualTo(ENOUGH);
    }

    private static void playRound(JitteryStore store, LockManager locks, int round) throws InterruptedException {
        Random random = new Random(SEED + round);
        Lease lease = locks.tryAcquire("job-" + round).orElseThrow();
        long renewDelay = random.nextInt(3_000_000);
        Thread renewer = new Thread(() -> {
            LockSupport.parkNanos(renewDelay);
            renewQuietly(lease, store.late);
        });
        renewer.start();
        LockSupport.parkNanos(random.nextInt(4_000_000));

        ReleaseOutcome outcome = lease.release();

        store.released.add(lease.name());
        renewer.join(TestRun.TIMEOUT.toMillis());
        assertThat(outcome).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(Node.row(store.rows, lease.name()).isFree()).isTrue();
    }

    private static void renewQuietly(Lease lease, Queue<String> wrong) {
        try {
            lease.renew();
        } catch (IllegalStateException | LockException released) {
            if (lease.isHeld()) {
                wrong.add("held although " + released);
            }
        }
    }

    private interface Round {
        void play(int number) throws Exception;
    }

    private static void inParallel(int first, Round round) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(SIDE_BY_SIDE);
        Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
        for (int i = first; i < first + ROUNDS; i++) {
            int number = i;
            threads.execute(() -> {
                try {
                    round.play(number);
                } catch (Throwable failure) {
                    failures.add(failure);
                }
            });
        }
        threads.shutdown();
        assertThat(threads.awaitTermination(TestRun.TIMEOUT.toSeconds(), TimeUnit.SECONDS))
                .isTrue();
        assertThat(failures).isEmpty();
    }

    @Test
    void releaseCancelsRenewalWaitingForRetry() throws Exception {
        FaultyStore store = new FaultyStore(new InMemoryLockStore());
        try (LockManager locks = LockManager.builder(store)
                .retryPolicy(RetryPolicy.exponential(5, Duration.ofMillis(400), 1, Duration.ofSeconds(1), 0))
                .attemptTimeout(Duration.ofMillis(50))
                .build()) {
            Lease lease = locks.tryAcquire("job").orElseThrow();
            store.next(Fault.LOSE_REQUEST);
            Queue<String> wrong = new ConcurrentLinkedQueue<>();
            Thread renewer = new Thread(() -> renewQuietly(lease, wrong));
            renewer.start();
            await().until(() -> store.sent().size() >= 2);

            lease.release();
            int sent = store.sent().size();
            renewer.join(TestRun.TIMEOUT.toMillis());

            assertThat(wrong).isEmpty();
            assertThat(store.sent()).hasSize(sent);
        }
    }

    @Test
    void renewalThatMeetsReleaseSendsNothing() {
        TestClock clock = new TestClock();
        FaultyStore store = new FaultyStore(new InMemoryLockStore());
        Queue<Lease> open = new ConcurrentLinkedQueue<>();
        try (LockManager locks = LockManager.builder(store)
                .testClock(clock)
                .listener(new LockListener() {
                    @Override
                    public void onHeartbeatLag(Duration lag) {
                        open.forEach(Lease::release);
                    }
                })
                .build()) {
            Lease lease = locks.tryAcquire("job").orElseThrow();
            open.add(lease);
            store.forget();

            clock.advance(Duration.ofSeconds(20));

            assertThat(lease.state()).isEqualTo(LeaseState.RELEASED);
            assertThat(store.operations()).containsExactly(Operation.RELEASE);
        }
    }

    /** Delays each request randomly and records requests for released leases. */
    private static final class JitteryStore implements LockStore {

        final InMemoryLockStore rows = new InMemoryLockStore();
        final Set<String> released = ConcurrentHashMap.newKeySet();
        final Queue<String> late = new ConcurrentLinkedQueue<>();
        final AtomicInteger renewals = new AtomicInteger();
        final AtomicInteger overtaken = new AtomicInteger();
        private final Set<String> renewing = ConcurrentHashMap.newKeySet();
        private final AtomicInteger count = new AtomicInteger();

        private Response send(String name, String what, Supplier<Response> request) {
            if (released.contains(name)) {
                late.add(what + " " + name);
            }
            Random random = new Random(SEED * 31 + count.incrementAndGet());
            LockSupport.parkNanos(random.nextInt(1_500_000));
            Response response = request.get();
            LockSupport.parkNanos(random.nextInt(1_500_000));
            return response;
        }

        @Override
        public Response acquire(Acquire write, Duration timeout) {
            return send(write.name(), "acquire", () -> rows.acquire(write, timeout));
        }

        @Override
        public Response renew(Renew write, Duration timeout) {
            renewals.incrementAndGet();
            renewing.add(write.name());
            try {
                return send(write.name(), "renew", () -> rows.renew(write, timeout));
            } finally {
                renewing.remove(write.name());
            }
        }

        @Override
        public Response release(Release write, Duration timeout) {
            if (renewing.contains(write.name())) {
                overtaken.incrementAndGet();
            }
            return send(write.name(), "release", () -> rows.release(write, timeout));
        }

        @Override
        public Response raiseFloor(RaiseFloor write, Duration timeout) {
            return send(write.name(), "undo", () -> rows.raiseFloor(write, timeout));
        }

        @Override
        public Response claim(Claim write, Duration timeout) {
            return send(write.name(), "claim", () -> rows.claim(write, timeout));
        }

        @Override
        public Response withdrawClaim(WithdrawClaim write, Duration timeout) {
            return send(write.name(), "withdrawClaim", () -> rows.withdrawClaim(write, timeout));
        }

        @Override
        public Response revoke(String name, String leaseId, Duration timeout) {
            return send(name, "revoke", () -> rows.revoke(name, leaseId, timeout));
        }

        @Override
        public Response forceFree(ForceFree write, Duration timeout) {
            return send(write.name(), "forceFree", () -> rows.forceFree(write, timeout));
        }

        @Override
        public Response readToFree(String name, Duration timeout) {
            return send(name, "read", () -> rows.readToFree(name, timeout));
        }

        @Override
        public Response read(String name, boolean consistent, Duration timeout) {
            return send(name, "read", () -> rows.read(name, consistent, timeout));
        }

        @Override
        public String describe() {
            return rows.describe();
        }
    }
}
