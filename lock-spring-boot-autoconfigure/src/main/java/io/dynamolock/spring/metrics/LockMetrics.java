/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.metrics;

import io.dynamolock.Lease;
import io.dynamolock.LeaseLost;
import io.dynamolock.LockListener;
import io.dynamolock.LockManager;
import io.dynamolock.LockState;
import io.dynamolock.LockStoreException;
import io.dynamolock.ReleaseOutcome;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Turns what happens to locks into meters:
 *
 * <pre>
 * dynamolock.acquire        timer    outcome = acquired, busy, failed              from the call to its end
 * dynamolock.wait           timer                                                  the part of it after the first refusal
 * dynamolock.hold           timer                                                  from the acquisition to release or loss
 * dynamolock.release        timer    outcome = released, not_owned, already_gone, failed
 * dynamolock.renew          timer    outcome = ok, failed
 * dynamolock.lost           counter  reason                                        as in {@link LeaseLost.Reason}
 * dynamolock.retries        counter                                                failed requests that are tried again
 * dynamolock.retries.exhausted  counter                                            those that failed for the last time
 * dynamolock.requests       counter  operation, outcome = ok, refused, failed      what is sent to the store
 * dynamolock.heartbeat.lag  timer                                                  how late renewals started
 * dynamolock.held           gauge                                                  leases held now
 * dynamolock.clock.skew     gauge                                                  this wall clock less the store's time
 * dynamolock.clock.width    gauge                                                  within what bounds that is known
 * dynamolock.clock.distrusted  counter  reason = contradiction, undated            when the store's time was given up
 * </pre>
 *
 * <p>Each attempt to acquire counts once, with one outcome; a wait counts only if there was one. Without the lock name as a
 * tag, all meters are there from the start. With it there is one set for each name, from its first use on, which is only for
 * applications with few names. A meter that cannot be registered gives a warning and stays away.
 *
 * <p>Safe for use by many threads.
 *
 * @since 0.1
 */
public final class LockMetrics implements LockListener {

    private static final List<String> DISTRUST = List.of("contradiction", "undated");

    private final Registration meters;
    private final Clock clock;
    private final @Nullable LockMeters ofAll;
    private final Map<String, LockMeters> ofEach = new ConcurrentHashMap<>();
    private final Timer heartbeatLag;
    private final Map<String, Counter> clockDistrusted = new HashMap<>();
    private volatile @Nullable Duration clockSkew;
    private volatile @Nullable Duration clockWidth;

    /**
     * Creates the meters.
     *
     * @param registry where they are registered
     * @param lockNameTag whether they carry a tag with the lock name
     * @param clock tells how long a lease was held
     */
    public LockMetrics(MeterRegistry registry, boolean lockNameTag, Clock clock) {
        this.meters = new Registration(registry, Tags.empty());
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

    /**
     * Registers the gauge of held leases.
     *
     * @param managers whose leases are counted
     */
    public void countHeld(List<LockManager> managers) {
        meters.gauge("dynamolock.held", "Leases held now", () -> held(managers));
    }

    private static long held(List<LockManager> managers) {
        return managers.stream().mapToLong(manager -> manager.held().count()).sum();
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
