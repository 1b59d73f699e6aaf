/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.noop.NoopCounter;
import io.micrometer.core.instrument.noop.NoopTimer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Registers meters. If a filter or the registry throws, a warning is logged and the meter is replaced by one without
 * effect: locks and the application's startup do not depend on it.
 *
 * @param sourced receives the meters that show the state of an object
 */
record Registration(MeterRegistry registry, Tags tags, SourcedMeters sourced) {

    private static final Logger LOG = LoggerFactory.getLogger(Registration.class);

    Registration with(Tags more) {
        return new Registration(registry, tags.and(more), sourced);
    }

    Timer timer(String name, String description, Tags more) {
        return registered(
                () -> Timer.builder(name)
                        .description(description)
                        .tags(tags.and(more))
                        .register(registry),
                NoopTimer::new,
                new Meter.Id(name, tags.and(more), null, description, Meter.Type.TIMER));
    }

    Counter counter(String name, String description, Tags more) {
        return registered(
                () -> Counter.builder(name)
                        .description(description)
                        .tags(tags.and(more))
                        .register(registry),
                NoopCounter::new,
                new Meter.Id(name, tags.and(more), null, description, Meter.Type.COUNTER));
    }

    /**
     * Registers a counter that something else counts. A meter holds its function strongly, but the object that the
     * function is applied to weakly: that is the registry, and not the source of the count.
     */
    void counter(String name, String description, LongSupplier count) {
        FunctionCounter.Builder<?> counter = FunctionCounter.builder(name, registry, ignored -> count.getAsLong())
                .description(description)
                .tags(tags);
        sourced.add(name, tags, () -> counter.register(registry));
    }

    void gauge(String name, String description, Supplier<Number> value) {
        Gauge.Builder<Supplier<Number>> gauge =
                Gauge.builder(name, value).description(description).tags(tags).strongReference(true);
        sourced.add(name, tags, () -> gauge.register(registry));
    }

    /** Registers a gauge that is NaN before the first value. */
    void timeGauge(String name, String description, Supplier<@Nullable Duration> value) {
        TimeGauge.Builder<Supplier<Number>> gauge = TimeGauge.builder(
                        name, () -> nanos(value.get()), TimeUnit.NANOSECONDS)
                .description(description)
                .tags(tags)
                .strongReference(true);
        sourced.add(name, tags, () -> gauge.register(registry));
    }

    private static Number nanos(@Nullable Duration duration) {
        return duration == null ? Double.NaN : (double) duration.toNanos();
    }

    private static <M> M registered(Supplier<M> meter, Function<Meter.Id, M> instead, Meter.Id id) {
        try {
            return meter.get();
        } catch (RuntimeException rejected) {
            warn(id.getName(), rejected);
            return instead.apply(id);
        }
    }

    static void warn(String name, RuntimeException rejected) {
        LOG.warn("Meter {} cannot be registered and is missing: {}", name, rejected.toString());
    }
}
