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
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;
import org.springframework.util.function.SingletonSupplier;

/**
 * Meters of one lock, or of all locks together. Most are registered when they first count; those of faults from the
 * start, because the increase of a series since its first sample does not include that sample.
 */
final class LockMeters {

    final Supplier<Timer> acquired;
    final Supplier<Timer> busy;
    final Supplier<Timer> cancelled;
    final Timer failed;
    final Supplier<Timer> waited;
    final Supplier<Timer> held;
    final Timer releaseFailed;
    final Supplier<Timer> renewed;
    final Timer renewalFailed;
    final Supplier<Counter> retries;
    final Counter retriesExhausted;

    private final Registration meters;
    private final Map<ReleaseOutcome, Supplier<Timer>> released;
    private final Map<LeaseLost.Reason, Counter> lost;
    private final Map<Operation, Map<RequestOutcome, Supplier<Counter>>> requests;

    LockMeters(Registration meters) {
        this.meters = meters;
        this.acquired = acquire("acquired");
        this.busy = acquire("busy");
        this.cancelled = acquire("cancelled");
        this.failed = acquire("failed").get();
        this.waited = timer("dynamolock.wait", "Time spent waiting for busy locks", Tags.empty());
        this.held = timer("dynamolock.hold", "Time from acquisition to release or loss", Tags.empty());
        this.released = forEach(ReleaseOutcome.class, outcome -> release(lower(outcome)));
        Timer unused = released(ReleaseOutcome.NOT_OWNED);
        this.releaseFailed = release("failed").get();
        this.renewed = renew("ok");
        this.renewalFailed = renew("failed").get();
        this.lost = forEach(LeaseLost.Reason.class, this::losses);
        this.retries = SingletonSupplier.of(
                () -> meters.counter("dynamolock.retries", "Failed requests that were retried", Tags.empty()));
        this.retriesExhausted = meters.counter(
                "dynamolock.retries.exhausted", "Requests that failed after the last retry", Tags.empty());
        this.requests = forEach(Operation.class, this::requestsOf);
    }

    /** Returns the releases with one outcome. */
    Timer released(ReleaseOutcome outcome) {
        return Objects.requireNonNull(released.get(outcome)).get();
    }

    /** Returns the losses for one reason. */
    Counter lost(LeaseLost.Reason reason) {
        return Objects.requireNonNull(lost.get(reason));
    }

    /** Returns the requests of one operation with one outcome. */
    Counter requests(Operation operation, RequestOutcome outcome) {
        return Objects.requireNonNull(
                        Objects.requireNonNull(requests.get(operation)).get(outcome))
                .get();
    }

    /** Returns a map with a meter for each constant of an enum. */
    static <K extends Enum<K>, V> Map<K, V> forEach(Class<K> type, Function<K, V> meter) {
        Map<K, V> meters = new EnumMap<>(type);
        for (K constant : type.getEnumConstants()) {
            meters.put(constant, meter.apply(constant));
        }
        return meters;
    }

    private Supplier<Timer> timer(String name, String description, Tags tags) {
        return SingletonSupplier.of(() -> meters.timer(name, description, tags));
    }

    private Supplier<Timer> acquire(String outcome) {
        return timer("dynamolock.acquire", "Attempts to acquire a lock", Tags.of("outcome", outcome));
    }

    private Supplier<Timer> release(String outcome) {
        return timer("dynamolock.release", "Releases", Tags.of("outcome", outcome));
    }

    private Supplier<Timer> renew(String outcome) {
        return timer("dynamolock.renew", "Renewals", Tags.of("outcome", outcome));
    }

    private Counter losses(LeaseLost.Reason reason) {
        return meters.counter(
                "dynamolock.lost", "Leases that ended before their release", Tags.of("reason", lower(reason)));
    }

    private Map<RequestOutcome, Supplier<Counter>> requestsOf(Operation operation) {
        return forEach(
                RequestOutcome.class,
                outcome -> SingletonSupplier.of(() -> meters.counter(
                        "dynamolock.requests",
                        "Requests to the store",
                        Tags.of("operation", lower(operation), "outcome", lower(outcome)))));
    }

    static String lower(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
