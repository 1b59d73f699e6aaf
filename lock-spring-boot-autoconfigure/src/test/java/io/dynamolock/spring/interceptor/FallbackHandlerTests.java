/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynamolock.Lease;
import io.dynamolock.LockBusyException;
import io.dynamolock.LockManager;
import io.dynamolock.LockManagerClosedException;
import io.dynamolock.LockState;
import io.dynamolock.spring.DistributedLock;
import io.dynamolock.spring.Locking;
import io.dynamolock.spring.OnBusy;
import io.dynamolock.spring.PackagePrivateWork;
import java.io.IOException;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Fallbacks of methods whose lock is busy, and invalid fallbacks. */
class FallbackHandlerTests {

    private final ApplicationContextRunner contexts =
            Locking.inMemory().withBean(Work.class).withBean("spare", Spare.class);

    @Test
    void runsWithoutTheLockAndSeesTheHolder() {
        contexts.withPropertyValues("dynamolock.owner=node-1").run(context -> {
            Work work = context.getBean(Work.class);
            try (Lease held = hold(context.getBean(LockManager.class))) {
                assertThat(held.isHeld()).isTrue();
                assertThat(work.plain("a")).isEqualTo("instead of a");
                assertThat(work.told("a")).isEqualTo("a is busy: job");
                assertThat(work.toldTheState("a")).isEqualTo("a is with node-1");
                assertThat(work.nothing("a")).isEqualTo(7);
            }

            assertThat(work.plain("a")).isEqualTo("work on a");
            assertThat(context.getBean(Locking.class).acquired()).containsExactly("job", "job");
        });
    }

