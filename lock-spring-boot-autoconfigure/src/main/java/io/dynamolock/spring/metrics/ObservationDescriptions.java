/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.metrics;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.config.MeterFilter;
import java.util.Map;

/**
 * Describes the meters that Micrometer derives from observations of locked calls. Micrometer itself gives them no
 * description. Those that a convention renames have none.
 *
 * <p>Thread-safe.
 *
 * @since 0.1
 */
public final class ObservationDescriptions implements MeterFilter {

    private static final Map<String, String> DESCRIPTIONS = Map.of(
            "dynamolock.lock", "Calls of locked methods, including the wait for the lock and the work",
            "dynamolock.lock.active", "Calls of locked methods in progress",
            "dynamolock.lock.acquired", "Calls that acquired their lock",
            "dynamolock.lock.busy", "Calls whose lock was busy",
            "dynamolock.lock.lost", "Calls that lost their lock",
            "dynamolock.lock.released", "Calls that released their lock");

    /** Creates the filter. */
    public ObservationDescriptions() {}

    @Override
    public Meter.Id map(Meter.Id id) {
        String description = DESCRIPTIONS.get(id.getName());
        return description == null || id.getDescription() != null
                ? id
                : new Meter.Id(
                        id.getName(), Tags.of(id.getTagsAsIterable()), id.getBaseUnit(), description, id.getType());
    }
}
