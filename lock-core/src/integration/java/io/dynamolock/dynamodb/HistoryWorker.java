/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import io.dynamolock.Lease;
import io.dynamolock.LeaseLostException;
import io.dynamolock.LockManager;
import io.dynamolock.LockRequest;
import io.dynamolock.LockStoreException;
import io.dynamolock.ReleaseOutcome;
import io.dynamolock.dynamodb.History.Attempt;
import io.dynamolock.dynamodb.History.Outcome;
import io.dynamolock.dynamodb.History.Release;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** One caller: acquires, works, renews and releases at random, and records the results. */
final class HistoryWorker implements Callable<Void> {

    private static final Duration LEASE = Duration.ofSeconds(2);

    private final LockManager locks;
    private final HistoryRecorder recorder;
    private final FencedCounters counters;
    private final List<String> names;
    private final Random random;
    private final BooleanSupplier over;

    HistoryWorker(
            LockManager locks,
            HistoryRecorder recorder,
            FencedCounters counters,
            List<String> names,
            long seed,
            BooleanSupplier over) {
        this.locks = locks;
        this.recorder = recorder;
        this.counters = counters;
        this.names = names;
        this.random = new Random(seed);
        this.over = over;
    }

    @Override
    public Void call() throws InterruptedException {
        while (!over.getAsBoolean()) {
            Optional<Lease> lease = acquire(names.get(random.nextInt(names.size())));
            if (lease.isPresent()) {
                work(lease.get());
            }
            pause(60);
        }
        return null;
    }

    private Optional<Lease> acquire(String name) throws InterruptedException {
        LockRequest request = LockRequest.of(name)
                .leaseDuration(LEASE.plusMillis(random.nextInt(1_000)))
                .waitTime(Duration.ofMillis(random.nextBoolean() ? 0 : random.nextInt(400)))
                .autoRenew(random.nextInt(4) > 0);
        long start = System.nanoTime();
        try {
            Optional<Lease> lease = locks.tryAcquire(request);
            lease.ifPresent(recorder.sampler()::add);
            recorder.add(lease.map(granted -> new Attempt(
                            name, start, System.nanoTime(), Outcome.GRANTED, granted.id(), granted.fencingToken()))
                    .orElseGet(() -> new Attempt(name, start, System.nanoTime(), Outcome.BUSY, "", 0)));
            return lease;
        } catch (LockStoreException failure) {
            recorder.add(new Attempt(name, start, System.nanoTime(), Outcome.UNKNOWN, "", 0));
            return Optional.empty();
        }
    }

    private void work(Lease lease) throws InterruptedException {
        for (int steps = random.nextInt(4); steps > 0; steps--) {
            pause(200);
            if (random.nextInt(4) == 0) {
                renew(lease);
            } else {
                counters.increment(lease, () -> pause(150));
            }
        }
        if (random.nextInt(8) > 0) {
            release(lease);
        } else {
            outlive(lease);
        }
    }

    private void renew(Lease lease) {
        try {
            lease.renew(LEASE.minusMillis(random.nextInt(1_000)));
        } catch (LeaseLostException | LockStoreException expected) {
            // also recorded elsewhere
        }
    }

    private void release(Lease lease) {
        try {
            ReleaseOutcome outcome = lease.release();
            if (outcome == ReleaseOutcome.RELEASED) {
                recorder.add(new Release(lease.id(), System.nanoTime()));
            }
        } catch (LockStoreException unknown) {
            // the lease expires
        }
    }

    private void outlive(Lease lease) throws InterruptedException {
        pause(3_000);
        release(lease);
    }

    private void pause(int atMostMillis) throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep(random.nextInt(atMostMillis));
    }
}
