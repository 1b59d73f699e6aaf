/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

/** Meters of several objects in one registry. {@link MeterSourcesTests} show the same of application contexts. */
class SourcedMetersTests {

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final SourcedMeters meters = new SourcedMeters(registry);

    /** Micrometer would warn that it ignores the second registration. */
    @Test
    void meterThatRegistryShowsIsNotRegisteredAgain() {
        register();

        meters.add("held", Tags.empty(), () -> fail("registered again"));

        assertThat(registry.getMeters()).hasSize(1);
    }

    /** As on the thread of another context, whose end makes room for the meter. */
    @Test
    void meterThatIsRegisteredWhileItsObjectEndsIsRemoved() {
        meters.add("held", Tags.empty(), () -> {
            Gauge registered = register();
            meters.removeAll();
            return registered;
        });

        assertThat(registry.getMeters()).isEmpty();
    }

    private Gauge register() {
        return Gauge.builder("held", () -> 1).register(registry);
    }
}
