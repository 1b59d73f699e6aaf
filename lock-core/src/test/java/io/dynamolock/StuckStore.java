/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.LockWrite.Acquire;
import io.dynamolock.LockWrite.RaiseFloor;
import io.dynamolock.LockWrite.Release;
import io.dynamolock.LockWrite.Renew;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** An in-memory store that can stall: then each request lasts until its timeout and gets no response. */
final class StuckStore extends ForwardingStore {

    private record Stall(Thread thread, Duration timeout) {}

    private final CountDownLatch healed = new CountDownLatch(1);
    private final AtomicInteger stuck = new AtomicInteger();
    private final AtomicBoolean stallsOnce = new AtomicBoolean();
    private final Queue<Stall> stalls = new ConcurrentLinkedQueue<>();
    private volatile boolean stalling;
    private volatile boolean heedsInterrupts;

    /** Stops responding; an interrupt aborts a request immediately or is ignored. */
    void stall(boolean heeding) {
        heedsInterrupts = heeding;
        stalling = true;
    }

    /** Stalls the next request only. */
    void stallNext() {
        stallsOnce.set(true);
    }

    /** Responds again. */
    void heal() {
        stalling = false;
        healed.countDown();
    }

    /** Returns the number of stalled requests. */
    int stuck() {
        return stuck.get();
    }

    /** Returns the timeouts of the requests of a thread that stalled. */
    List<Duration> timeoutsOn(Thread thread) {
        return stalls.stream()
                .filter(stall -> stall.thread() == thread)
                .map(Stall::timeout)
                .toList();
    }

    private Response send(String name, Duration timeout, Supplier<Response> request) {
        if (!stalling && !stallsOnce.compareAndSet(true, false)) {
            return request.get();
        }
        stuck.incrementAndGet();
        stalls.add(new Stall(Thread.currentThread(), timeout));
        try {
            hang(name, timeout);
        } finally {
            stuck.decrementAndGet();
        }
        throw new LockStoreException(name, "no response in time", null, true, true);
    }

    private void hang(String name, Duration timeout) {
        long end = System.nanoTime() + timeout.toNanos();
        boolean interrupted = false;
        try {
            while (end - System.nanoTime() > 0 && healed.getCount() > 0) {
                try {
                    boolean unused = healed.await(end - System.nanoTime(), TimeUnit.NANOSECONDS);
                } catch (InterruptedException interrupt) {
                    interrupted = true;
                    if (heedsInterrupts) {
                        throw new LockStoreException(name, "interrupted", interrupt, true, false);
                    }
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public Response acquire(Acquire write, Duration timeout) {
        return send(write.name(), timeout, () -> super.acquire(write, timeout));
    }

    @Override
    public Response renew(Renew write, Duration timeout) {
        return send(write.name(), timeout, () -> super.renew(write, timeout));
    }

    @Override
    public Response release(Release write, Duration timeout) {
        return send(write.name(), timeout, () -> super.release(write, timeout));
    }

    @Override
    public Response raiseFloor(RaiseFloor write, Duration timeout) {
        return send(write.name(), timeout, () -> super.raiseFloor(write, timeout));
    }

    @Override
    public Response revoke(String name, String leaseId, Duration timeout) {
        return send(name, timeout, () -> super.revoke(name, leaseId, timeout));
    }

    @Override
    public Response read(String name, boolean consistent, Duration timeout) {
        return send(name, timeout, () -> super.read(name, consistent, timeout));
    }
}