    @Test
    void canBeABeansMethodOfTheSameOrAnotherName() {
        contexts.run(context -> {
            Work work = context.getBean(Work.class);
            try (Lease held = hold(context.getBean(LockManager.class))) {
                assertThat(held.isHeld()).isTrue();
                assertThat(work.bean("a")).isEqualTo("spare for a");
                assertThat(work.beansMethod("a")).isEqualTo("other for a");
            }
        });
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void canBeMethodOfBeanWhoseProxyIsMadeLater(boolean ofClass) {
        contexts.withPropertyValues("spring.aop.proxy-target-class=" + ofClass)
                .withInitializer(context -> ((GenericApplicationContext) context)
                        .registerBean("proxied", Proxied.class, definition -> definition.setLazyInit(true)))
                .withBean(AroundProxied.class)
                .run(FallbackHandlerTests::assertFallbacksSeeTheFieldAndHaveAdvice);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void canBeMethodThatTheProxyOfItsBeanCannotDelegate(boolean ofClass) {
        contexts.withPropertyValues("spring.aop.proxy-target-class=" + ofClass)
                .withBean("proxied", Proxied.class)
                .withBean(AroundProxied.class)
                .run(FallbackHandlerTests::assertFallbacksSeeTheFieldAndHaveAdvice);
    }

    private static void assertFallbacksSeeTheFieldAndHaveAdvice(ApplicationContext context) {
        AroundProxied work = context.getBean(AroundProxied.class);
        try (Lease held = hold(context.getBean(LockManager.class))) {
            assertThat(held.isHeld()).isTrue();
            assertThat(work.open("a")).isEqualTo("spare for a");
            assertThat(work.whole("a")).isEqualTo("spare for a");
            assertThat(work.hidden("a")).isEqualTo("spare for a");
            assertThat(work.far("a")).isEqualTo("spare for a");
            assertThat(context.getBean(Locking.class).acquired()).containsExactly("job", "proxied-a");
        }
    }

    @Test
    void canTakeWhatTheClassMakesOfGenericParameters() {
        contexts.withBean(OfText.class).run(context -> {
            OfText work = context.getBean(OfText.class);
            try (Lease held = hold(context.getBean(LockManager.class))) {
                assertThat(held.isHeld()).isTrue();
                assertThat(work.generic("a")).isEqualTo("A");
            }
        });
    }

    @Test
    void canBeAsynchronous() {
        contexts.run(context -> {
            Work work = context.getBean(Work.class);
            try (Lease held = hold(context.getBean(LockManager.class))) {
                assertThat(held.isHeld()).isTrue();
                assertThat(work.future("a").get(60, TimeUnit.SECONDS)).isEqualTo("instead of a");
                assertThat(work.mono("a").block()).isEqualTo("instead of a");
                assertThat(work.flux("a").collectList().block()).containsExactly("instead", "of", "a");
            }
        });
    }

    @Test
    void passesItsOwnFailureOn() {
        contexts.run(context -> {
            Work work = context.getBean(Work.class);
            try (Lease held = hold(context.getBean(LockManager.class))) {
                assertThat(held.isHeld()).isTrue();
                assertThatThrownBy(work::failing)
                        .isInstanceOf(IOException.class)
                        .hasMessage("fallback");
                assertThatThrownBy(() -> work.failingFuture().get(60, TimeUnit.SECONDS))
                        .hasRootCauseInstanceOf(IOException.class);
            }
        });
    }

    @Test
    void isNotForTheMethodsOwnBusyLocks() {
        contexts.run(context -> {
            try (Lease held = hold(context.getBean(LockManager.class))) {
                assertThat(held.isHeld()).isTrue();
                assertThatThrownBy(() -> context.getBean(Work.class).busyInside(context.getBean(LockManager.class)))
                        .isInstanceOf(LockBusyException.class);
            }
        });
    }

    @Test
    void doesNotRunWhenTheApplicationStops() {
        contexts.run(context -> {
            Work work = context.getBean(Work.class);
            context.getSourceApplicationContext(ConfigurableApplicationContext.class)
                    .close();

            assertThatIllegalStateException()
                    .isThrownBy(() -> work.plain("a"))
                    .isInstanceOf(LockManagerClosedException.class);
        });
    }

    @Test
    void cannotBeWhatMethodsDoThatDoNotSay() {
        contexts.withPropertyValues("dynamolock.annotation.on-busy=fallback")
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasMessageContaining("dynamolock.annotation.on-busy must be default, skip or throw"));
    }

    private static Lease hold(LockManager locks) {
        return locks.tryAcquire("job").orElseThrow();
    }

    static class Work {

        @DistributedLock(name = "job", onBusy = OnBusy.FALLBACK, fallback = "instead")
        public String plain(String id) {
            return "work on " + id;
        }

        private String instead(Object id) {
            return "instead of " + id;
        }

        @DistributedLock(name = "job", onBusy = OnBusy.FALLBACK, fallback = "insteadKnowingHolder")
        public String told(String id) {
            return "work on " + id;
        }

        String insteadKnowingHolder(String id, LockBusyException busy) {
            return id + " is busy: " + busy.lockName();
        }

        @DistributedLock(name = "job", onBusy = OnBusy.FALLBACK, fallback = "insteadKnowingHolderTheState")
        public String toldTheState(String id) {
            return "work on " + id;
        }

        static String insteadKnowingHolderTheState(String id, LockState holder) {
            return id + " is with " + holder.owner();
        }

        @DistributedLock(name = "job", onBusy = OnBusy.FALLBACK, fallback = "seven")
        public int nothing(String id) {
            return id.length();
        }

        Integer seven(String id) {
            return 6 + id.length();
        }

        @DistributedLock(name = "job", onBusy = OnBusy.FALLBACK, fallback = "@spare")
        public String bean(String id) {
            return "work on " + id;
        }

        @DistributedLock(name = "job", onBusy = OnBusy.FALLBACK, fallback = "@spare.other")
        public String beansMethod(String id) {
            return "work on " + id;
        }

        @DistributedLock(name = "job", onBusy = OnBusy.FALLBACK, fallback = "insteadFuture")
        public CompletableFuture<String> future(String id) {
            return CompletableFuture.completedFuture(id);
        }

        CompletableFuture<String> insteadFuture(String id) {
            return CompletableFuture.supplyAsync(() -> instead(id));
        }

        @DistributedLock(name = "job", onBusy = OnBusy.FALLBACK, fallback = "insteadMono")
        public Mono<String> mono(String id) {
            return Mono.just(id);
        }

        Mono<String> insteadMono(String id) {
            return Mono.just(instead(id));
        }

        @DistributedLock(name = "job", onBusy = OnBusy.FALLBACK, fallback = "insteadFlux")
        public Flux<String> flux(String id) {
            return Flux.just(id);
        }

        Flux<String> insteadFlux(String id) {
            return Flux.just("instead", "of", id);
        }

        @DistributedLock(name = "job", onBusy = OnBusy.FALLBACK, fallback = "fails")
        public void failing() throws IOException {}

        void fails() throws IOException {
            throw new IOException("fallback");
        }

        @DistributedLock(name = "job", onBusy = OnBusy.FALLBACK, fallback = "failsInstead")
        public CompletableFuture<String> failingFuture() {
            return CompletableFuture.completedFuture("");
        }

        CompletableFuture<String> failsInstead() throws IOException {
            throw new IOException("fallback");
        }

        @DistributedLock(name = "other", onBusy = OnBusy.FALLBACK, fallback = "quiet")
        public void busyInside(LockManager locks) throws InterruptedException {
            locks.acquire(io.dynamolock.LockRequest.of("job"));
        }

        void quiet(LockManager locks) {}
    }

    static class Spare {

        String bean(String id) {
            return "spare for " + id;
        }

        String other(String id) {
            return "other for " + id;
        }
    }

    interface Prices<T> {
        String open(T id);
    }

    static class Proxied extends PackagePrivateWork.WithField implements Prices<String> {

        private final String prefix = String.valueOf("spare for ");

        @Override
        @DistributedLock("proxied-#{#id}")
        public String open(String id) {
            return prefix + id;
        }

        final String whole(String id) {
            return prefix + id;
        }

        @SuppressWarnings("UnusedMethod") // the fallback
        private String hidden(String id) {
            return prefix + id;
        }
    }

    @DistributedLock(name = "job", onBusy = OnBusy.FALLBACK, fallback = "@proxied")
    static class AroundProxied {

        public String open(String id) {
            return "";
        }

        public String whole(String id) {
            return "";
        }

        public String hidden(String id) {
            return "";
        }

        public String far(String id) {
            return "";
        }
    }

    static class Generic<T> {

        @DistributedLock(name = "job", onBusy = OnBusy.FALLBACK, fallback = "upper")
        public T generic(T id) {
            return id;
        }
    }

    static class OfText extends Generic<String> {

        String upper(String id) {
            return id.toUpperCase(Locale.ROOT);
        }
    }
}
