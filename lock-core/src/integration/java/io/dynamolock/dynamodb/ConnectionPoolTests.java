/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.Lease;
import io.dynamolock.LockBusyException;
import io.dynamolock.LockManager;
import io.dynamolock.LockRequest;
import io.dynamolock.LockStoreException;
import io.dynamolock.RecordingListener;
import io.dynamolock.WithoutWarnings;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** One client with the SDK's default of 50 connections: hanging requests of callers leave enough of them for renewals. */
@ExtendWith(WithoutWarnings.class)
@Tag("proof")
@Timeout(120)
class ConnectionPoolTests {

    private static final int LEASES = 50;
    private static final int CALLERS = 60;
    private static final Duration LEASE = Duration.ofSeconds(5);
    private static final Duration TIME = Duration.ofSeconds(8);

    private final StallingFront front = StallingFront.forRequestsWith("stuck-");
    private final DynamoDbClient client = LocalDynamoDb.newClient(front.endpoint())
            .httpClientBuilder(Apache5HttpClient.builder())
            .build();
    private final RecordingListener events = new RecordingListener();
    private final LockManager locks = LockManager.builder(DynamoDbLockStore.builder(client)
                    .tableName(LocalDynamoDb.newTable())
                    .build())
            .leaseDuration(LEASE)
            .shutdownGrace(Duration.ZERO)
            .listener(events)
            .build();
    private final ExecutorService threads = Executors.newFixedThreadPool(CALLERS);
    private final AtomicInteger failed = new AtomicInteger();

    ConnectionPoolTests() throws IOException {}

    @AfterEach
    void close() {
        threads.shutdownNow();
        front.heal();
        locks.close();
        client.close();
        front.close();
    }

    @Test
    void hangingAttemptsCostNoLease() throws Exception {
        List<Lease> leases = takeAll();

        callRepeatedly(locks::tryAcquire);

        assertKept(leases);
    }

    @Test
    void hangingWaitersCostNoLease() throws Exception {
        List<Lease> leases = takeAll();

        callRepeatedly(name -> locks.acquire(LockRequest.of(name).waitTime(Duration.ofSeconds(2))));

        assertKept(leases);
    }

    private List<Lease> takeAll() {
        List<Lease> leases = new ArrayList<>();
        for (int i = 0; i < LEASES; i++) {
            leases.add(locks.tryAcquire("job-" + i).orElseThrow());
        }
        return leases;
    }

    /** A call that cannot succeed. */
    private interface Call {

        Object on(String name) throws InterruptedException;
    }

    private void callRepeatedly(Call call) throws Exception {
        long end = System.nanoTime() + TIME.toNanos();
        List<Callable<Void>> callers = new ArrayList<>();
        for (int i = 0; i < CALLERS; i++) {
            String name = "stuck-" + i;
            callers.add(() -> {
                while (System.nanoTime() - end < 0) {
                    assertFails(call, name);
                }
                return null;
            });
        }
        for (Future<Void> caller : threads.invokeAll(callers, 60, TimeUnit.SECONDS)) {
            caller.get();
        }
    }

    private void assertFails(Call call, String name) throws InterruptedException {
        try {
            Object unexpected = call.on(name);
            throw new AssertionError(unexpected);
        } catch (LockBusyException busy) {
            throw new AssertionError(busy);
        } catch (LockStoreException expected) {
            failed.incrementAndGet();
        }
    }

    private void assertKept(List<Lease> leases) {
        assertThat(failed.get()).isGreaterThanOrEqualTo(CALLERS);
        assertThat(front.stalled()).isGreaterThan(CALLERS);
        assertThat(events.losses).isEmpty();
        assertThat(leases).allMatch(Lease::isHeld);
        assertThat(events.failedRenewals).isEmpty();
    }
}
