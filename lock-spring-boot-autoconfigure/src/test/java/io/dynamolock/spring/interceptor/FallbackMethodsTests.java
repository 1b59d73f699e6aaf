/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.Lease;
import io.dynamolock.LockBusyException;
import io.dynamolock.LockState;
import io.dynamolock.spring.DistributedLock;
import io.dynamolock.spring.InvalidDistributedLockException;
import io.dynamolock.spring.Locking;
import io.dynamolock.spring.OnBusy;
import io.dynamolock.spring.StartFailure;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.scheduling.annotation.Async;
import reactor.core.publisher.Mono;

/** Fallbacks that do not fit, and what they may throw. */
class FallbackMethodsTests {

    private final ApplicationContextRunner contexts = Locking.inMemory().withBean("spare", Spare.class);

    static Stream<Arguments> mistakes() {
        return Stream.of(
                Arguments.of(NoFallback.class, "FALLBACK without a fallback"),
                Arguments.of(NoOnBusy.class, "a fallback without onBusy"),
                Arguments.of(Itself.class, "its fallback is the method itself"),
                Arguments.of(ItselfByBean.class, "its fallback is the method itself"),
                Arguments.of(UnknownMethod.class, "has no method 'nobody'"),
                Arguments.of(UnknownBean.class, "no bean named 'nobody'"),
                Arguments.of(UnknownBeanMethod.class, "Spare has no method 'nobody'"),
                Arguments.of(
                        OtherParameters.class,
                        "OtherParameters.other does not fit: it takes (int) instead of (String)"),
                Arguments.of(
                        OtherLast.class, "OtherLast.other does not fit: it takes (String, Lease) instead of (String)"),
                Arguments.of(TwoThatFit.class, "several methods fit as its fallback: other(String, Lock"),
                Arguments.of(OtherResult.class, "OtherResult.other does not fit: it returns Object instead of String"),
                Arguments.of(NoResult.class, "NoResult.other does not fit: it returns void instead of String"),
                Arguments.of(
                        NotAsynchronous.class, "NotAsynchronous.other does not fit: it returns String instead of Mono"),
                Arguments.of(
                        OtherException.class,
                        "OtherException.other does not fit: it throws IOException, which the method does not declare."
                                + " Handle it in the fallback, or declare it on the method"));
    }

    @ParameterizedTest
    @MethodSource("mistakes")
    void thatDoesNotFitStopsTheStart(Class<?> mistake, String problem) {
        contexts.withBean("itself", mistake)
                .run(context -> assertThat(StartFailure.of(context, InvalidDistributedLockException.class))
                        .hasMessageContaining(mistake.getName() + ".work")
                        .hasMessageContaining(problem));
    }

    @Test
    void mayThrowWhatTheMethodDeclares() {
        contexts.withBean(SameExceptions.class)
                .run(context -> assertThat(context).hasNotFailed());
    }

    static class Spare {

        String spare(String id) {
            return "spare for " + id;
        }
    }

    static class OtherException {

        @DistributedLock(name = "job", onBusy = OnBusy.FALLBACK, fallback = "other")
        public void work() throws TimeoutException {}

        void other() throws IOException {
            throw new FileNotFoundException("other");
        }
    }

    static class SameExceptions {

        @DistributedLock(name = "job", onBusy = OnBusy.FALLBACK, fallback = "other")
        public String work() throws TimeoutException, IOException {
            return "";
        }

        String other() throws FileNotFoundException, IllegalStateException {
            throw new FileNotFoundException("other");
        }

        @Async
        @DistributedLock(name = "job", onBusy = OnBusy.FALLBACK, fallback = "otherInBackground")
        public void inBackground() {}

        void otherInBackground() throws IOException {
            throw new IOException("the handler of uncaught exceptions gets it");
        }

        @DistributedLock(name = "job", onBusy = OnBusy.FALLBACK, fallback = "otherLater")
        public Mono<String> later() {
            return Mono.empty();
        }

        Mono<String> otherLater() throws Exception {
            throw new TimeoutException("a subscriber gets it");
        }
    }

    static class NoFallback {

        @DistributedLock(name = "job", onBusy = OnBusy.FALLBACK)
        public void work() {}
    }

    static class NoOnBusy {

        @DistributedLock(name = "job", fallback = "other")
        public void work() {}

        void other() {}
    }

    static class UnknownMethod {

        @DistributedLock(name = "job", onBusy = OnBusy.FALLBACK, fallback = "nobody")
        public void work() {}
    }

    static class UnknownBean {

        @DistributedLock(name = "job", onBusy = OnBusy.FALLBACK, fallback = "@nobody")
        public void work() {}
    }

    static class UnknownBeanMethod {

        @DistributedLock(name = "job", onBusy = OnBusy.FALLBACK, fallback = "@spare.nobody")
        public void work() {}
    }

    static class OtherParameters {

        @DistributedLock(name = "job", onBusy = OnBusy.FALLBACK, fallback = "other")
        public void work(String id) {}

        void other(int id) {}
    }

    static class OtherLast {

        @DistributedLock(name = "job", onBusy = OnBusy.FALLBACK, fallback = "other")
        public void work(String id) {}

        void other(String id, @Nullable Lease lease) {}
    }

    static class TwoThatFit {

        @DistributedLock(name = "job", onBusy = OnBusy.FALLBACK, fallback = "other")
        public String work(String text) {
            return text;
        }

        public String other(String text, LockState holder) {
            return text;
        }

        public String other(String text, LockBusyException busy) {
            return text;
        }
    }

    static class OtherResult {

        @DistributedLock(name = "job", onBusy = OnBusy.FALLBACK, fallback = "other")
        public String work() {
            return "";
        }

        Object other() {
            return "";
        }
    }

    static class Itself {

        @DistributedLock(name = "job", onBusy = OnBusy.FALLBACK, fallback = "work")
        public void work() {}
    }

    static class ItselfByBean {

        @DistributedLock(name = "job", onBusy = OnBusy.FALLBACK, fallback = "@itself")
        public void work() {}
    }

    static class NoResult {

        @DistributedLock(name = "job", onBusy = OnBusy.FALLBACK, fallback = "other")
        public String work() {
            return "";
        }

        void other() {}
    }

    static class NotAsynchronous {

        @DistributedLock(name = "job", onBusy = OnBusy.FALLBACK, fallback = "other")
        public Mono<String> work() {
            return Mono.empty();
        }

        String other() {
            return "";
        }
    }
}
