/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.spring.DistributedLock;
import io.dynamolock.spring.InvalidDistributedLockException;
import io.dynamolock.spring.Locking;
import io.dynamolock.spring.OnBusy;
import io.dynamolock.spring.StartFailure;
import io.dynamolock.spring.boot.DistributedLockAutoConfiguration;
import io.reactivex.rxjava3.core.Single;
import java.util.Enumeration;
import java.util.ListIterator;
import java.util.Spliterator;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import kotlin.sequences.Sequence;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.reactivestreams.Publisher;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import reactor.core.publisher.ConnectableFlux;
import reactor.core.publisher.Mono;

/** Invalid annotations fail the startup; the message names class and method. */
class InvalidAnnotationTests {

    private final ApplicationContextRunner contexts = Locking.inMemory();

    static Stream<Arguments> mistakes() {
        return Stream.of(
                Arguments.of(NoName.class, "the lock has no name"),
                Arguments.of(BlankName.class, "the lock has no name"),
                Arguments.of(Unparseable.class, "'job-#{#id'"),
                Arguments.of(UnknownParameter.class, "#order is not a parameter of the method"),
                Arguments.of(
                        ParameterAsText.class,
                        "#id outside of #{} is text, so that all calls share one lock. Write order-#{#id}"),
                Arguments.of(ParameterInBraces.class, "#id outside of #{} is text"),
                Arguments.of(UnknownFunction.class, "is not a function"),
                Arguments.of(UnknownPlaceholder.class, "app.missing"),
                Arguments.of(BlankPlaceholder.class, "it is blank"),
                Arguments.of(BadDuration.class, "waitTime = \"soon\" is not a duration"),
                Arguments.of(
                        EmptyDuration.class,
                        "waitTime = \"${app.missing:}\" has the value \"\", which is not a duration"),
                Arguments.of(NoUnit.class, "waitTime = \"5\" has no unit. Give a unit: \"5s\""),
                Arguments.of(
                        NoUnitInPlaceholder.class,
                        "leaseDuration = \"${app.lease:30}\" has the value \"30\", which has no unit"),
                Arguments.of(NegativeWait.class, "waitTime must not be negative"),
                Arguments.of(HoldsContradict.class, "must not exceed maxHold"),
                Arguments.of(PrimitiveSkip.class, "has no int to return"),
                Arguments.of(UnknownManager.class, "no LockManager bean named 'nobody'"),
                Arguments.of(ReturnsFuture.class, "java.util.concurrent.Future does not signal its completion"),
                Arguments.of(ReturnsTask.class, "FutureTask does not signal its completion"),
                Arguments.of(
                        ReturnsSpecialFuture.class,
                        "callers get a CompletableFuture, which is no io.dynamolock.spring.interceptor.InvalidAnnotationTests$SpecialFuture."
                                + " Declare the return type CompletableFuture or CompletionStage"),
                Arguments.of(ReturnsSpecialFlux.class, "ConnectableFlux is an unsupported asynchronous type"),
                Arguments.of(ReturnsUnknownPublisher.class, "UnknownPublisher is an unsupported asynchronous type"),
                Arguments.of(
                        ReturnsCallable.class, "java.util.concurrent.Callable is an unsupported asynchronous type"),
                Arguments.of(ReturnsStream.class, "java.util.stream.IntStream computes its content"),
                Arguments.of(ReturnsIterator.class, "java.util.ListIterator computes its content"),
                Arguments.of(ReturnsSpliterator.class, "java.util.Spliterator computes its content"),
                Arguments.of(ReturnsEnumeration.class, "java.util.Enumeration computes its content"),
                Arguments.of(ReturnsSupplier.class, "java.util.function.BooleanSupplier computes its content"),
                Arguments.of(ReturnsSequence.class, "kotlin.sequences.Sequence computes its content"),
                Arguments.of(SkipsSingle.class, "a skipped call has no io.reactivex.rxjava3.core.Single to return"));
    }

    @ParameterizedTest
    @MethodSource("mistakes")
    void stopTheStart(Class<?> mistake, String problem) {
        contexts.withBean(mistake)
                .run(context -> assertThat(rejection(context))
                        .hasMessageContaining(mistake.getName() + ".work")
                        .hasMessageContaining(problem));
    }

    @ParameterizedTest
    @MethodSource("mistakes")
    void stopTheStartAlsoInLazyBeans(Class<?> mistake, String problem) {
        contexts.withInitializer(context -> registerLazily(context, mistake))
                .run(context -> assertThat(rejection(context)).hasMessageContaining(problem));
    }

