/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.dynamolock.Lease;
import io.dynamolock.LockRequest;
import io.dynamolock.LockStoreException;
import io.dynamolock.ReleaseOutcome;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Releasing from many threads, from interrupted ones, and when it fails. */
class ManagerReleaseTests {

    private static final int THREADS = 16;

    private final String table = LocalDynamoDb.newTable();
    private final RawItems items = new RawItems(table);
    private final DynamoDbNode node = DynamoDbNode.on(table);

    @AfterEach
    void close() {
        Thread.interrupted();
        node.close();
    }

    @Test
    void sixteenThreadsReleaseWithOneRequestAndOneOutcome() throws Exception {
        Lease lease = node.take("job");
        node.http.forget();
        CyclicBarrier together = new CyclicBarrier(THREADS);
        ConcurrentLinkedQueue<ReleaseOutcome> outcomes = new ConcurrentLinkedQueue<>();
        Set<Throwable> failures = ConcurrentHashMap.newKeySet();
        ExecutorService pool = Executors.newFixedThreadPool(THREADS);
        for (int i = 0; i < THREADS; i++) {
            pool.execute(() -> {
                try {
                    together.await();
                    outcomes.add(lease.release());
                } catch (Exception failure) {
                    failures.add(failure);
                }
            });
        }

        pool.shutdown();

        assertThat(pool.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
        assertThat(failures).isEmpty();
        assertThat(outcomes).hasSize(THREADS).containsOnly(ReleaseOutcome.RELEASED);
        assertThat(node.requests()).containsExactly("UpdateItem");
    }

    @Test
    void anInterruptedThreadReleasesAndStaysInterrupted() {
        Lease lease = node.take("job");
        Thread.currentThread().interrupt();

        ReleaseOutcome outcome = lease.release();

        assertThat(Thread.interrupted()).isTrue();
        assertThat(outcome).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(items.isFree("job")).isTrue();
    }

    @Test
    void anInterruptedThreadReleasesInSpiteOfALostAnswer() {
        Lease lease = node.take("job");
        node.http.next(Fault.loseAnswer());
        Thread.currentThread().interrupt();

        ReleaseOutcome outcome = lease.release();

        assertThat(Thread.interrupted()).isTrue();
        assertThat(outcome).isEqualTo(ReleaseOutcome.RELEASED);
    }

    @Test
    void anInterruptedThreadRenewsAndStaysInterrupted() {
        Lease lease = node.take("job");
        Thread.currentThread().interrupt();

        lease.renew();

        assertThat(Thread.interrupted()).isTrue();
        assertThat(items.text("job", "renewals")).isEqualTo("1");
        assertThat(lease.isHeld()).isTrue();
    }

    @Test
    void anInterruptedThreadTriesAndStaysInterrupted() {
        Thread.currentThread().interrupt();

        Lease lease = node.take("job");

        assertThat(Thread.interrupted()).isTrue();
        assertThat(lease.isHeld()).isTrue();
    }

    @Test
    void theBodysExceptionPassesAndTheFailedReleaseIsSuppressedLoggedOnceAndCounted() {
        IllegalStateException bodys = new IllegalStateException("the body's own");
        List<String> warnings;
        Throwable thrown;
        try (CapturedLogs logs = new CapturedLogs()) {
            thrown = catchThrowable(() -> {
                try (Lease lease = node.take("job")) {
                    lease.ensureHeld();
                    node.http.always(Fault.denyAccess());
                    throw bodys;
                }
            });
            warnings = logs.warnings();
        }

        assertThat(thrown).isSameAs(bodys);
        assertThat(thrown.getSuppressed()).hasSize(1).hasOnlyElementsOfType(LockStoreException.class);
        assertThat(warnings).singleElement().asString().contains("'job'", "not released");
        assertThat(node.told.failedReleases).containsExactly(thrown.getSuppressed());
    }

    @Test
    void workThatIsDoneIsNotSpoiltByAReleaseThatFails() throws InterruptedException {
        List<String> warnings;
        boolean ran;
        try (CapturedLogs logs = new CapturedLogs()) {
            ran = node.locks.tryRun(LockRequest.of("job"), () -> node.http.always(Fault.denyAccess()));
            warnings = logs.warnings();
        }

        assertThat(ran).isTrue();
        assertThat(warnings).singleElement().asString().contains("'job'", "not released");
        assertThat(node.told.failedReleases).hasSize(1);
    }
}
