/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.metrics;

import io.dynamolock.LeaseLost;
import io.dynamolock.LockDiagnostics;
import io.dynamolock.LockListener;
import io.dynamolock.LockManager;
import io.dynamolock.spring.Leadership;
import io.dynamolock.spring.LockEvent;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.context.event.EventListener;

/**
 * Records lock lifecycle events in meters:
 *
 * <pre>
 * dynamolock.acquire            timer    outcome = acquired, busy, cancelled, failed from the call to its outcome
 * dynamolock.wait               timer                                                after the lock was found busy
 * dynamolock.hold               timer                                                from acquire to release or loss
 * dynamolock.release            timer    outcome = released, not_owned, already_gone, failed
 * dynamolock.renew              timer    outcome = ok, failed
 * dynamolock.lost               counter  reason                                      as in {@link LeaseLost.Reason}
 * dynamolock.retries            counter                                              retries, but not the heartbeat's
 * dynamolock.retries.exhausted  counter                                              failures after the last retry
 * dynamolock.requests           counter  operation, outcome = ok, rejected, failed   requests to the store
 * dynamolock.heartbeat.lag      timer                                                delay of the start of renewals
 * dynamolock.held               gauge                                                leases held now
 * dynamolock.draining           gauge                                                1 while the manager drains, or 0
 * dynamolock.skipped            counter  reason                                      as in {@link LockEvent.Reason}
 * dynamolock.clock.skew         gauge                                                wall clock minus the store's time
 * dynamolock.clock.width        gauge                                                uncertainty of the store's time
 * dynamolock.rows.corrupt       counter  closed = true, false                        rows not written by the library
 * dynamolock.rows.closed        gauge                                                locks that nobody can acquire
 * dynamolock.clock.untrusted    counter  reason = contradiction, undated             store's time not trusted
 * dynamolock.leader             gauge                                                1 while this process leads, or 0
 * dynamolock.leader.skipped     counter                                              calls that run on the leader only
 * </pre>
 *
 * <p>All meters have a tag {@code manager} with the bean name of the lock manager, even if there is only one, since
 * meters of the same name must have the same tags. Each attempt to acquire counts once, with one outcome, which is
 * {@code cancelled} if its caller gave up, or its manager drains or closes; a wait counts only if there was one. A meter
 * is registered when it first counts. Gauges and the meters of faults are registered from the start: {@code outcome =
 * failed, not_owned} of the timers, {@code lost}, {@code retries.exhausted},
 * {@code rows.corrupt} and {@code clock.untrusted}. With the lock name as a tag, there is one set of meters for each
 * name from its first use, which is only suitable for applications with few names: after 1,000 names, all others share
 * one set, {@code lock = others}. For a meter that cannot be registered, a warning is logged and the meter is missing.
 *
 * <p>Thread-safe.
 *
 * @since 0.1
 */
public final class LockMetrics implements AutoCloseable {

    private final MeterRegistry registry;
    private final SourcedMeters sourced;
    private final Map<Tags, Counter> skipped = new ConcurrentHashMap<>();
    private final boolean lockNameTag;

    /**
     * Creates the factory of the meters.
     *
     * @param registry the registry of the meters
     * @param lockNameTag whether the meters have a tag with the lock name
     */
    public LockMetrics(MeterRegistry registry, boolean lockNameTag) {
        this.registry = registry;
        this.sourced = new SourcedMeters(registry);
        this.lockNameTag = lockNameTag;
    }

    /**
     * Creates the factory of the meters of one context, to close with it: contexts of a hierarchy share these metrics,
     * but a child may end, and start again, before its parent does.
     *
     * @return a factory with the same registry and settings, and without meters
     */
    public LockMetrics forContext() {
        return new LockMetrics(registry, lockNameTag);
    }

    /**
     * Creates the meters of one lock manager.
     *
     * @param manager the value of their tag {@code manager}
     * @return the listener that updates the meters, for that lock manager only
     */
    public LockListener listener(String manager) {
        return new ManagerMetrics(meters(manager), lockNameTag);
    }

    /**
     * Registers the gauges of the state of a lock manager: how many leases it holds, and whether it drains.
     *
     * @param manager the value of their tag {@code manager}
     * @param locks gives the manager that is shown; null while it does not exist
     */
    public void showState(String manager, Supplier<@Nullable LockManager> locks) {
        Registration meters = meters(manager);
        meters.gauge("dynamolock.held", "Leases held now", () -> held(locks.get()));
        meters.gauge("dynamolock.draining", "Whether the manager drains", () -> isDraining(locks.get()) ? 1 : 0);
    }

    private static long held(@Nullable LockManager locks) {
        return locks == null ? 0 : locks.held().count();
    }

    private static boolean isDraining(@Nullable LockManager locks) {
        return locks != null
                && locks.diagnostics().filter(LockDiagnostics::isDraining).isPresent();
    }

    /**
     * Counts a call that was skipped.
     *
     * @param call the event of the call
     */
    @EventListener
    public void onSkipped(LockEvent.Skipped call) {
        Tags reason = Tags.of("reason", LockMeters.lower(call.reason()));
        skipped.computeIfAbsent(
                        reason.and("manager", call.manager()),
                        tags -> meters(call.manager())
                                .counter("dynamolock.skipped", "Calls of locked methods that were skipped", reason))
                .increment();
    }

    /**
     * Registers the meters of a leadership.
     *
     * @param manager the value of their tag {@code manager}
     * @param leadership the leadership of this process
     * @param skipped returns how many calls were skipped because this process does not lead
     */
    public void countLeadership(String manager, Leadership leadership, LongSupplier skipped) {
        Registration meters = meters(manager);
        meters.gauge("dynamolock.leader", "Whether this process leads", () -> leadership.isLeader() ? 1 : 0);
        meters.counter("dynamolock.leader.skipped", "Calls skipped because this process does not lead", skipped);
    }

    /**
     * Removes the gauges, and the counters that others count, from the registry, which may live longer: it would go on
     * showing managers that are closed, instead of those of the next context.
     */
    @Override
    public void close() {
        sourced.removeAll();
    }

    private Registration meters(String manager) {
        return new Registration(registry, Tags.of("manager", manager), sourced);
    }
}
