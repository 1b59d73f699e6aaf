/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynamolock.Lease;
import io.dynamolock.LockManager;
import io.dynamolock.LockState;
import io.dynamolock.spring.DistributedLock;
import io.dynamolock.spring.InvalidDistributedLockException;
import io.dynamolock.spring.Locking;
import io.dynamolock.spring.OnBusy;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import reactor.core.publisher.Mono;

/** Methods whose declared return type does not say that the result is computed after their return. */
class UndeclaredResultTests {

    private final ApplicationContextRunner contexts =
            Locking.inMemory().withBean(Work.class).withBean(TypedWork.class);

    static Stream<Object> later() {
        return Stream.of(
                new CompletableFuture<>(),
                new FutureTask<>(() -> ""),
                Mono.empty(),
                Stream.of(""),
                List.of("").iterator(),
                (Supplier<String>) () -> "");
    }

    @ParameterizedTest
    @MethodSource("later")
    void computedAfterReturnIsErrorThatReleasesLock(Object result) {
        contexts.run(context -> {
            assertThatThrownBy(() -> context.getBean(Work.class).give(result))
                    .isInstanceOf(InvalidDistributedLockException.class)
                    .hasMessageContaining(Work.class.getName() + ".give")
                    .hasMessageContaining(result.getClass().getName())
                    .hasMessageContaining("the result itself");

            assertThat(context.getBean(LockManager.class).inspect("job").status())
                    .isEqualTo(LockState.Status.FREE);
        });
    }

    @ParameterizedTest
    @MethodSource("later")
    void remedyIsToDeclareOnlyWhatCanBeDeclared(Object result) {
        boolean isFollowed = result instanceof CompletableFuture || result instanceof Mono;

        contexts.run(
                context -> assertThatThrownBy(() -> context.getBean(Work.class).give(result))
                        .hasMessageEndingWith(
                                isFollowed
                                        ? "Return the result itself, or declare the asynchronous type instead of Object, so that the"
                                                + " lock is held until its end"
                                        : "Return the result itself, or declare and return a CompletableFuture, so that the lock is"
                                                + " held until its end"));
    }

    @Test
    void genericResultIsCheckedUnlessItsTypeIsKnown() {
        contexts.run(context -> {
            assertThatThrownBy(() -> context.getBean(Work.class).same(Stream.of("")))
                    .isInstanceOf(InvalidDistributedLockException.class);
            CompletableFuture<String> done =
                    context.getBean(TypedWork.class).same(CompletableFuture.completedFuture("done"));

            assertThat(done).succeedsWithin(Locking.TIMEOUT).isEqualTo("done");
        });
    }

    @Test
    void finishedResultIsReturned() {
        contexts.run(context -> {
            Work work = context.getBean(Work.class);

            assertThat(work.give(null)).isNull();
            assertThat(work.give("done")).isEqualTo("done");
            Page page = new Page();
            assertThat(work.give(page)).isSameAs(page);
            assertThat(work.page()).isInstanceOf(Page.class);
        });
    }

    @Test
    void resultOfFallbackIsNotChecked() {
        contexts.run(context -> {
            try (Lease held =
                    context.getBean(LockManager.class).tryAcquire("job").orElseThrow()) {
                assertThat(held.isHeld()).isTrue();
                assertThat(context.getBean(Work.class).otherwise()).isInstanceOf(Stream.class);
            }
        });
    }

    /** Like a page of Spring Data: all its content is there. */
    static class Page implements Iterable<String>, Supplier<Stream<String>> {

        @Override
        public Iterator<String> iterator() {
            return List.of("").iterator();
        }

        @Override
        public Stream<String> get() {
            return Stream.of("");
        }
    }

    static class Work {

        @DistributedLock("job")
        public @Nullable Object give(@Nullable Object result) {
            return result;
        }

        @DistributedLock("job")
        public <T> T same(T result) {
            return result;
        }

        @DistributedLock("job")
        public Page page() {
            return new Page();
        }

        @DistributedLock(name = "job", onBusy = OnBusy.FALLBACK, fallback = "instead")
        public Object otherwise() {
            return "";
        }

        Object instead() {
            return Stream.of("");
        }
    }

    abstract static class Base<T> {

        @DistributedLock("job")
        public T same(T result) {
            return result;
        }
    }

    static class TypedWork extends Base<CompletableFuture<String>> {}
}
