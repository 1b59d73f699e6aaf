/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring;

import io.dynamolock.Lease;
import io.dynamolock.LockListener;
import io.dynamolock.LockState;
import io.dynamolock.ReleaseOutcome;
import io.dynamolock.spring.boot.DistributedLockAutoConfiguration;
import io.dynamolock.spring.boot.DynamolockAutoConfiguration;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Keeps what happened to locks: {@code +name} acquired, {@code -name} released, {@code !name} busy. */
public final class Locking implements LockListener {

    /** Whether this is a copy of the class beside a seeded fault, where a test is expected to wait in vain. */
    private static final boolean SEEDED = Locking.class.getClassLoader() != ClassLoader.getSystemClassLoader();

    /** How long a test waits for what is bound to happen. It never decides on a slow machine, only ends what hangs. */
    public static final Duration PATIENCE = SEEDED ? Duration.ofSeconds(10) : Duration.ofMinutes(1);

    static {
        if (SEEDED) {
            Awaitility.setDefaultTimeout(PATIENCE);
        }
    }

    private final List<String> events = new CopyOnWriteArrayList<>();
    private final List<String> waiting = new CopyOnWriteArrayList<>();

    /** Starts contexts that have locks in memory and a bean of this class. */
    public static ApplicationContextRunner inMemory() {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        DynamolockAutoConfiguration.class, DistributedLockAutoConfiguration.class))
                .withPropertyValues(
                        "dynamolock.store=memory",
                        "dynamolock.shutdown.grace-period=100ms") // for leases that a test leaves open
                .withBean(Locking.class);
    }

    /** The same, where waiters look and holders renew at once, so to say. */
    public static ApplicationContextRunner quick() {
        return inMemory().withPropertyValues("dynamolock.heartbeat.interval=20ms", "dynamolock.wait.poll-max=50ms");
    }

    /** Tells whether a thread waits for something, with or without a limit. */
    public static boolean isWaiting(Thread thread) {
        return thread.getState() == Thread.State.WAITING || thread.getState() == Thread.State.TIMED_WAITING;
    }

    public List<String> events() {
        return List.copyOf(events);
    }

    /** Returns the names that were acquired, in order. */
    public List<String> acquired() {
        return events.stream()
                .filter(event -> event.startsWith("+"))
                .map(event -> event.substring(1))
                .toList();
    }

    /** Returns the names that are being waited for, or were. */
    public List<String> waiting() {
        return List.copyOf(waiting);
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
