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
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import reactor.core.Disposable;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.core.scheduler.Schedulers;

/** Locked publishers in an application whose tracing wraps each operator. */
class OperatorHookTests {

    private static final String HOOK = "tracing";

    private final ApplicationContextRunner contexts =
            Locking.quick().withBean("names", Names.class).withBean(Work.class);

    @BeforeEach
    void wrapOperators() {
        Hooks.onEachOperator(HOOK, Operators.lift((scannable, subscriber) -> subscriber));
    }

    @AfterEach
    void wrapNoMore() {
        Hooks.resetOnEachOperator(HOOK);
    }

    @Test
    void lockAndRelease() {
        contexts.run(context -> {
            context.getBean(Names.class).evaluation().mayEnd();

            assertThat(context.getBean(Work.class).named().block(Locking.TIMEOUT))
                    .isEqualTo("done");

            assertThat(context.getBean(Locking.class).events()).containsExactly("+job", "-job");
        });
    }

    @Test
    void keepNoLockIfCancelledWhileItsNameIsEvaluated() {
        contexts.run(context -> {
            DeafTask evaluation = context.getBean(Names.class).evaluation();
            LockManager locks = context.getBean(LockManager.class);
            Disposable subscription = Mono.defer(context.getBean(Work.class)::named)
                    .subscribeOn(Schedulers.boundedElastic())
                    .subscribe();
            evaluation.awaitEntered();

            subscription.dispose();
            evaluation.mayEnd();

            Awaitility.await()
                    .during(Locking.WATCH)
                    .atMost(Locking.TIMEOUT)
                    .pollInterval(Duration.ofMillis(20))
                    .until(() -> evaluation.hasLeft() && locks.inspect("job").status() == Status.FREE);
        });
    }

    /** Evaluates slowly, deaf to interruption. */
    static class Names {

        private final DeafTask evaluation = new DeafTask();

        public String job() {
            evaluation.run();
            return "job";
        }

        DeafTask evaluation() {
            return evaluation;
        }
    }

    static class Work {

        @DistributedLock("#{@names.job()}")
        public Mono<String> named() {
            return Mono.just("done");
        }
    }
}
