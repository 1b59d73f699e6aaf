/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.shedlock;

import io.dynamolock.InvalidSettingException;
import io.dynamolock.Lease;
import io.dynamolock.LeaseLostException;
import io.dynamolock.LockStoreException;
import io.dynamolock.ReleaseOutcome;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;
import net.javacrumbs.shedlock.core.AbstractSimpleLock;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.support.LockException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A lease from lock or extension until unlock or the next extension, either of which invalidates this object. */
final class LeaseSimpleLock extends AbstractSimpleLock {

    private static final Logger LOG = LoggerFactory.getLogger(LeaseLockProvider.class);

    private final Lease lease;
    private final long sinceNanos;
    private final LongSupplier nanoTime;

    LeaseSimpleLock(LockConfiguration configuration, Lease lease, long sinceNanos, LongSupplier nanoTime) {
        super(configuration);
        this.lease = lease;
        this.sinceNanos = sinceNanos;
        this.nanoTime = nanoTime;
    }

    @Override
    protected void doUnlock() {
        try {
            if (lease.release(remainingMinimum()) != ReleaseOutcome.RELEASED) {
                LOG.warn(
                        "Lock '{}' ended before its task, which may have run elsewhere at the same time: lockAtMostFor is {}",
                        lease.name(),
                        lockConfiguration.getLockAtMostFor());
            }
        } catch (LockStoreException failure) {
            throw new LockException("Lock '%s' could not be released".formatted(lease.name()), failure);
        }
    }

    /** Returns the rest of {@code lockAtLeastFor}. */
    private Duration remainingMinimum() {
        Duration held = Duration.ofNanos(nanoTime.getAsLong() - sinceNanos);
        Duration rest = lockConfiguration.getLockAtLeastFor().minus(held);
        return rest.isNegative() ? Duration.ZERO : rest;
    }

    @Override
    protected Optional<SimpleLock> doExtend(LockConfiguration extended) {
        try {
            return renew(extended);
        } catch (LockStoreException failure) {
            throw new LockException("Lock '%s' could not be extended".formatted(lease.name()), failure);
        }
    }

    private Optional<SimpleLock> renew(LockConfiguration extended) {
        long since = nanoTime.getAsLong();
        try {
            lease.renew(extended.getLockAtMostFor());
            return Optional.of(new LeaseSimpleLock(extended, lease, since, nanoTime));
        } catch (LeaseLostException lost) {
            lease.release(); // removes what is left of it: this object cannot be unlocked any more
            return Optional.empty();
        } catch (InvalidSettingException invalid) {
            throw LeaseLockProvider.namingLockAtMostFor(extended, invalid);
        }
    }
}
