/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.Lease;
import io.dynamolock.LeaseLost;
import io.dynamolock.LockListener;
import io.dynamolock.LockManager;
import io.dynamolock.LockRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** Many locks held over a slow network: none is lost, and no unnecessary request is sent. */
class HeartbeatLoadTests {

    private static final Duration DELAY = Duration.ofMillis(25);

    private final FaultyHttpClient http = new FaultyHttpClient(LocalDynamoDb.newHttpClient());
    private final DynamoDbClient client =
            LocalDynamoDb.newClient().httpClient(http).build();
    private final DynamoDbLockStore store = DynamoDbLockStore.builder(client)
            .tableName(LocalDynamoDb.newTable())
            .build();
    private final Queue<LeaseLost> losses = new ConcurrentLinkedQueue<>();
    private final AtomicInteger failures = new AtomicInteger();
    private final Queue<Duration> lags = new ConcurrentLinkedQueue<>();

    @AfterEach
    void close() {
        client.close();
    }

    @Test
    @Tag("proof")
    void twoHundredLocksAreKept() throws Exception {
        keep(200, Duration.ofSeconds(3), Duration.ofSeconds(7));
    }

    @Test
    @Tag("soak")
    void fiveHundredLocksAreKeptForAMinute() throws Exception {
        keep(500, Duration.ofSeconds(5), Duration.ofSeconds(60));
    }

    private void keep(int count, Duration lease, Duration time) throws Exception {
        try (LockManager locks = LockManager.builder(store)
                .leaseDuration(lease)
                .shutdownGrace(Duration.ZERO)
                .listener(listener())
                .build()) {
            store.table().createIfMissing(Duration.ofMinutes(1)); // as applications do at startup
            takeAll(locks, count).forEach(Lease::close); // the first requests of a JVM are slow
            http.always(Fault.delay(DELAY));
            List<Lease> leases = takeAll(locks, count);
            http.forget();

            Thread.sleep(time.toMillis());
            int sent = http.attempts().size();

            double necessary = count * (time.toMillis() / (lease.toMillis() / 3.0));
            assertThat(losses).isEmpty();
            assertThat(leases).allMatch(Lease::isHeld);
            assertThat(sent / necessary)
                    .as(
                            "%d requests, of those necessary; %d failed, latest renewal %s",
                            sent, failures.get(), Collections.max(lags))
                    .isLessThan(1.2);
        }
    }

    private LockListener listener() {
        return new LockListener() {
            @Override
            public void onLost(Lease lease, LeaseLost lost) {
                losses.add(lost);
            }

            @Override
            public void onRenewalFailed(Lease lease, Throwable failure, Duration took) {
                failures.incrementAndGet();
            }

            @Override
            public void onHeartbeatLag(Duration lag) {
                lags.add(lag);
            }
        };
    }

    private static List<Lease> takeAll(LockManager locks, int count) {
        List<CompletableFuture<Optional<Lease>>> taking = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            taking.add(locks.tryAcquireAsync(LockRequest.of("job-" + i).waitTime(Duration.ofMinutes(1))));
        }
        return taking.stream().map(one -> one.join().orElseThrow()).toList();
    }
}
