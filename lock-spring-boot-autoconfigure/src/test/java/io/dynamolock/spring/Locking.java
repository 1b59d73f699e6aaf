/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.Lease;
import io.dynamolock.LeaseLost;
import io.dynamolock.LockListener;
import io.dynamolock.LockState;
import io.dynamolock.ReleaseOutcome;
import io.dynamolock.SeededCopy;
import io.dynamolock.spring.boot.DistributedLockAutoConfiguration;
import io.dynamolock.spring.boot.DynamolockAutoConfiguration;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.event.SimpleApplicationEventMulticaster;
import org.springframework.context.support.AbstractApplicationContext;

/** Records lock events: {@code +name} for acquired, {@code -name} for released, {@code !name} for busy. */
public final class Locking implements LockListener {

    /** Whether this copy of the class runs with a seeded fault, where a test is expected to time out. */
    private static final boolean SEEDED = SeededCopy.contains(Locking.class);

    /** Timeout of tests for events that must occur. It only ends tests that hang; a slow machine does not reach it. */
    public static final Duration TIMEOUT = SeededCopy.timeout(Locking.class);

    /** How long a test watches that something does not occur: with a seeded fault, long enough for a slow machine. */
    public static final Duration WATCH = Duration.ofMillis(SEEDED ? 5_000 : 300);

    static {
        if (SEEDED) {
            Awaitility.setDefaultTimeout(TIMEOUT);
        }
    }

    private final List<String> events = new CopyOnWriteArrayList<>();
    private final List<String> waiting = new CopyOnWriteArrayList<>();
    private final List<String> lost = new CopyOnWriteArrayList<>();

    /** Returns a runner of contexts with in-memory locks and a bean of this class. */
    public static ApplicationContextRunner inMemory() {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        DynamolockAutoConfiguration.class, DistributedLockAutoConfiguration.class))
                .withPropertyValues(
                        "dynamolock.store=memory",
                        "dynamolock.shutdown.grace-period=100ms") // for leases that a test does not release
                .withBean(Locking.class);
    }

    /** Returns a runner like {@link #inMemory()} with short intervals for polls and renewals. */
    public static ApplicationContextRunner quick() {
        return inMemory().withPropertyValues("dynamolock.heartbeat.interval=20ms", "dynamolock.wait.poll-max=50ms");
    }

    /** Adds a database in memory, and transactions. */
    public static ApplicationContextRunner withDatabase(ApplicationContextRunner contexts, String name) {
        return contexts.withConfiguration(AutoConfigurations.of(
                        DataSourceAutoConfiguration.class,
                        DataSourceTransactionManagerAutoConfiguration.class,
                        JdbcTemplateAutoConfiguration.class,
                        TransactionAutoConfiguration.class))
                .withPropertyValues("spring.datasource.url=jdbc:h2:mem:%s;DB_CLOSE_DELAY=-1".formatted(name));
    }

    /** Calls no listener of an event that may be called on another thread, as if that had no time. */
    public static ApplicationContextRunner withLateListeners(ApplicationContextRunner contexts) {
        return contexts.withBean(
                AbstractApplicationContext.APPLICATION_EVENT_MULTICASTER_BEAN_NAME,
                SimpleApplicationEventMulticaster.class,
                () -> {
                    SimpleApplicationEventMulticaster listeners = new SimpleApplicationEventMulticaster();
                    listeners.setTaskExecutor(listener -> {});
                    return listeners;
                });
    }

    /** Returns whether a thread waits, with or without a timeout. */
    public static boolean isWaiting(Thread thread) {
        return thread.getState() == Thread.State.WAITING || thread.getState() == Thread.State.TIMED_WAITING;
    }

    /** Waits for a latch that a test will open. */
    public static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(TIMEOUT.toSeconds(), TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException unexpected) {
            throw new AssertionError(unexpected);
        }
    }

    public List<String> events() {
        return List.copyOf(events);
    }

    /** Returns the names of the acquired locks, in order. */
    public List<String> acquired() {
        return events.stream()
                .filter(event -> event.startsWith("+"))
                .map(event -> event.substring(1))
                .toList();
    }

    /** Returns the names of the locks that callers wait or waited for. */
    public List<String> waiting() {
        return List.copyOf(waiting);
    }

    /** Returns the names of the locks that were lost. */
    public List<String> lost() {
        return List.copyOf(lost);
    }

    @Override
    public void onLost(Lease lease, LeaseLost loss) {
        lost.add(lease.name());
    }

    @Override
    public void onWaiting(LockState holder) {
        waiting.add(holder.name());
    }

    @Override
    public void onAcquired(Lease lease, Duration took, Duration waited) {
        events.add("+" + lease.name());
    }

    @Override
    public void onReleased(Lease lease, ReleaseOutcome outcome, Duration took) {
        events.add("-" + lease.name());
    }

    @Override
    public void onBusy(LockState holder, Duration took, Duration waited) {
        events.add("!" + holder.name());
    }
}
