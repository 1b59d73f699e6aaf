/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.memory.InMemoryLockStore;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.DoubleSupplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A simulated process of a test: clocks, store, manager, and the events of its listener. */
final class Node {

    final ManualTime time;
    final ManualScheduler scheduler;
    final FaultyStore store;
    final RecordingListener events = new RecordingListener();
    final LockManager locks;
    final EngineContext context;
    final AcquireContext acquire;
    final LeaseRegistry registry;

    /** Losses that shut the application down. */
    final BlockingQueue<LeaseLost> emergencies = new LinkedBlockingQueue<>();

    /** Whether the thread that shuts the application down cannot be started. */
    boolean noEmergencyThread;

    private Node(ManualTime time, InMemoryLockStore rows, LockSettings settings, String owner) {
        this(time, rows, settings, owner, () -> 0.5, null);
    }

    private Node(
            ManualTime time,
            InMemoryLockStore rows,
            LockSettings settings,
            String owner,
            DoubleSupplier random,
            @Nullable TokenKey tokenKey) {
        this.time = time;
        this.scheduler = new ManualScheduler(time);
        this.store = new FaultyStore(rows);
        LockListener listener = LockListener.all(List.of(events));
        this.context = new EngineContext(
                store,
                settings,
                LeaseClock.of(settings, time, time::nanos, listener),
                RetryPolicy.exponential(3, Duration.ZERO, 1, Duration.ZERO, 0),
                listener,
                scheduler,
                random,
                () -> UUID.randomUUID().toString(),
                tokenKey);
        DefaultLockManager manager =
                new DefaultLockManager(context, new ShutdownOnLoss(emergencies::add, this::startEmergency), owner);
        this.acquire = manager.acquire;
        this.registry = manager.registry;
        this.locks = manager;
    }

    /** Creates a process that signs its lease tokens. */
    static Node signing(Node beside, String tokenKey) {
        return new Node(
                beside.time,
                beside.store.rows(),
                settings(Duration.ofSeconds(30)),
                "signing",
                () -> 0.5,
                new TokenKey(tokenKey));
    }

    private void startEmergency(Runnable task) {
        if (noEmergencyThread) {
            throw new OutOfMemoryError("unable to create native thread");
        }
        events.all.add("shutdown");
        new Thread(task).start();
    }

    static Node alone() {
        return on(new ManualTime(), new InMemoryLockStore(), settings(Duration.ofSeconds(30)));
    }

    static Node alone(LockSettings settings) {
        return on(new ManualTime(), new InMemoryLockStore(), settings);
    }

    static Node on(ManualTime time, InMemoryLockStore rows, LockSettings settings) {
        return new Node(time, rows, settings, "node");
    }

    /** Creates a process whose delays are spread by these numbers from 0 to 1. */
    static Node planning(LockSettings settings, DoubleSupplier random) {
        return new Node(new ManualTime(), new InMemoryLockStore(), settings, "node", random, null);
    }

    /** Creates a process with randomly spread delays from a seed. */
    static Node spread(LockSettings settings, long seed) {
        return planning(settings, new Random(seed)::nextDouble);
    }

    /** Creates a process on these rows and clocks with randomly spread delays from a seed. */
    static Node spread(ManualTime time, InMemoryLockStore rows, LockSettings settings, long seed) {
        Random random = new Random(seed);
        return new Node(time, rows, settings, "node", random::nextDouble, null);
    }

    /** Creates another process on the same rows and clocks. */
    Node rival() {
        return new Node(time, store.rows(), settings(Duration.ofSeconds(30)), "rival");
    }

    /** Creates another process on the same rows with its own clocks. */
    Node rival(ManualTime clocks, LockSettings settings) {
        return new Node(clocks, store.rows(), settings, "rival");
    }

    static LockSettings settings(Duration lease) {
        return settings(lease, LeaseTime.SYSTEM);
    }

    static LockSettings settings(Duration lease, LeaseTime leaseTime) {
        return settingsWith(
                builder -> builder.leaseDuration(lease).time(leaseTime).shutdownGrace(Duration.ZERO));
    }

    /** Returns the default settings with changes. */
    static LockSettings settingsWith(UnaryOperator<LockManagerBuilder> changes) {
        return changes.apply(LockManager.builder(new InMemoryLockStore())).settings();
    }

    /** Acquires a lock that must be free. */
    Lease take(String name) {
        return locks.tryAcquire(name).orElseThrow();
    }

    Duration heartbeatLag() {
        return locks.diagnostics().orElseThrow().heartbeatLag();
    }

    void pass(Duration duration) {
        scheduler.pass(duration);
    }

    LockRow row(String name) {
        return row(store.rows(), name);
    }

    static LockRow row(LockStore rows, String name) {
        LockRow row = rows.read(name, true, Duration.ofSeconds(1)).row();
        if (row == null) {
            throw new AssertionError("There is no row for " + name);
        }
        return row;
    }
}
