/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynamolock.LockManager;
import io.dynamolock.LockState;
import io.dynamolock.spring.DistributedLock;
import io.dynamolock.spring.InvalidDistributedLockException;
import io.dynamolock.spring.Locking;
import io.dynamolock.spring.StartFailure;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.http.HttpEntity;
import org.springframework.http.ResponseEntity;
import org.springframework.web.context.request.async.DeferredResult;
import reactor.core.publisher.Flux;

/** HTTP responses whose body is computed when it is written, after the method has returned. */
class HttpBodyTests {

    private final ApplicationContextRunner contexts = Locking.inMemory();

    @ParameterizedTest
    @ValueSource(classes = {OfFlux.class, OfCallable.class, OfDeferredResult.class, OfFuture.class, OfVariable.class})
    void declaredAsComputedLaterStopsTheStart(Class<?> mistake) {
        contexts.withBean(mistake)
                .run(context -> assertThat(StartFailure.of(context, InvalidDistributedLockException.class))
                        .hasMessageContaining(mistake.getName() + ".work")
                        .hasMessageContaining("the body of its response, a ")
                        .hasMessageEndingWith("is computed after the method has returned, without the lock."
                                + " Return the complete body, or lock the code that the body runs"));
    }

    static Stream<Object> later() {
        return Stream.of(Flux.empty(), (Callable<String>) () -> "", Stream.of(""), new CompletableFuture<>());
    }

    @ParameterizedTest
    @MethodSource("later")
    void undeclaredIsErrorThatReleasesLock(Object body) {
        contexts.withBean(Undeclared.class).run(context -> {
            Undeclared work = context.getBean(Undeclared.class);

            assertThatThrownBy(() -> work.object(body)).hasMessageContaining("the body of its response, a ");
            assertThatThrownBy(() -> work.response(body))
                    .isInstanceOf(InvalidDistributedLockException.class)
                    .hasMessageContaining(body.getClass().getName())
                    .hasMessageContaining("Return the complete body");
            assertThat(context.getBean(LockManager.class).inspect("job").status())
                    .isEqualTo(LockState.Status.FREE);
        });
    }

    @Test
    void completeBodyIsReturned() {
        contexts.withBean(Undeclared.class).run(context -> {
            Undeclared work = context.getBean(Undeclared.class);

            assertThat(work.object("done")).isEqualTo(ResponseEntity.ok("done"));
            assertThat(work.response("done").getBody()).isEqualTo("done");
            assertThat(work.response(null).getBody()).isNull();
            assertThat(work.list().getBody()).containsExactly("done");
        });
    }

    static class OfFlux {
        @DistributedLock("job")
        public ResponseEntity<Flux<String>> work() {
            return ResponseEntity.ok(Flux.empty());
        }
    }

    static class OfCallable {
        @DistributedLock("job")
        public HttpEntity<Callable<String>> work() {
            return new HttpEntity<>(() -> "");
        }
    }

    static class OfDeferredResult {
        @DistributedLock("job")
        public ResponseEntity<? extends DeferredResult<String>> work() {
            return ResponseEntity.ok(new DeferredResult<>());
        }
    }

    static class FutureEntity extends HttpEntity<CompletableFuture<String>> {}

    static class OfFuture {
        @DistributedLock("job")
        public FutureEntity work() {
            return new FutureEntity();
        }
    }

    abstract static class Base<T> {
        @DistributedLock("job")
        public ResponseEntity<T> work() {
            return ResponseEntity.ok().build();
        }
    }

    static class OfVariable extends Base<Stream<String>> {}

    static class Undeclared {
        @DistributedLock("job")
        public Object object(Object body) {
            return ResponseEntity.ok(body);
        }

        @DistributedLock("job")
        public ResponseEntity<?> response(@Nullable Object body) {
            return ResponseEntity.ok(body);
        }

        @DistributedLock("job")
        public ResponseEntity<List<String>> list() {
            return ResponseEntity.ok(List.of("done"));
        }
    }
}
