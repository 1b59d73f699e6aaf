/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.LockManager;
import io.dynamolock.memory.InMemoryLockStore;
import io.dynamolock.spring.DistributedLock;
import io.dynamolock.spring.Locking;
import io.dynamolock.spring.boot.DistributedLockAutoConfiguration;
import io.dynamolock.spring.boot.DynamolockAutoConfiguration;
import io.micrometer.observation.ObservationRegistry;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.core.task.TaskDecorator;

/** The first call of a locked method looks up lazy beans, which Spring creates on one thread at a time. */
class FirstCallTests {

    private static final List<Class<?>> LOOKED_UP =
            List.of(LockManager.class, ObservationRegistry.class, Executor.class, TaskDecorator.class);

    static Stream<Class<?>> lookedUp() {
        return LOOKED_UP.stream();
    }

    /** The creation holds Spring's lock, for which the other call waits. */
    @ParameterizedTest
    @MethodSource("lookedUp")
    void isPossibleDuringTheCreationOfABeanForWhichAnotherCallWaits(Class<?> lazy) {
        ConfigurableApplicationContext context = start(Application.class);
        LOOKED_UP.stream().filter(type -> type != lazy).forEach(context::getBean);

        assertDoesNotBlock(context);
    }

    /** Spring takes its lock to ask a factory bean for its type. */
    @Test
    void isPossibleDuringTheCreationOfABeanIfAFactoryBeanMakesTheManager() {
        ConfigurableApplicationContext context = start(Application.class, MadeManager.class);
        context.getBean("work", Work.class).run().join(); // by the other manager

        assertDoesNotBlock(context);
    }

    private static ConfigurableApplicationContext start(Class<?>... application) {
        return new SpringApplicationBuilder(application)
                .web(WebApplicationType.NONE)
                .lazyInitialization(true)
                .properties("dynamolock.store=memory")
                .run();
    }

    private static void assertDoesNotBlock(ConfigurableApplicationContext context) {
        Work work = context.getBean(Work.class);
        Calls calls = context.getBean(Calls.class);

        CompletableFuture<?> creation = CompletableFuture.runAsync(() -> context.getBean(CallsDuringItsCreation.class));
        Locking.await(calls.creating());
        Thread other = new Thread(() -> {
            var unused = work.run();
        });
        other.setDaemon(true);
        other.start();
        Awaitility.await().until(() -> Locking.isWaiting(other));
        calls.othersWait().countDown();

        assertThat(creation).succeedsWithin(Locking.TIMEOUT);
        context.close(); // not otherwise: it would wait, too
    }

    record Calls(CountDownLatch creating, CountDownLatch othersWait) {

        public String manager() {
            return "made";
        }
    }

    static class Work {

        @DistributedLock(name = "work", waitTime = "1m")
        public CompletableFuture<Void> run() {
            return CompletableFuture.completedFuture(null);
        }
    }

    static class WorkOfMade extends Work {

        @Override
        @DistributedLock(name = "work", waitTime = "1m", manager = "#{@calls.manager()}")
        public CompletableFuture<Void> run() {
            return super.run();
        }
    }

    static class CallsDuringItsCreation {

        CallsDuringItsCreation(Calls calls, Work work) {
            calls.creating().countDown();
            Locking.await(calls.othersWait());
            work.run().join();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({DynamolockAutoConfiguration.class, DistributedLockAutoConfiguration.class})
    static class Application {

        @Bean
        Calls calls() {
            return new Calls(new CountDownLatch(1), new CountDownLatch(1));
        }

        @Bean
        Work work() {
            return new Work();
        }

        @Bean
        CallsDuringItsCreation callsDuringItsCreation(Calls calls, Work work) {
            return new CallsDuringItsCreation(calls, work);
        }

        @Bean
        Executor applicationTaskExecutor() {
            return new SimpleAsyncTaskExecutor();
        }

        @Bean
        TaskDecorator taskDecorator() {
            return task -> task;
        }

        @Bean
        ObservationRegistry observationRegistry() {
            return ObservationRegistry.create();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class MadeManager {

        @Bean
        @Primary
        WorkOfMade workOfMade() {
            return new WorkOfMade();
        }

        @Bean(autowireCandidate = false)
        FactoryBean<?> made() {
            return new Maker();
        }
    }

    private static final class Maker implements FactoryBean<LockManager>, DisposableBean {

        private final LockManager manager =
                LockManager.builder(new InMemoryLockStore()).build();

        @Override
        public LockManager getObject() {
            return manager;
        }

        @Override
        public Class<?> getObjectType() {
            return LockManager.class;
        }

        @Override
        public void destroy() {
            manager.close();
        }
    }
}
