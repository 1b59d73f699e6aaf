/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.LockManager;
import io.dynamolock.LockState.Status;
import io.dynamolock.spring.DistributedLock;
import io.dynamolock.spring.Locking;
import io.dynamolock.spring.Undeclared;
import io.micrometer.context.ContextRegistry;
import io.micrometer.context.ThreadLocalAccessor;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import reactor.core.publisher.Mono;

/** A value of the caller that cannot be propagated fails the call, which keeps no lock. */
class PropagationFailureTests {

    private final ApplicationContextRunner contexts = Locking.quick()
            .withBean("applicationTaskExecutor", Executor.class, PropagationFailureTests::executor)
            .withBean(Work.class);

    private static Executor executor() {
        Executor threads = new SimpleAsyncTaskExecutor("late-");
        return task -> threads.execute(() -> {
            try {
                task.run();
            } catch (Exception onPurpose) {
                assertThat(onPurpose).hasMessage("on purpose");
            }
        });
    }

    @AfterEach
    void removeAccessor() {
        ContextRegistry.getInstance().removeThreadLocalAccessor(Broken.KEY);
    }

    static Stream<Throwable> failures() {
        return Stream.of(new IllegalStateException("on purpose"), new IOException("on purpose"));
    }

    @ParameterizedTest
    @MethodSource("failures")
    void onTheThreadOfTheExecutor(Throwable failure) {
        ContextRegistry.getInstance().registerThreadLocalAccessor(new Broken() {
            @Override
            public void setValue(String value) {
                if (Thread.currentThread().getName().startsWith("late-")) {
                    throw Undeclared.rethrow(failure);
                }
            }
        });

        fails(Work::future);
    }

    @Test
    void onTheThreadThatSubscribes() {
        ContextRegistry.getInstance().registerThreadLocalAccessor(new Broken() {
            @Override
            public void restore(String previous) {
                throw new IllegalStateException("on purpose");
            }
        });

        fails(work -> work.mono()
                .contextWrite(context -> context.put(Broken.KEY, "value"))
                .toFuture());
    }

    private void fails(Function<Work, CompletableFuture<String>> call) {
        contexts.run(context -> {
            CompletableFuture<String> result = call.apply(context.getBean(Work.class));

            assertThat(result)
                    .failsWithin(Locking.TIMEOUT)
                    .withThrowableThat()
                    .havingRootCause()
                    .withMessage("on purpose");
            LockManager locks = context.getBean(LockManager.class);
            Awaitility.await().until(() -> locks.inspect("job").status() == Status.FREE);
        });
    }

    private abstract static class Broken implements ThreadLocalAccessor<String> {

        static final String KEY = "broken";

        @Override
        public Object key() {
            return KEY;
        }

        @Override
        public String getValue() {
            return "value";
        }

        @Override
        public void setValue(String value) {}

        @Override
        public void setValue() {}
    }

    static class Work {

        @DistributedLock("job")
        public CompletableFuture<String> future() {
            return CompletableFuture.completedFuture("done");
        }

        @DistributedLock("job")
        public Mono<String> mono() {
            return Mono.just("done");
        }
    }
}
