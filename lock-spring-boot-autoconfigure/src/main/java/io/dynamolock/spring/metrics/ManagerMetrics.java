/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.metrics;

import io.dynamolock.Lease;
import io.dynamolock.LeaseLost;
import io.dynamolock.LockListener;
import io.dynamolock.LockState;
import io.dynamolock.LockStoreException;
import io.dynamolock.ReleaseOutcome;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The meters of one lock manager, moved by what happens to its locks. */
final class ManagerMetrics implements LockListener {

    private static final List<String> DISTRUST = List.of("contradiction", "undated");

    private final Registration meters;
    private final Clock clock;
    private final @Nullable LockMeters ofAll;
    private final Map<String, LockMeters> ofEach = new ConcurrentHashMap<>();
    private final Timer heartbeatLag;
    private final Map<String, Counter> clockDistrusted = new HashMap<>();
    private volatile @Nullable Duration clockSkew;
    private volatile @Nullable Duration clockWidth;

    ManagerMetrics(Registration meters, boolean lockNameTag, Clock clock) {
        this.meters = meters;
        this.clock = clock;
        this.ofAll = lockNameTag ? null : new LockMeters(meters);
        this.heartbeatLag = meters.timer("dynamolock.heartbeat.lag", "How late renewals started", Tags.empty());
        for (String reason : DISTRUST) {
            clockDistrusted.put(
                    reason,
                    meters.counter(
                            "dynamolock.clock.distrusted",
                            "How often the store's time was given up for a while",
                            Tags.of("reason", reason)));
        }
        meters.timeGauge("dynamolock.clock.skew", "This machine's wall clock less the store's time", () -> clockSkew);
        meters.timeGauge("dynamolock.clock.width", "Within what bounds the store's time is known", () -> clockWidth);
    }

    private LockMeters of(String name) {
        return ofAll != null
                ? ofAll
                : ofEach.computeIfAbsent(name, lock -> new LockMeters(meters.with(Tags.of("lock", lock))));
    }

    @Override
    public void onRequest(String name, Operation operation, RequestOutcome outcome) {
        of(name).requests.get(operation).get(outcome).increment();
    }

    @Override
    public void onRetry(String name, Operation operation, Throwable failure) {
        of(name).retries.increment();
    }

    @Override
    public void onRetriesExhausted(String name, Operation operation, Throwable failure) {
        of(name).retriesExhausted.increment();
    }

    @Override
    public void onAcquired(Lease lease, Duration took, Duration waited) {
        ended(of(lease.name()), of(lease.name()).acquired, took, waited);
    }

    @Override
    public void onBusy(LockState holder, Duration took, Duration waited) {
        ended(of(holder.name()), of(holder.name()).busy, took, waited);
    }

    @Override
    public void onAcquireFailed(String name, Throwable failure, Duration took) {
        of(name).failed.record(took);
    }

    private static void ended(LockMeters meters, Timer outcome, Duration took, Duration waited) {
        outcome.record(took);
        if (!waited.isZero()) {
            meters.waited.record(waited);
        }
    }

    @Override
    public void onRenewed(Lease lease, Duration took) {
        of(lease.name()).renewed.record(took);
    }

    @Override
    public void onRenewalFailed(Lease lease, Throwable failure, Duration took) {
        of(lease.name()).renewalFailed.record(took);
    }

    @Override
    public void onLost(Lease lease, LeaseLost lost) {
        of(lease.name()).lost.get(lost.reason()).increment();
        holdEnded(lease);
    }

    @Override
    public void onReleased(Lease lease, ReleaseOutcome outcome, Duration took) {
        of(lease.name()).released.get(outcome).record(took);
        holdEnded(lease);
    }

    @Override
    public void onReleaseFailed(Lease lease, LockStoreException failure, Duration took) {
        of(lease.name()).releaseFailed.record(took);
    }

    private void holdEnded(Lease lease) {
        of(lease.name()).held.record(Duration.between(lease.acquiredAt(), clock.instant()));
    }

    @Override
    public void onHeartbeatLag(Duration lag) {
        heartbeatLag.record(lag);
    }

    @Override
    public void onClockSample(Duration skew, Duration width) {
        clockSkew = skew;
        clockWidth = width;
    }

    @Override
    public void onClockDistrusted(String reason) {
        Counter distrusted = clockDistrusted.get(reason);
        if (distrusted != null) {
            distrusted.increment();
        }
    }
}
