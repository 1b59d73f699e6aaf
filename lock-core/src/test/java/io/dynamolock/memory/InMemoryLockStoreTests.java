/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.LeaseTime;
import io.dynamolock.LockGuard;
import io.dynamolock.LockGuard.Free;
import io.dynamolock.LockStore;
import io.dynamolock.LockStoreContract;
import io.dynamolock.LockWrite.Acquire;
import io.dynamolock.Writes;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class InMemoryLockStoreTests extends LockStoreContract {

    private final InMemoryLockStore store = new InMemoryLockStore();

    @Override
    public LockStore store() {
        return store;
    }

    @Test
    void returnsTimeOfItsClock() {
        Clock clock = Clock.fixed(Instant.parse("2026-05-01T12:00:00.999Z"), ZoneOffset.UTC);

        LockStore timed = new InMemoryLockStore(clock);

        assertThat(timed.read("lock", true, TIMEOUT).date()).isEqualTo(Instant.parse("2026-05-01T12:00:00Z"));
    }

    @Test
    void differsFromOtherStores() {
        InMemoryLockStore other = new InMemoryLockStore();

        assertThat(store.describe()).isNotEqualTo(other.describe());
    }

    @Test
    void onlyOneConcurrentAcquireAndOneTakeoverSucceed() throws Exception {
        int threads = 4;
        int locks = 20_000;
        AtomicIntegerArray acquired = new AtomicIntegerArray(locks);
        AtomicIntegerArray takenOver = new AtomicIntegerArray(locks);
        CyclicBarrier start = new CyclicBarrier(threads);
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        List<Callable<Void>> rivals = IntStream.range(0, threads)
                .<Callable<Void>>mapToObj(rival -> () -> {
                    start.await();
                    for (int lock = 0; lock < locks; lock++) {
                        count(acquired, lock, tryAcquire(lock, "first-" + rival, 1, new Free()));
                        count(takenOver, lock, tryAcquire(lock, "second-" + rival, 2, freeOrExpired(PAST_END)));
                    }
                    return null;
                })
                .toList();

        for (Future<Void> rival : pool.invokeAll(rivals)) {
            rival.get();
        }
        pool.shutdown();

        assertThat(IntStream.range(0, locks)).allMatch(lock -> acquired.get(lock) == 1 && takenOver.get(lock) == 1);
    }

    private boolean tryAcquire(int lock, String leaseId, long token, LockGuard guard) {
        Acquire write = Writes.acquire(
                "lock-" + lock, leaseId, "owner", token, LEASE, NOW, END, LeaseTime.SERVER, Map.of(), guard);
        return store.acquire(write, TIMEOUT).applied();
    }

    private static void count(AtomicIntegerArray counts, int lock, boolean applied) {
        if (applied) {
            counts.incrementAndGet(lock);
        }
    }
}
