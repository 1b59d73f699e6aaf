/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring;

import io.dynamolock.ForwardingStore;
import io.dynamolock.LockStoreException;
import io.dynamolock.LockWrite.Acquire;
import io.dynamolock.LockWrite.Release;
import io.dynamolock.LockWrite.Renew;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** In-memory store that counts its requests, and can fail or hang until their timeouts. */
public final class CountingStore extends ForwardingStore {

    private final AtomicInteger reads = new AtomicInteger();
    private final AtomicInteger acquisitions = new AtomicInteger();
    private final AtomicInteger renewals = new AtomicInteger();
    private final AtomicInteger releases = new AtomicInteger();
    private volatile boolean failing;
    private volatile boolean hanging;

    /** Fails each request from now on. */
    public void fail() {
        failing = true;
    }

    /** Lets each request from now on wait for its timeout, without a response. */
    public void hang() {
        hanging = true;
    }

    /** Responds again. */
    public void heal() {
        failing = false;
        hanging = false;
    }

    public int reads() {
        return reads.get();
    }

    /** Returns the number of attempts to acquire a lock. */
    public int acquisitions() {
        return acquisitions.get();
    }

    public int renewals() {
        return renewals.get();
    }

    public int releases() {
        return releases.get();
    }

    public int writes() {
        return acquisitions() + renewals() + releases();
    }

    private void count(AtomicInteger kind, String name, Duration timeout) {
        kind.incrementAndGet();
        if (hanging) {
            try {
                boolean unused = new CountDownLatch(1).await(timeout.toNanos(), TimeUnit.NANOSECONDS);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
            throw new LockStoreException(name, "no response in time", null, true, true);
        }
        if (failing) {
            throw new LockStoreException(name, "on purpose", null, true, false);
        }
    }

    @Override
    public Response acquire(Acquire write, Duration timeout) {
        count(acquisitions, write.name(), timeout);
        return super.acquire(write, timeout);
    }

    @Override
    public Response renew(Renew write, Duration timeout) {
        count(renewals, write.name(), timeout);
        return super.renew(write, timeout);
    }

    @Override
    public Response release(Release write, Duration timeout) {
        count(releases, write.name(), timeout);
        return super.release(write, timeout);
    }

    @Override
    public Response read(String name, boolean consistent, Duration timeout) {
        count(reads, name, timeout);
        return super.read(name, consistent, timeout);
    }
}
