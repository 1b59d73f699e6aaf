/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynamolock.Lease;
import io.dynamolock.LockBusyException;
import io.dynamolock.LockManager;
import io.dynamolock.LockRequest;
import io.dynamolock.OnLost;
import io.dynamolock.memory.InMemoryLockStore;
import io.dynamolock.spring.Docs;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The code on the pages about moving from libraries for plain Java, .NET and Python is the code in this class. */
class MovingPagesTests {

    private final List<String> done = new ArrayList<>();
    private final Reports reports = () -> done.add("report");
    private final LockManager locks = LockManager.builder(new InMemoryLockStore())
            .shutdownGrace(Duration.ZERO)
            .waitTime(Duration.ofMillis(1))
            .build();

    interface Reports {
        void build();
    }

    private void log(String line) {
        done.add(line);
    }

    @AfterEach
    void close() {
        locks.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"awslabs.md", "layered-craft.md", "dynamo-lock.md", "dyndb-mutex.md", "aws-distributed-mutex.md"
            })
    void pageShowsTheCodeThatIsRunHere(String page) {
        Docs.assertCodeIsThatOf(MovingPagesTests.class, Docs.page("moving/" + page), 1);
    }

    @Test
    void codeOfThePagesRunsUnderItsLock() throws InterruptedException {
        runReport(locks);
        assertThat(tryDoWork(locks)).isTrue();
        assertThat(runOnce(locks)).isTrue();
        handle(locks, "instance");
        main(locks);

        assertThat(done).hasSize(5).containsOnly("report");
        assertThat(locks.held()).isEmpty();
    }

    @Test
    void codeOfPagesDoesNothingIfLockIsBusy() throws InterruptedException {
        assertThat(locks.tryAcquire("my-lock-id")).isPresent();
        assertThat(locks.tryAcquire("resource-1")).isPresent();
        assertThat(locks.tryAcquire("instance")).isPresent();
        assertThat(locks.tryAcquire("Example")).isPresent();

        assertThat(tryDoWork(locks)).isFalse();
        assertThat(runOnce(locks)).isFalse();
        assertThatThrownBy(() -> handle(locks, "instance")).isInstanceOf(LockBusyException.class);
        main(locks);

        assertThat(done).containsExactly("another instance is busy");
    }

    void runReport(LockManager locks) throws InterruptedException {
        Optional<Lease> lease = locks.tryAcquire("report", Duration.ofSeconds(20));
        if (lease.isPresent()) {
            try (Lease held = lease.get()) {
                held.onAtRisk(late -> log(late.name() + " is not renewed in time"));
                held.onLost(loss -> log(loss.name() + " is lost: " + loss.reason()));
                reports.build();
                held.ensureHeld();
            }
        }
    }

    boolean tryDoWork(LockManager locks) throws InterruptedException {
        return locks.tryRun("resource-1", () -> reports.build()); // false if the lock is busy
    }

    boolean runOnce(LockManager locks) {
        Optional<Lease> lease = locks.tryAcquire("my-lock-id");
        lease.ifPresent(held -> {
            try (held) {
                reports.build();
            }
        });
        return lease.isPresent();
    }

    void handle(LockManager locks, String instance) throws InterruptedException {
        try (Lease lease = locks.acquire(LockRequest.of(instance).leaseDuration(Duration.ofSeconds(20)))) {
            reports.build();
            lease.ensureHeld();
        }
    }

    void main(LockManager locks) throws InterruptedException {
        LockRequest request =
                LockRequest.of("Example").leaseDuration(Duration.ofMinutes(5)).onLost(OnLost.SHUTDOWN);
        if (!locks.tryRun(request, () -> reports.build())) {
            log("another instance is busy");
        }
    }
}
