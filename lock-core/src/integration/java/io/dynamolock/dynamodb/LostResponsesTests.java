/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dynamolock.Lease;
import io.dynamolock.LockBusyException;
import io.dynamolock.LockManagerBuilder;
import io.dynamolock.LockRequest;
import io.dynamolock.LockStoreException;
import io.dynamolock.ReleaseOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One response in five is lost after its request was applied: with the default retry policy, callers hardly notice. */
@Timeout(180)
class LostResponsesTests {

    private static final int THREADS = 8;
    private static final int NAMES_EACH = 5;
    private static final Duration LEASE = Duration.ofMinutes(1);
    private static final Duration WAIT = Duration.ofSeconds(10);
    private static final long SEED = 20_261_121;

    private final String table = LocalDynamoDb.newTable();
    private final RawItems items = new RawItems(table);
    private final DynamoDbNode node = DynamoDbNode.on(table, LostResponsesTests::withTimeForASlowMachine);
    private final Random random = new Random(SEED);
    private final AtomicInteger lost = new AtomicInteger();

    private final AtomicInteger busy = new AtomicInteger();
    private final AtomicInteger failed = new AtomicInteger();
    private final Map<ReleaseOutcome, Integer> outcomes = new ConcurrentHashMap<>();

    /** Tests retries only; no request should fail for another reason. */
    private static void withTimeForASlowMachine(LockManagerBuilder settings) {
        settings.leaseDuration(LEASE).attemptTimeout(Duration.ofSeconds(10)).callTimeout(LEASE);
    }

    @AfterEach
    void close() {
        node.close();
    }

    @Test
    void lostResponsesLeaveNoLockBusyOrHeld() throws Exception {
        cycle(400);
    }

    @Test
    @Tag("soak")
    void lostResponsesAreHarmlessInTwoThousandCycles() throws Exception {
        cycle(2_000);
    }

    private void cycle(int cycles) throws Exception {
        node.http.decide(attempt -> loses() ? Fault.loseResponse() : Fault.none());

        cycleOnAllThreads(cycles);

        assertThat(lost.get()).isGreaterThan(cycles / 5);
        assertThat(busy).hasValue(0);
        assertThat(failed).hasValueLessThanOrEqualTo(1);
        assertThat(outcomes).containsOnlyKeys(ReleaseOutcome.RELEASED);
        await().atMost(LEASE).until(this::allAreFree);
    }

    private synchronized boolean loses() {
        boolean loses = random.nextInt(5) == 0;
        if (loses) {
            lost.incrementAndGet();
        }
        return loses;
    }

    private void cycleOnAllThreads(int cycles) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        List<Callable<Void>> work = new ArrayList<>();
        for (int thread = 0; thread < THREADS; thread++) {
            int first = thread * NAMES_EACH;
            work.add(() -> {
                for (int i = 0; i < cycles / THREADS; i++) {
                    acquireAndRelease("job-" + (first + i % NAMES_EACH));
                }
                return null;
            });
        }
        for (Future<Void> one : threads.invokeAll(work, 120, TimeUnit.SECONDS)) {
            one.get();
        }
        threads.shutdown();
    }

    /** A lock without contention. */
    private void acquireAndRelease(String name) throws InterruptedException {
        try {
            Lease lease = node.locks.acquire(LockRequest.of(name).waitTime(WAIT));
            outcomes.merge(lease.release(), 1, Integer::sum);
        } catch (LockBusyException wrong) {
            busy.incrementAndGet();
        } catch (LockStoreException failure) {
            failed.incrementAndGet();
        }
    }

    private boolean allAreFree() {
        return IntStream.range(0, THREADS * NAMES_EACH).allMatch(name -> items.isFree("job-" + name));
    }
}
