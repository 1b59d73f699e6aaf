/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynamolock.LockManager;
import io.dynamolock.LockManagerClosedException;
import io.dynamolock.memory.InMemoryLockStore;
import io.dynamolock.spring.DistributedLock;
import io.dynamolock.spring.Locking;
import io.dynamolock.spring.OnBusy;
import io.dynamolock.spring.boot.DistributedLockAutoConfiguration;
import io.dynamolock.spring.boot.DynamolockAutoConfiguration;
import io.micrometer.observation.ObservationRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;

/** A locked method is called for the first time while its application context closes, or later. */
class LateCallTests {

    private final Created created =
            new Created(new AtomicInteger(), new AtomicInteger(), new AtomicInteger(), new AtomicInteger());

    @Test
    void afterTheEndOfTheContextFailsAsOfAnyClosedManager() {
        ConfigurableApplicationContext context = start(false);
        Work work = context.getBean(Work.class);
        context.close();

        assertThatThrownBy(work::run).isInstanceOf(LockManagerClosedException.class);
        assertThat(work.runOrSkip()).isNull();
        assertThat(work.runLater())
                .failsWithin(Locking.TIMEOUT)
                .withThrowableOfType(ExecutionException.class)
                .withCauseInstanceOf(LockManagerClosedException.class);
        assertThat(created.registries()).hasValue(1);
        assertThat(created.executors()).hasValue(1);
    }

    @Test
    void afterTheEndOfTheContextCreatesNoManager() {
        ConfigurableApplicationContext context = start(true);
        Work work = context.getBean(Work.class);
        context.close();

        assertThatThrownBy(work::run)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("Work.run")
                .hasMessageContaining("the application context is closed");
        assertThat(created.managers()).hasValue(0);
    }

    @Test
    void afterTheEndOfTheContextCreatesNoBeanOfItsName() {
        ConfigurableApplicationContext context = start(false);
        Work work = context.getBean(Work.class);
        work.runNamed();
        context.close();

        assertThatThrownBy(work::runNamed)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("Work.runNamed from '#{@names.toString()}'")
                .hasMessageContaining("the application context is closed");
        assertThat(created.names()).hasValue(1);
    }

    @Test
    void afterFailedStartCreatesNoManager() {
        List<Work> early = new ArrayList<>();

        assertThatThrownBy(() -> start(
                        true,
                        context -> context.addApplicationListener((ContextRefreshedEvent last) -> {
                            early.add(context.getBean(Work.class));
                            throw new IllegalStateException("on purpose");
                        })))
                .hasMessage("on purpose");

        assertThatThrownBy(early.get(0)::run)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("the application context is closed");
        assertThat(created.managers()).hasValue(0);
    }

    @Test
    void whileTheContextClosesIsLocked() {
        ConfigurableApplicationContext context = start(true);
        Work work = context.getBean(Work.class);
        List<String> results = new ArrayList<>();
        context.addApplicationListener((ContextClosedEvent closing) -> results.add(work.run()));

        context.close();

        assertThat(results).containsExactly("done");
    }

    private ConfigurableApplicationContext start(boolean lazy) {
        return start(lazy, context -> {});
    }

    private ConfigurableApplicationContext start(
            boolean lazy, ApplicationContextInitializer<ConfigurableApplicationContext> initializer) {
        return new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .lazyInitialization(lazy)
                .initializers(
                        context -> ((GenericApplicationContext) context).registerBean(Created.class, () -> created),
                        initializer)
                .run();
    }

    record Created(AtomicInteger managers, AtomicInteger registries, AtomicInteger executors, AtomicInteger names) {}

    static class Work {

        @DistributedLock("work")
        public String run() {
            return "done";
        }

        @DistributedLock(name = "work", onBusy = OnBusy.SKIP)
        public String runOrSkip() {
            return "done";
        }

        @DistributedLock("#{@names.toString()}")
        public String runNamed() {
            return "done";
        }

        @DistributedLock("work")
        public CompletableFuture<String> runLater() {
            return CompletableFuture.completedFuture("done");
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({DynamolockAutoConfiguration.class, DistributedLockAutoConfiguration.class})
    static class Application {

        @Bean
        LockManager manager(Created created) {
            created.managers().incrementAndGet();
            return LockManager.builder(new InMemoryLockStore()).build();
        }

        @Bean
        ThreadPoolTaskExecutor applicationTaskExecutor(Created created) {
            assertThat(created.executors().incrementAndGet()).isEqualTo(1);
            return new ThreadPoolTaskExecutor();
        }

        @Bean
        ObservationRegistry observationRegistry(Created created) {
            assertThat(created.registries().incrementAndGet()).isEqualTo(1);
            return ObservationRegistry.create();
        }

        @Bean
        StringBuilder names(Created created) {
            created.names().incrementAndGet();
            return new StringBuilder("work");
        }

        @Bean
        Work work() {
            return new Work();
        }
    }
}
