/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.benchmarks;

import io.dynamolock.Lease;
import io.dynamolock.LockManager;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

/** Measures a locked call without its requests, which are served from memory: one method, called in three ways. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class LockedCall {

    private final Orders unlocked = new Orders();
    private ConfigurableApplicationContext application;
    private Orders locked;
    private LockManager locks;

    /** Created by JMH. */
    public LockedCall() {}

    /** Starts an application. */
    @Setup
    public void start() {
        application = new SpringApplicationBuilder(Shop.class)
                .web(WebApplicationType.NONE)
                .properties("dynamolock.store=memory", "logging.level.root=warn", "spring.main.banner-mode=off")
                .run();
        locked = application.getBean(Orders.class);
        locks = application.getBean(LockManager.class);
    }

    /** Stops the application. */
    @TearDown
    public void stop() {
        application.close();
    }

    /**
     * Calls the method without a lock.
     *
     * @return its result
     */
    @Benchmark
    public long unlocked() {
        return unlocked.ship("4711");
    }

    /**
     * Acquires by hand, calls, releases.
     *
     * @return the method's result
     */
    @Benchmark
    public long byHand() {
        try (Lease lease = locks.tryAcquire("order-4711").orElseThrow()) {
            return unlocked.ship("4711") + lease.fencingToken();
        }
    }

    /**
     * Calls the annotated method of the bean.
     *
     * @return its result
     */
    @Benchmark
    public long annotated() {
        return locked.ship("4711");
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    static class Shop {

        @Bean
        Orders orders() {
            return new Orders();
        }
    }
}