    @Test
    void stopTheStartIfThePropertyMakesAPrimitiveSkipped() {
        contexts.withBean(PrimitiveDefault.class)
                .run(context -> assertThat(context).hasNotFailed());

        contexts.withBean(PrimitiveDefault.class)
                .withPropertyValues("dynamolock.annotation.on-busy=skip")
                .run(context -> assertThat(rejection(context)).hasMessageContaining("has no boolean to return"));
    }

    @Test
    void canBeAvoidedByAnnotatingMethodsInsteadOfTheirType() {
        contexts.withBean(Counting.class)
                .run(context -> assertThat(rejection(context))
                        .hasMessageContaining("no int to return")
                        .hasMessageContaining("or annotate the methods to lock instead of the type"));
    }

    @DistributedLock(name = "counting", onBusy = OnBusy.SKIP)
    static class Counting {

        public void work() {}

        public int count() {
            return 1;
        }
    }

    @Test
    void stopTheStartIfThereIsNoManager() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(DistributedLockAutoConfiguration.class))
                .withBean(PrimitiveDefault.class)
                .run(context -> assertThat(rejection(context)).hasMessageContaining("there is no LockManager bean"));
    }

    @Test
    void stopTheStartIfReactorIsMissing() {
        contexts.withBean(ReturnsMono.class).run(context -> assertThat(context).hasNotFailed());

        contexts.withBean(ReturnsMono.class)
                .withClassLoader(new FilteredClassLoader("reactor.core.publisher.Flux"))
                .run(context ->
                        assertThat(rejection(context)).hasMessageContaining("Add io.projectreactor:reactor-core"));
    }

    private static void registerLazily(ConfigurableApplicationContext context, Class<?> type) {
        ((GenericApplicationContext) context).registerBean(type, definition -> definition.setLazyInit(true));
    }

    private static Throwable rejection(AssertableApplicationContext context) {
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

    static class ParameterAsText {

        @DistributedLock("order-#id")
        public void work(String id) {}
    }

    static class ParameterInBraces {

        @DistributedLock("order-{#id}")
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

    static class EmptyDuration {

        @DistributedLock(name = "job", waitTime = "${app.missing:}")
        public void work() {}
    }

    static class NoUnit {

        @DistributedLock(name = "job", waitTime = "5")
        public void work() {}
    }

    static class NoUnitInPlaceholder {

        @DistributedLock(name = "job", leaseDuration = "${app.lease:30}")
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

    /** Public, because its proxy is created in another class loader. */
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

    /** Public, because its proxy is created in another class loader. */
    public static class ReturnsMono {

        @DistributedLock("job")
        public Mono<String> work() {
            return Mono.empty();
        }
    }

    static class SpecialFuture extends CompletableFuture<String> {}

    static class ReturnsSpecialFuture {

        @DistributedLock("job")
        public SpecialFuture work() {
            return new SpecialFuture();
        }
    }

    static class ReturnsTask {

        @DistributedLock("job")
        public @Nullable FutureTask<String> work() {
            return null;
        }
    }

    static class ReturnsSpecialFlux {

        @DistributedLock("job")
        public @Nullable ConnectableFlux<String> work() {
            return null;
        }
    }

    interface UnknownPublisher extends Publisher<String> {}

    static class ReturnsUnknownPublisher {

        @DistributedLock("job")
        public @Nullable UnknownPublisher work() {
            return null;
        }
    }

    static class SkipsSingle {

        @DistributedLock(name = "job", onBusy = OnBusy.SKIP)
        public @Nullable Single<String> work() {
            return null;
        }
    }

    static class ReturnsStream {

        @DistributedLock("job")
        public @Nullable IntStream work() {
            return null;
        }
    }

    interface Source<T> {

        @DistributedLock("job")
        @Nullable
        T work();
    }

    static class ReturnsIterator implements Source<ListIterator<String>> {

        @Override
        public @Nullable ListIterator<String> work() {
            return null;
        }
    }

    static class ReturnsSpliterator {

        @DistributedLock("job")
        public @Nullable Spliterator<String> work() {
            return null;
        }
    }

    static class ReturnsEnumeration {

        @DistributedLock("job")
        public @Nullable Enumeration<String> work() {
            return null;
        }
    }

    static class ReturnsSupplier {

        @DistributedLock("job")
        public @Nullable BooleanSupplier work() {
            return null;
        }
    }

    static class ReturnsSequence {

        @DistributedLock("job")
        public @Nullable Sequence<String> work() {
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
