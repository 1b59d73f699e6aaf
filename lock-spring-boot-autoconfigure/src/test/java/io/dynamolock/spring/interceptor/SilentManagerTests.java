/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.dynamolock.LockManager;
import io.dynamolock.spring.DistributedLock;
import io.dynamolock.spring.Locking;
import java.lang.reflect.Proxy;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.integration.transaction.PseudoTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import reactor.core.publisher.Mono;

/** Calls with a lock manager that does nothing and returns nothing, as a mock does. */
class SilentManagerTests {

    private final ApplicationContextRunner contexts = with(silent(null));

    private static ApplicationContextRunner with(LockManager manager) {
        return Locking.inMemory().withBean(LockManager.class, () -> manager).withBean(Jobs.class);
    }

    /** Mocks of Mockito return a future of null. */
    static Stream<LockManager> managers() {
        return Stream.of(silent(null), silent(CompletableFuture.completedFuture(null)));
    }

    private static LockManager silent(@Nullable CompletableFuture<?> future) {
        return (LockManager) Proxy.newProxyInstance(
                LockManager.class.getClassLoader(), new Class<?>[] {LockManager.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("hashCode")) {
                        return 1;
                    }
                    if (method.getReturnType() == boolean.class) {
                        return false;
                    }
                    if (method.getReturnType() == CompletableFuture.class) {
                        return future;
                    }
                    return method.getReturnType() == Optional.class ? Optional.empty() : null;
                });
    }

    @Test
    void blockingCallFails() {
        contexts.run(context -> {
            assertFails(() -> jobs(context).plain(), "plain");
            assertFails(() -> jobs(context).number(), "number");
            assertFails(() -> jobs(context).optional(), "optional");
        });
    }

    @Test
    void callInTransactionFails() {
        contexts.run(context -> {
            TransactionTemplate transaction = new TransactionTemplate(new PseudoTransactionManager());

            assertFails(
                    () -> transaction.executeWithoutResult(
                            status -> jobs(context).plain()),
                    "plain");
            transaction.executeWithoutResult(
                    status -> assertFails(() -> jobs(context).plain(), "plain"));
        });
    }

    @ParameterizedTest
    @MethodSource("managers")
    void futureFails(LockManager manager) {
        with(manager)
                .run(context -> assertThat(jobs(context).future())
                        .failsWithin(Locking.TIMEOUT)
                        .withThrowableThat()
                        .havingCause()
                        .isInstanceOf(IllegalStateException.class)
                        .withMessageContaining("If it is a mock"));
    }

    @ParameterizedTest
    @MethodSource("managers")
    void publisherFails(LockManager manager) {
        with(manager).run(context -> assertFails(() -> jobs(context).publisher().block(), "publisher"));
    }

    private static Jobs jobs(AssertableApplicationContext context) {
        return context.getBean(Jobs.class);
    }

    private static void assertFails(ThrowingCallable call, String method) {
        assertThatIllegalStateException()
                .isThrownBy(call)
                .withMessageContaining(method)
                .withMessageContaining("has neither acquired lock 'job' nor thrown an exception")
                .withMessageContaining("@AutoConfigureTestLocks");
    }

    static class Jobs {

        @DistributedLock("job")
        public void plain() {}

        @DistributedLock("job")
        public long number() {
            return 1;
        }

        @DistributedLock("job")
        public Optional<String> optional() {
            return Optional.of("ran");
        }

        @DistributedLock("job")
        public CompletableFuture<String> future() {
            return CompletableFuture.completedFuture("ran");
        }

        @DistributedLock("job")
        public Mono<String> publisher() {
            return Mono.just("ran");
        }
    }
}
