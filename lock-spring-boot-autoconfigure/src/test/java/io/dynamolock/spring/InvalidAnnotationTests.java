/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** Annotations that cannot work stop the start, with class and method. */
class InvalidAnnotationTests {

    private final ApplicationContextRunner contexts = Locking.inMemory();

    static Stream<Arguments> mistakes() {
        return Stream.of(
                Arguments.of(NoName.class, "the lock has no name"),
                Arguments.of(BlankName.class, "the lock has no name"),
                Arguments.of(Unparseable.class, "'job-#{#id'"),
                Arguments.of(UnknownParameter.class, "#order is no parameter of the method"),
                Arguments.of(UnknownFunction.class, "is no function"),
                Arguments.of(UnknownPlaceholder.class, "app.missing"),
                Arguments.of(BlankPlaceholder.class, "it is blank"),
                Arguments.of(BadDuration.class, "waitTime = \"soon\" is no duration"),
                Arguments.of(NegativeWait.class, "waitTime must not be negative"),
                Arguments.of(HoldsContradict.class, "must not exceed maxHold"),
                Arguments.of(PrimitiveSkip.class, "has no int to return"),
                Arguments.of(UnknownManager.class, "no LockManager bean named 'nobody'"),
                Arguments.of(ReturnsFuture.class, "asynchronous return types are not supported yet"),
                Arguments.of(ReturnsStage.class, "asynchronous return types are not supported yet"),
                Arguments.of(ReturnsCompletableFuture.class, "asynchronous return types are not supported yet"),
                Arguments.of(ReturnsPublisher.class, "asynchronous return types are not supported yet"),
                Arguments.of(ReturnsMono.class, "asynchronous return types are not supported yet"),
                Arguments.of(ReturnsFlux.class, "asynchronous return types are not supported yet"),
                Arguments.of(ReturnsCallable.class, "asynchronous return types are not supported yet"));
    }

    @ParameterizedTest
    @MethodSource("mistakes")
    void stopTheStart(Class<?> mistake, String problem) {
        contexts.withBean(mistake)
                .run(context -> assertThat(refusal(context))
                        .hasMessageContaining(mistake.getName() + ".work")
                        .hasMessageContaining(problem));
    }

    @ParameterizedTest
    @MethodSource("mistakes")
    void stopTheStartAlsoInLazyBeans(Class<?> mistake, String problem) {
        contexts.withInitializer(context -> registerLazily(context, mistake))
                .run(context -> assertThat(refusal(context)).hasMessageContaining(problem));
    }

    @Test
    void stopTheStartIfThePropertyMakesAPrimitiveSkipped() {
        contexts.withBean(PrimitiveDefault.class)
                .run(context -> assertThat(context).hasNotFailed());

        contexts.withBean(PrimitiveDefault.class)
                .withPropertyValues("dynamolock.annotation.on-busy=skip")
                .run(context -> assertThat(refusal(context)).hasMessageContaining("has no boolean to return"));
    }

    @Test
    void stopTheStartIfThereIsNoManager() {
        contexts.withBean(PrimitiveDefault.class)
                .withPropertyValues("dynamolock.store=dynamodb")
                .withClassLoader(new FilteredClassLoader(DynamoDbClient.class))
                .run(context -> assertThat(refusal(context)).hasMessageContaining("there is no LockManager bean"));
    }

    private static void registerLazily(ConfigurableApplicationContext context, Class<?> type) {
        ((GenericApplicationContext) context).registerBean(type, definition -> definition.setLazyInit(true));
    }

    private static Throwable refusal(AssertableApplicationContext context) {
        return StartFailure.of(context, InvalidDistributedLockException.class);
    }

    static class NoName {

        @DistributedLock
        public void work() {}
    }

    static class BlankName {

        @DistributedLock(" ")
        public void work() {}
    }

    static class Unparseable {

        @DistributedLock("job-#{#id")
        public void work(String id) {}
    }

    static class UnknownParameter {

        @DistributedLock("job-#{#order}")
        public void work(String id) {}
    }

    static class UnknownFunction {

        @DistributedLock("job-#{#call(1)}")
        public void work() {}
    }

    static class UnknownPlaceholder {

        @DistributedLock("${app.missing}")
        public void work() {}
    }

    static class BlankPlaceholder {

        @DistributedLock("${app.missing:}")
        public void work() {}
    }

    static class BadDuration {

        @DistributedLock(name = "job", waitTime = "soon")
        public void work() {}
    }

    static class NegativeWait {

        @DistributedLock(name = "job", waitTime = "-1s")
        public void work() {}
    }

    static class HoldsContradict {

        @DistributedLock(name = "job", minHold = "2m", maxHold = "1m")
        public void work() {}
    }

    static class PrimitiveSkip {

        @DistributedLock(name = "job", onBusy = OnBusy.SKIP)
        public int work() {
            return 1;
        }
    }

    /** Public, because its proxy is made in another class loader. */
    public static class PrimitiveDefault {

        @DistributedLock("job")
        public boolean work() {
            return true;
        }
    }

    static class UnknownManager {

        @DistributedLock(name = "job", manager = "nobody")
        public void work() {}
    }

    static class ReturnsFuture {

        @DistributedLock("job")
        public @Nullable Future<String> work() {
            return null;
        }
    }

    static class ReturnsStage {

        @DistributedLock("job")
        public @Nullable CompletionStage<String> work() {
            return null;
        }
    }

    static class ReturnsCompletableFuture {

        @DistributedLock("job")
        public @Nullable CompletableFuture<String> work() {
            return null;
        }
    }

    static class ReturnsPublisher {

        @DistributedLock("job")
        public Flow.@Nullable Publisher<String> work() {
            return null;
        }
    }

    static class ReturnsMono {

        @DistributedLock("job")
        public @Nullable Mono<String> work() {
            return null;
        }
    }

    static class ReturnsFlux {

        @DistributedLock("job")
        public @Nullable Flux<String> work() {
            return null;
        }
    }

    static class ReturnsCallable {

        @DistributedLock("job")
        public @Nullable Callable<String> work() {
            return null;
        }
    }
}
