/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.Lease;
import io.dynamolock.LeaseState;
import io.dynamolock.LockManager;
import io.dynamolock.dynamodb.FaultyHttpClient;
import io.dynamolock.memory.InMemoryLockStore;
import io.dynamolock.spring.DistributedLock;
import io.dynamolock.spring.Locking;
import io.dynamolock.spring.Locks;
import io.dynamolock.spring.LogCapture;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import reactor.core.publisher.Mono;

/** With {@code dynamolock.enabled=false}, every use that the documents show runs without locks. */
@ExtendWith(LogCapture.class)
class DisabledTests {

    private final FaultyHttpClient http = TestClients.http();
    private final ApplicationContextRunner contexts =
            TestClients.contexts(http).withBean(Work.class).withPropertyValues("dynamolock.enabled=false");

    @Test
    void sendsNothingAndLogsOneWarning(CapturedOutput output) {
        contexts.run(context -> {
            context.getBean(Work.class).assertsLock();
            assertThat(output.getOut().lines().filter(line -> line.contains("Locking is off")))
                    .singleElement()
                    .asString()
                    .startsWith("WARN");
        });
        assertThat(http.attempts()).isEmpty();
    }

    @Test
    void methodsHaveAnUnlockedLease() {
        contexts.run(context -> {
            Work work = context.getBean(Work.class);

            assertThat(work.assertsLock()).isZero();
            assertThat(work.parameter(null)).isEqualTo(LeaseState.UNLOCKED);
            assertThat(work.nested(work)).isZero();
            assertThat(work.future().get(Locking.PATIENCE.toSeconds(), TimeUnit.SECONDS))
                    .isZero();
            assertThat(work.mono().block(Locking.PATIENCE)).isEqualTo("ran");
        });
    }

    @Test
    void methodsNeedNoneOfTheManagersThatTheyName() {
        contexts.run(
                context -> assertThat(context.getBean(Work.class).elsewhere()).isZero());
    }

    @Test
    void injectedManagerLetsEverythingThrough() {
        contexts.run(context -> {
            LockManager locks = context.getBean(LockManager.class);
            try (Lease one = locks.acquire("job");
                    Lease other = locks.acquire("job")) {
                assertThat(one.isHeld()).isTrue();
                assertThat(other.fencingToken()).isZero();
            }
        });
    }

    @Test
    void managerOfTheApplicationStays() {
        LockManager own = LockManager.builder(new InMemoryLockStore()).build();
        contexts.withBean("own", LockManager.class, () -> own).run(context -> {
            assertThat(context.getBean(LockManager.class)).isSameAs(own);
            assertThat(context.getBean(Work.class).assertsLock()).isZero();
        });
    }

    static class Work {

        @DistributedLock("job")
        public long assertsLock() {
            Locks.assertHeld();
            return Locks.current().orElseThrow().fencingToken();
        }

        @DistributedLock("job")
        public LeaseState parameter(@Nullable Lease lease) {
            return Objects.requireNonNull(lease).state();
        }

        @DistributedLock("outer")
        public long nested(Work proxy) {
            return proxy.assertsLock();
        }

        @DistributedLock("job")
        public CompletableFuture<Long> future() {
            return CompletableFuture.completedFuture(
                    Locks.current().orElseThrow().fencingToken());
        }

        @DistributedLock("job")
        public Mono<String> mono() {
            return Mono.just("ran");
        }

        @DistributedLock(name = "job", manager = "elsewhere")
        public long elsewhere() {
            return Locks.current().orElseThrow().fencingToken();
        }
    }
}
