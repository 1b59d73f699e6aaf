/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dynamolock.FaultyStore.Fault;
import io.dynamolock.LockStore.Response;
import io.dynamolock.memory.InMemoryLockStore;
import io.dynamolock.time.ThreadParker;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Many locks behind a bottleneck that serves one request at a time, for example a busy CPU. */
@Tag("proof")
@Timeout(120)
class ConcurrencyLimitTests {

    private static final int LOCKS = 150;
    private static final long SERVICE_NANOS = 4_000_000;
    private static final Duration TIMEOUT = Duration.ofMillis(150);

    private final FaultyStore store = new FaultyStore(new InMemoryLockStore());
    private final AtomicInteger requests = new AtomicInteger();
    private final AtomicInteger failures = new AtomicInteger();
    private final AtomicInteger renewals = new AtomicInteger();
    private long busyUntil = System.nanoTime();

    @Test
    void requestsOfOneManagerDoNotTimeEachOtherOut() {
        store.always(this::serve);
        try (LockManager locks = LockManager.builder(store)
                .leaseDuration(Duration.ofSeconds(3))
                .attemptTimeout(TIMEOUT)
                .shutdownGrace(Duration.ZERO)
                .listener(listener())
                .build()) {

            List<Lease> leases = takeAll(locks);
            await().until(() -> renewals.get() >= 2 * LOCKS);

            assertThat(leases).allMatch(Lease::isHeld);
            assertThat(failures.get()).isLessThan(requests.get() / 10); // a short pause of the machine fails a few
        }
    }

    /** Requests are served even if their caller has timed out. */
    private Response serve(Supplier<Response> request) {
        long wait = queue();
        var unused = new ThreadParker().awaitUninterruptibly(Duration.ofNanos(Math.min(wait, TIMEOUT.toNanos())));
        if (wait > TIMEOUT.toNanos()) {
            return Fault.LOSE_RESPONSE.strike(request);
        }
        return request.get();
    }

    private synchronized long queue() {
        long now = System.nanoTime();
        busyUntil = Math.max(now, busyUntil) + SERVICE_NANOS;
        return busyUntil - now;
    }

    private LockListener listener() {
        return new LockListener() {
            @Override
            public void onRequest(String name, Operation operation, RequestOutcome outcome) {
                requests.incrementAndGet();
                if (outcome == RequestOutcome.FAILED) {
                    failures.incrementAndGet();
                }
            }

            @Override
            public void onRenewed(Lease lease, Duration took) {
                renewals.incrementAndGet();
            }
        };
    }

    private static List<Lease> takeAll(LockManager locks) {
        List<CompletableFuture<Optional<Lease>>> taking = IntStream.range(0, LOCKS)
                .mapToObj(i -> locks.tryAcquireAsync(LockRequest.of("job-" + i)))
                .toList();
        return taking.stream().map(one -> one.join().orElseThrow()).toList();
    }
}
