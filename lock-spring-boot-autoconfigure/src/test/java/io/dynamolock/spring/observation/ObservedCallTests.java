/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.observation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.dynamolock.spring.DistributedLock;
import io.dynamolock.spring.Locking;
import io.dynamolock.spring.LogCapture;
import io.dynamolock.spring.Undeclared;
import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import reactor.core.publisher.Mono;

/** Observations that fail affect neither the call nor its lock. */
@ExtendWith(LogCapture.class)
class ObservedCallTests {

    private static final String BROKEN = "handler broken";

    private final ObservationRegistry registry = ObservationRegistry.create();
    private final ApplicationContextRunner contexts = Locking.inMemory()
            .withBean(ObservationRegistry.class, () -> registry)
            .withBean(Jobs.class);

    static Stream<Arguments> failures() {
        return Stream.of("supports", "start", "open", "event", "close", "error", "stop")
                .flatMap(when -> Stream.of(
                                new UnsupportedOperationException(BROKEN),
                                new AssertionError(BROKEN),
                                new IOException(BROKEN))
                        .map(failure -> Arguments.of(when, failure)));
    }

    @ParameterizedTest
    @MethodSource("failures")
    void failingHandlerHarmsNoCall(String when, Throwable failure, CapturedOutput output) {
        registry.observationConfig().observationHandler(new FailingHandler(when, failure));

        contexts.run(context -> {
            assertRuns(context.getBean(Jobs.class));

            assertThat(context.getBean(Locking.class).events())
                    .containsExactly(
                            "+job-7", "-job-7", "+fails", "-fails", "+later", "-later", "+reactive", "-reactive");
            assertThat(registry.getCurrentObservation()).isNull();
            assertThat(output).containsOnlyOnce("locked calls are not affected");
        });
    }

    @Test
    void interruptOfHandlerIsKept() {
        registry.observationConfig().observationHandler(new FailingHandler("start", new InterruptedException()));

        contexts.run(context -> {
            assertThat(context.getBean(Jobs.class).run("7")).isEqualTo("done 7");

            assertThat(Thread.interrupted()).isTrue();
        });
    }

    private static void assertRuns(Jobs jobs) {
        assertThat(jobs.run("7")).isEqualTo("done 7");
        assertThatIllegalStateException().isThrownBy(jobs::fails).withMessage("on purpose");
        assertThat(jobs.later().join()).isEqualTo("later");
        assertThat(jobs.reactive().block(Locking.TIMEOUT)).isEqualTo("reactive");
    }

    @Test
    void failingConventionHarmsNoCall() {
        registry.observationConfig()
                .observationHandler(new FailingHandler("never", new UnsupportedOperationException(BROKEN)));

        contexts.withBean(LockObservationConvention.class, FailingConvention::new)
                .run(context -> assertRuns(context.getBean(Jobs.class)));
    }

    @Test
    void failingFilterHarmsNoCall() {
        registry.observationConfig()
                .observationHandler(new FailingHandler("never", new UnsupportedOperationException(BROKEN)))
                .observationFilter(context -> {
                    throw new UnsupportedOperationException("filter broken");
                });

        contexts.run(context -> assertRuns(context.getBean(Jobs.class)));
    }

    @Test
    void enclosingObservationIsCurrentAfterTheCall() {
        registry.observationConfig()
                .observationHandler(new FailingHandler("close", new UnsupportedOperationException(BROKEN)));

        contexts.run(context -> {
            Observation request = Observation.createNotStarted("request", registry);
            request.start();
            Observation.Scope scope = request.openScope();

            context.getBean(Jobs.class).run("7");

            assertThat(registry.getCurrentObservationScope()).isSameAs(scope);
            registry.setCurrentObservationScope(null);
        });
    }

    static class Jobs {

        @DistributedLock("job-#{#id}")
        public String run(String id) {
            return "done " + id;
        }

        @DistributedLock("fails")
        public void fails() {
            throw new IllegalStateException("on purpose");
        }

        @DistributedLock("later")
        public CompletableFuture<String> later() {
            return CompletableFuture.completedFuture("later");
        }

        @DistributedLock("reactive")
        public Mono<String> reactive() {
            return Mono.just("reactive");
        }
    }

    private static final class FailingConvention extends DefaultLockObservationConvention {

        @Override
        public KeyValues getLowCardinalityKeyValues(LockObservationContext context) {
            throw new UnsupportedOperationException("convention broken");
        }
    }

    private record FailingHandler(String when, Throwable failure) implements ObservationHandler<Observation.Context> {

        @Override
        public boolean supportsContext(Observation.Context context) {
            fail("supports");
            return true;
        }

        @Override
        public void onStart(Observation.Context context) {
            fail("start");
        }

        @Override
        public void onError(Observation.Context context) {
            fail("error");
        }

        @Override
        public void onEvent(Observation.Event event, Observation.Context context) {
            fail("event");
        }

        @Override
        public void onScopeOpened(Observation.Context context) {
            fail("open");
        }

        @Override
        public void onScopeClosed(Observation.Context context) {
            fail("close");
        }

        @Override
        public void onStop(Observation.Context context) {
            fail("stop");
        }

        private void fail(String event) {
            if (event.equals(when)) {
                throw Undeclared.rethrow(failure);
            }
        }
    }
}
