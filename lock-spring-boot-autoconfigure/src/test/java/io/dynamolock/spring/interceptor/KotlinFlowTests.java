/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.LastHold;
import io.dynamolock.Lease;
import io.dynamolock.LeaseLostException;
import io.dynamolock.LockManager;
import io.dynamolock.spring.Locking;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Kotlin flows of locked functions are collected as without the lock. */
class KotlinFlowTests {

    private final ApplicationContextRunner contexts = Locking.inMemory().withBean(KotlinFlows.class);

    @Test
    void emitNullUnderTheLock() {
        run(work -> assertThat(KotlinFlowCalls.withNull(work)).containsExactly("a", null, "HELD", "FREE"));
    }

    @Test
    void failAfterNull() {
        run(work -> assertThat(KotlinFlowCalls.failing(work)).containsExactly(null, "on purpose FREE"));
    }

    @Test
    void runInTheContextOfTheirCollector() {
        ExecutorService executor = Executors.newSingleThreadExecutor(task -> new Thread(task, "collector"));

        run(work -> assertThat(KotlinFlowCalls.context(work, executor))
                .hasSize(2)
                .allSatisfy(context -> assertThat(context).startsWith("name local on collector")));
        executor.shutdown();
    }

    /** Without waiting, also on the only thread of both. */
    @Test
    void areReleasedBeforeACollectorWithEnoughGoesOn() {
        run(work -> assertThat(KotlinFlowCalls.begun(work).toString()).isEqualTo("[1, FREE, [2], FREE]"));
    }

    @Test
    void areReleasedBeforeACancelledCollectorGoesOn() {
        run(work -> assertThat(KotlinFlowCalls.cancelled(work)).isEqualTo("FREE"));
    }

    @Test
    void doNotKeepACancelledCollectorWaitingForTheLock() {
        contexts.run(context -> {
            KotlinFlows work = context.getBean(KotlinFlows.class);
            try (Lease held =
                    context.getBean(LockManager.class).tryAcquire("job").orElseThrow()) {
                assertThat(KotlinFlowCalls.timedOut(work)).containsExactly(null, "HELD");
                assertThat(held.isHeld()).isTrue();
            }

            assertThat(KotlinFlowCalls.withNull(work)).endsWith("FREE");
            assertThat(work.emitted()).isZero();
        });
    }

    @Test
    void areSkippedOrReplacedIfTheLockIsBusy() {
        contexts.run(context -> {
            try (Lease held =
                    context.getBean(LockManager.class).tryAcquire("job").orElseThrow()) {
                assertThat(KotlinFlowCalls.busy(context.getBean(KotlinFlows.class)))
                        .containsExactly(null, "none");
                assertThat(held.isHeld()).isTrue();
            }
        });
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void endWithTheLossOfTheirLock(boolean checked) {
        Locking.quick().withBean(KotlinFlows.class).run(context -> {
            KotlinFlows work = context.getBean(KotlinFlows.class);
            LockManager locks = context.getBean(LockManager.class);
            CompletableFuture<List<Integer>> elements = CompletableFuture.supplyAsync(
                    () -> checked ? KotlinFlowCalls.endless(work) : KotlinFlowCalls.unchecked(work));
            Awaitility.await().until(() -> work.emitted() > 0);

            locks.revoke("job", Objects.requireNonNull(locks.inspect("job").leaseId()));

            assertThat(elements)
                    .failsWithin(Locking.TIMEOUT)
                    .withThrowableThat()
                    .withCauseInstanceOf(LeaseLostException.class);
        });
    }

    /** Flows check that they emit in the context of their collector. */
    @Test
    void emitInTheContextOfOtherFlows() {
        run(work ->
                assertThat(KotlinFlowCalls.nested(work)).containsExactly("job", "none", "job", "none", "job", "none"));
    }

    @Test
    void passOnTheExceptionOfTheirCollector() {
        Exception failure = new IllegalStateException("on purpose");

        contexts.run(context -> {
            assertThat(KotlinFlowCalls.throwing(context.getBean(KotlinFlows.class), failure))
                    .containsExactly(failure, "FREE");
            assertThat(context.getBean(LockManager.class).inspect("job").lastHold())
                    .isNotNull()
                    .extracting(LastHold::failed)
                    .isEqualTo(false);
        });
    }

    private void run(Consumer<KotlinFlows> test) {
        contexts.run(context -> test.accept(context.getBean(KotlinFlows.class)));
    }
}
