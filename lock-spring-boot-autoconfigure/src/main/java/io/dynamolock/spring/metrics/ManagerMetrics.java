/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.metrics;

import io.dynamolock.Lease;
import io.dynamolock.LeaseLost;
import io.dynamolock.LockListener;
import io.dynamolock.LockManagerClosedException;
import io.dynamolock.LockManagerDrainingException;
import io.dynamolock.LockState;
import io.dynamolock.LockStoreException;
import io.dynamolock.ReleaseOutcome;
import io.dynamolock.spring.health.LockHealth;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.util.function.SingletonSupplier;

/** Meters of one lock manager, updated by its events. */
final class ManagerMetrics implements LockListener {

    /** Maximum number of names with their own meters, which are never removed. */
    static final int MAX_NAMES = 1_000;

    private static final String OTHERS = "others";
    private static final Logger LOG = LoggerFactory.getLogger(ManagerMetrics.class);

    private final Registration meters;
    private final @Nullable LockMeters ofAll;
    private final Map<String, LockMeters> ofEach = new ConcurrentHashMap<>();
    private @Nullable LockMeters ofOthers;
    private final Counter corrupt;
    private final Counter closed;

    /** Receives only the events of rows and of the clock. */
    private final LockHealth health = new LockHealth();

    private final Supplier<Timer> heartbeatLag;
    private final Map<ClockProblem, Counter> clockUntrusted;

    /** Leases whose hold has ended, and that may be released later; few, as others are released first. */
    private final Set<Lease> ended = Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

    ManagerMetrics(Registration meters, boolean lockNameTag) {
        this.meters = meters;
        this.ofAll = lockNameTag ? null : new LockMeters(meters);
        this.heartbeatLag = SingletonSupplier.of(
                () -> meters.timer("dynamolock.heartbeat.lag", "Delay of the start of renewals", Tags.empty()));
        this.clockUntrusted = LockMeters.forEach(
                ClockProblem.class,
                problem -> meters.counter(
                        "dynamolock.clock.untrusted",
                        "How often the store's time was not trusted for a while",
                        Tags.of("reason", LockMeters.lower(problem))));
        this.corrupt = corrupt(false);
        this.closed = corrupt(true);
        meters.gauge(
                "dynamolock.rows.closed",
                "Locks that nobody can acquire",
                () -> health.closedLocks().size());
        meters.timeGauge(
                "dynamolock.clock.skew", "This machine's wall clock minus the store's time", health::clockSkew);
        meters.timeGauge("dynamolock.clock.width", "Uncertainty of the store's time", health::clockWidth);
    }

    private Counter corrupt(boolean isClosed) {
        return meters.counter(
                "dynamolock.rows.corrupt",
                "Rows that this version of the library did not write",
                Tags.of("closed", String.valueOf(isClosed)));
    }

    private LockMeters of(String name) {
        if (ofAll != null) {
            return ofAll;
        }
        LockMeters known = ofEach.get(name);
        return known == null ? ofNew(name) : known;
    }

    private synchronized LockMeters ofNew(String name) {
        if (ofEach.size() < MAX_NAMES) {
            return ofEach.computeIfAbsent(name, this::tagged);
        }
        if (ofOthers == null) {
            LOG.warn(
                    "{} lock names have meters now, which is the limit; all other locks share those with lock=\"{}\""
                            + " (dynamolock.metrics.lock-name-tag is for applications with few names)",
                    MAX_NAMES,
                    OTHERS);
            ofOthers = tagged(OTHERS);
        }
        return ofOthers;
    }

    private LockMeters tagged(String name) {
        return new LockMeters(meters.with(Tags.of("lock", name)));
    }

    @Override
    public void onRequest(String name, Operation operation, RequestOutcome outcome) {
        of(name).requests(operation, outcome).increment();
    }

    @Override
    public void onRetry(String name, Operation operation, Throwable failure) {
        of(name).retries.get().increment();
    }

    @Override
    public void onRetriesExhausted(String name, Operation operation, Throwable failure) {
        of(name).retriesExhausted.increment();
    }

    @Override
    public void onAcquired(Lease lease, Duration took, Duration waited) {
        health.onAcquired(lease, took, waited);
        ended(of(lease.name()), of(lease.name()).acquired, took, waited);
    }

    @Override
    public void onBusy(LockState holder, Duration took, Duration waited) {
        ended(of(holder.name()), of(holder.name()).busy, took, waited);
    }

    @Override
    public void onAcquireFailed(String name, Throwable failure, Duration took) {
        LockMeters meters = of(name);
        boolean cancelled = failure instanceof CancellationException
                || failure instanceof LockManagerDrainingException
                || failure instanceof LockManagerClosedException;
        Timer timer = cancelled ? meters.cancelled.get() : meters.failed;
        timer.record(took);
    }

    private static void ended(LockMeters meters, Supplier<Timer> outcome, Duration took, Duration waited) {
        outcome.get().record(took);
        if (!waited.isZero()) {
            meters.waited.get().record(waited);
        }
    }

    @Override
    public void onRenewed(Lease lease, Duration took) {
        of(lease.name()).renewed.get().record(took);
    }

    @Override
    public void onRenewalFailed(Lease lease, Throwable failure, Duration took) {
        of(lease.name()).renewalFailed.record(took);
    }

    @Override
    public void onLost(Lease lease, LeaseLost lost) {
        of(lease.name()).lost(lost.reason()).increment();
        holdEndedEarly(lease);
    }

    @Override
    public void onReleased(Lease lease, ReleaseOutcome outcome, Duration took) {
        of(lease.name()).released(outcome).record(took);
        if (!ended.remove(lease)) {
            holdEnded(lease);
        }
    }

    @Override
    public void onReleaseFailed(Lease lease, LockStoreException failure, Duration took) {
        of(lease.name()).releaseFailed.record(took);
        holdEndedEarly(lease);
    }

    /** Ends a hold, once, that a release may follow. */
    private void holdEndedEarly(Lease lease) {
        if (ended.add(lease)) {
            holdEnded(lease);
        }
    }

    private void holdEnded(Lease lease) {
        of(lease.name()).held.get().record(lease.age());
    }

    @Override
    public void onCorruptRow(String name, List<String> attributes, boolean isClosed) {
        health.onCorruptRow(name, attributes, isClosed);
        (isClosed ? closed : corrupt).increment();
    }

    @Override
    public void onRepairedRow(String name) {
        health.onRepairedRow(name);
    }

    @Override
    public void onHeartbeatLag(Duration lag) {
        heartbeatLag.get().record(lag);
    }

    @Override
    public void onClockSample(Duration skew, Duration width) {
        health.onClockSample(skew, width);
    }

    @Override
    public void onClockUntrusted(ClockProblem problem) {
        health.onClockUntrusted(problem);
        Objects.requireNonNull(clockUntrusted.get(problem)).increment();
    }
}
