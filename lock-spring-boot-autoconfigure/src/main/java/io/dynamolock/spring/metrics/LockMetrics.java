/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.metrics;

import io.dynamolock.LeaseLost;
import io.dynamolock.LockListener;
import io.dynamolock.LockManager;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.time.Clock;

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
 * dynamolock.rows.damaged   counter  closed = true, false                          rows that the library did not write
 * dynamolock.clock.distrusted  counter  reason = contradiction, undated            when the store's time was given up
 * </pre>
 *
 * <p>All of them carry a tag {@code manager} with the bean name of the lock manager, also where there is only one, since meters of
 * one name must have the same tags. Each attempt to acquire counts once, with one outcome; a wait counts only if there was one. Without the lock name as a
 * tag, all meters are there from the start. With it there is one set for each name, from its first use on, which is only for
 * applications with few names: after 1,000 of them all others share one set, {@code lock = others}. A meter that cannot be registered gives a warning and stays away.
 *
 * <p>Safe for use by many threads.
 *
 * @since 0.1
 */
public final class LockMetrics {

    private final MeterRegistry registry;
    private final boolean lockNameTag;
    private final Clock clock;

    /**
     * Creates what makes meters.
     *
     * @param registry where they are registered
     * @param lockNameTag whether they carry a tag with the lock name
     * @param clock tells how long a lease was held
     */
    public LockMetrics(MeterRegistry registry, boolean lockNameTag, Clock clock) {
        this.registry = registry;
        this.lockNameTag = lockNameTag;
        this.clock = clock;
    }

    /**
     * Makes the meters of one lock manager.
     *
     * @param manager the value of their tag {@code manager}
     * @return moves the meters; a listener for that lock manager only
     */
    public LockListener listener(String manager) {
        return new ManagerMetrics(meters(manager), lockNameTag, clock);
    }

    /**
     * Registers the gauge of the leases that a lock manager holds.
     *
     * @param manager the value of its tag {@code manager}
     * @param locks whose leases are counted
     */
    public void countHeld(String manager, LockManager locks) {
        meters(manager)
                .gauge("dynamolock.held", "Leases held now", () -> locks.held().count());
    }

    private Registration meters(String manager) {
        return new Registration(registry, Tags.of("manager", manager));
    }
}
