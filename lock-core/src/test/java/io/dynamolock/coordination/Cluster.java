/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.coordination;

import io.dynamolock.ForwardingStore;
import io.dynamolock.LockListener;
import io.dynamolock.LockManager;
import io.dynamolock.LockStoreException;
import io.dynamolock.LockWrite;
import io.dynamolock.RetryPolicy;
import io.dynamolock.memory.InMemoryLockStore;
import io.dynamolock.time.TestClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Processes on one store and one clock, whose requests are recorded, and whose store can fail. */
final class Cluster implements AutoCloseable {

    static final Duration LEASE = Duration.ofSeconds(30);

    final TestClock clock = new TestClock();
    final InMemoryLockStore rows = new InMemoryLockStore(clock);
    final LockManager locks;
    private final List<LockManager> managers = new ArrayList<>();
    private final ConcurrentLinkedQueue<LockListener.Operation> requests = new ConcurrentLinkedQueue<>();
    private volatile boolean storeIsDown;
    private volatile @Nullable String unreleasable;
    private volatile Runnable beforeRead = () -> {};
    private volatile Runnable afterRead = () -> {};
    private volatile Runnable beforeRelease = () -> {};

    Cluster() {
        this.locks = manager("first");
    }

    /** Returns the manager of another process. */
    LockManager another() {
        return manager("another-" + managers.size());
    }

    private LockManager manager(String owner) {
        LockManager manager = LockManager.builder(new FailingStore())
                .testClock(clock)
                .owner(owner)
                .leaseDuration(LEASE)
                .pollMin(Duration.ofMillis(1))
                .pollMax(Duration.ofMillis(5))
                .shutdownGrace(Duration.ZERO)
                .retryPolicy(RetryPolicy.exponential(1, Duration.ZERO, 1, Duration.ZERO, 0))
                .listener(new LockListener() {
                    @Override
                    public void onRequest(String name, Operation operation, RequestOutcome outcome) {
                        requests.add(operation);
                    }
                })
                .build();
        managers.add(manager);
        return manager;
    }

    List<LockListener.Operation> requests() {
        return List.copyOf(requests);
    }

    void forgetRequests() {
        requests.clear();
    }

    void storeIsDown(boolean down) {
        storeIsDown = down;
    }

    /** Makes each release of one lock fail. */
    void failReleasesOf(String name) {
        unreleasable = name;
    }

    /** Runs an action before each read from now on, on the thread that sends it. */
    void beforeRead(Runnable action) {
        beforeRead = action;
    }

    /** Runs an action once, when the next read was served and before its response arrives. */
    void afterNextRead(Runnable action) {
        afterRead = () -> {
            afterRead = () -> {};
            action.run();
        };
    }

    /** Runs an action once, before the next release is sent. */
    void beforeNextRelease(Runnable action) {
        beforeRelease = () -> {
            beforeRelease = () -> {};
            action.run();
        };
    }

    /** Waits for work of other threads, while no time passes for leases. */
    static void await(BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + 10_000_000_000L;
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - end > 0) {
                throw new AssertionError("The condition was not met in time");
            }
            Thread.sleep(1);
        }
    }

    /** Waits until no process has sent a request for a while: a waiter sends one every few milliseconds. */
    void awaitSilence() throws InterruptedException {
        int[] sent = {-1};
        long[] since = {0};
        await(() -> {
            if (requests.size() != sent[0]) {
                sent[0] = requests.size();
                since[0] = System.nanoTime();
            }
            return System.nanoTime() - since[0] > 50_000_000;
        });
    }

    @Override
    public void close() {
        managers.forEach(LockManager::close);
    }

    private final class FailingStore extends ForwardingStore {

        FailingStore() {
            super(rows);
        }

        @Override
        public Response acquire(LockWrite.Acquire write, Duration timeout) {
            failIfDown();
            return super.acquire(write, timeout);
        }

        @Override
        public Response release(LockWrite.Release write, Duration timeout) {
            beforeRelease.run();
            failIfDown();
            if (write.name().equals(unreleasable)) {
                throw failure();
            }
            return super.release(write, timeout);
        }

        @Override
        public Response renew(LockWrite.Renew write, Duration timeout) {
            failIfDown();
            return super.renew(write, timeout);
        }

        @Override
        public Response read(String name, boolean consistent, Duration timeout) {
            beforeRead.run();
            failIfDown();
            Response response = super.read(name, consistent, timeout);
            afterRead.run();
            return response;
        }

        private void failIfDown() {
            if (storeIsDown) {
                throw failure();
            }
        }

        private static LockStoreException failure() {
            return new LockStoreException("x", "the store is down", null, false, true);
        }
    }
}
