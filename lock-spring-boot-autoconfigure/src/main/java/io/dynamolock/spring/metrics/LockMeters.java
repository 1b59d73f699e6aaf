/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.metrics;

import io.dynamolock.LeaseLost;
import io.dynamolock.LockListener.Operation;
import io.dynamolock.LockListener.RequestOutcome;
import io.dynamolock.ReleaseOutcome;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.util.Locale;

/** The meters of one lock, or of all locks together, registered once so that an event costs no look-up. */
final class LockMeters {

    final Timer acquired;
    final Timer busy;
    final Timer failed;
    final Timer waited;
    final Timer held;
    final ByConstant<ReleaseOutcome, Timer> released;
    final Timer releaseFailed;
    final Timer renewed;
    final Timer renewalFailed;
    final ByConstant<LeaseLost.Reason, Counter> lost;
    final Counter retries;
    final ByConstant<Operation, ByConstant<RequestOutcome, Counter>> requests;

    private final MeterRegistry registry;
    private final Tags tags;

    LockMeters(MeterRegistry registry, Tags tags) {
        this.registry = registry;
        this.tags = tags;
        this.acquired = timer("dynamolock.acquire", "Attempts to acquire a lock", Tags.of("outcome", "acquired"));
        this.busy = timer("dynamolock.acquire", "Attempts to acquire a lock", Tags.of("outcome", "busy"));
        this.failed = timer("dynamolock.acquire", "Attempts to acquire a lock", Tags.of("outcome", "failed"));
        this.waited = timer("dynamolock.wait", "Waiting for busy locks", Tags.empty());
        this.held = timer("dynamolock.hold", "Time from acquisition to release or loss", Tags.empty());
        this.released = ByConstant.of(
                ReleaseOutcome.class,
                outcome -> timer("dynamolock.release", "Releases", Tags.of("outcome", lower(outcome))));
        this.releaseFailed = timer("dynamolock.release", "Releases", Tags.of("outcome", "failed"));
        this.renewed = timer("dynamolock.renew", "Renewals", Tags.of("outcome", "ok"));
        this.renewalFailed = timer("dynamolock.renew", "Renewals", Tags.of("outcome", "failed"));
        this.lost = ByConstant.of(
                LeaseLost.Reason.class,
                reason -> counter(
                        "dynamolock.lost", "Leases that ended before their release", Tags.of("reason", lower(reason))));
        this.retries = counter("dynamolock.retries", "Failed requests that were tried again", Tags.empty());
        this.requests = ByConstant.of(Operation.class, this::requests);
    }

    private ByConstant<RequestOutcome, Counter> requests(Operation operation) {
        return ByConstant.of(
                RequestOutcome.class,
                outcome -> counter(
                        "dynamolock.requests",
                        "Requests to the store",
                        Tags.of("operation", lower(operation), "outcome", lower(outcome))));
    }

    private Timer timer(String name, String description, Tags more) {
        return Timer.builder(name).description(description).tags(tags.and(more)).register(registry);
    }

    private Counter counter(String name, String description, Tags more) {
        return Counter.builder(name)
                .description(description)
                .tags(tags.and(more))
                .register(registry);
    }

    private static String lower(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
