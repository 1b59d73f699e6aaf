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
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.util.Locale;

/** Meters of one lock, or of all locks together. They are registered once, so that an event needs no lookup. */
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
    final Counter retriesExhausted;
    final ByConstant<Operation, ByConstant<RequestOutcome, Counter>> requests;

    private final Registration meters;

    LockMeters(Registration meters) {
        this.meters = meters;
        this.acquired = acquire("acquired");
        this.busy = acquire("busy");
        this.failed = acquire("failed");
        this.waited = meters.timer("dynamolock.wait", "Time spent waiting for busy locks", Tags.empty());
        this.held = meters.timer("dynamolock.hold", "Time from acquisition to release or loss", Tags.empty());
        this.released = ByConstant.of(ReleaseOutcome.class, outcome -> release(lower(outcome)));
        this.releaseFailed = release("failed");
        this.renewed = renew("ok");
        this.renewalFailed = renew("failed");
        this.lost = ByConstant.of(LeaseLost.Reason.class, this::lost);
        this.retries = meters.counter("dynamolock.retries", "Failed requests that were retried", Tags.empty());
        this.retriesExhausted = meters.counter(
                "dynamolock.retries.exhausted", "Requests that failed after the last retry", Tags.empty());
        this.requests = ByConstant.of(Operation.class, this::requests);
    }

    private Timer acquire(String outcome) {
        return meters.timer("dynamolock.acquire", "Attempts to acquire a lock", Tags.of("outcome", outcome));
    }

    private Timer release(String outcome) {
        return meters.timer("dynamolock.release", "Releases", Tags.of("outcome", outcome));
    }

    private Timer renew(String outcome) {
        return meters.timer("dynamolock.renew", "Renewals", Tags.of("outcome", outcome));
    }

    private Counter lost(LeaseLost.Reason reason) {
        return meters.counter(
                "dynamolock.lost", "Leases that ended before their release", Tags.of("reason", lower(reason)));
    }

    private ByConstant<RequestOutcome, Counter> requests(Operation operation) {
        return ByConstant.of(
                RequestOutcome.class,
                outcome -> meters.counter(
                        "dynamolock.requests",
                        "Requests to the store",
                        Tags.of("operation", lower(operation), "outcome", lower(outcome))));
    }

    static String lower(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
