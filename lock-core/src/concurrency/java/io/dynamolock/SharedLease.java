/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;

/** A real lease on a store that checks requests, shared by threads; nothing runs in the background. */
final class SharedLease {

    private static final String NAME = "job";
    private static final Instant START = Instant.ofEpochSecond(1_790_000_000);

    private final CheckingStore store = new CheckingStore();
    private final InlineScheduler scheduler = new InlineScheduler();
    private final DefaultLockManager manager;
    private final HeldLease lease;

    private final AtomicInteger second = new AtomicInteger();

    SharedLease(Duration duration) {
        LockListener noListener = new LockListener() {};
        Clock wall = Clock.fixed(START, ZoneOffset.UTC);
        LeaseClock clock = new WallLeaseClock(
                wall, () -> second.get() * 1_000_000_000L, Duration.ZERO, LeaseTime.OBSERVED, noListener);
        EngineContext context = new EngineContext(
                store,
                Node.settings(duration),
                clock,
                RetryPolicy.DEFAULT,
                noListener,
                scheduler,
                () -> 0.5,
                () -> "a",
                null);
        this.manager = new DefaultLockManager(context, new ShutdownOnLoss(loss -> {}), "node");
        this.lease = acquire();
    }

    private HeldLease acquire() {
        Acquisition attempt = new Acquisition(manager.acquire, LockRequest.of(NAME), new Thread(), () -> {});
        attempt.advance();
        return Objects.requireNonNull(attempt.result());
    }

    boolean renew(int seconds) {
        try {
            lease.renew(Duration.ofSeconds(seconds));
            return true;
        } catch (LeaseLostException | IllegalStateException over) {
            return false;
        } catch (LockStoreException noTimeLeft) {
            return false; // by then the lease has ended as well
        }
    }

    void renewInBackground() {
        scheduler.ring();
    }

    void failRenewalInBackground() {
        store.failNextRenewal();
        scheduler.ring();
    }

    void recover() {
        manager.registry.onStoreRecovered();
    }

    /** Runs the delayed tasks, at which time is constant: one of them must renew. */
    void requirePlannedRenewal() {
        int before = store.renewals();
        scheduler.ringAll();
        if (store.renewals() == before) {
            throw new AssertionError("no renewal is planned");
        }
    }

    ReleaseOutcome release() {
        store.releaseAllowed();
        ReleaseOutcome outcome = lease.release();
        store.forbidRenewals();
        isOver();
        return outcome;
    }

    private void isOver() {
        if (lease.isHeld()) {
            store.violation("the lease is held after its end");
        }
    }

    boolean isHeld() {
        return lease.isHeld();
    }

    void advanceOneSecond() {
        second.incrementAndGet();
    }

    void close() {
        manager.close();
        store.forbidRenewals();
        isOver();
    }

    void check() {
        store.check();
    }
}
