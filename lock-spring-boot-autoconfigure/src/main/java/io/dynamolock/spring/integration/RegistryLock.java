/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.integration;

import io.dynamolock.InvalidSettingException;
import io.dynamolock.LockRequest;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import org.springframework.integration.support.locks.DistributedLock;

/** Handle on the lock of one name. All handles of a name share their state, which exists while a thread needs it. */
final class RegistryLock implements DistributedLock {

    private final LocalLocks locks;
    private final LockRequest request;

    RegistryLock(LocalLocks locks, LockRequest request) {
        this.locks = locks;
        this.request = request;
    }

    @Override
    public void lock() {
        lockUninterruptibly(request);
    }

    @Override
    public void lock(Duration ttl) {
        lockUninterruptibly(lasting(ttl));
    }

    private void lockUninterruptibly(LockRequest options) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    locks.lock(options, LocalLocks.FOREVER);
                    return;
                } catch (InterruptedException later) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public void lockInterruptibly() throws InterruptedException {
        requireNotInterrupted();
        locks.lock(request, LocalLocks.FOREVER);
    }

    @Override
    public boolean tryLock() {
        return locks.tryLock(request);
    }

    @Override
    public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
        return tryLock(Duration.ofNanos(unit.toNanos(time)), request);
    }

    @Override
    public boolean tryLock(Duration waitTime, Duration ttl) throws InterruptedException {
        return tryLock(Objects.requireNonNull(waitTime, "waitTime"), lasting(ttl));
    }

    private LockRequest lasting(Duration ttl) {
        try {
            return request.leaseDuration(Objects.requireNonNull(ttl, "ttl"));
        } catch (InvalidSettingException invalid) {
            throw namingTtl(invalid);
        }
    }

    /** Names the parameter of the framework instead of the setting. */
    static InvalidSettingException namingTtl(InvalidSettingException invalid) {
        return new InvalidSettingException("ttl", invalid.rule(), invalid.value());
    }

    private boolean tryLock(Duration wait, LockRequest options) throws InterruptedException {
        requireNotInterrupted();
        return (wait.isNegative() || wait.isZero()) ? locks.tryLock(options) : locks.lock(options, wait);
    }

    private static void requireNotInterrupted() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
    }

    @Override
    public void unlock() {
        locks.unlock(request.name());
    }

    @Override
    public Condition newCondition() {
        throw new UnsupportedOperationException("Distributed locks have no conditions");
    }

    @Override
    public String toString() {
        return "RegistryLock[%s, %s]".formatted(request.name(), locks.describe(request.name()));
    }
}
