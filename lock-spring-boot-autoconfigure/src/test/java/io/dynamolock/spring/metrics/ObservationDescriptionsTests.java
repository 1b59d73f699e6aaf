/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.LockManager;
import io.dynamolock.spring.DistributedLock;
import io.dynamolock.spring.Locking;
import io.dynamolock.spring.OnBusy;
import io.dynamolock.spring.boot.DynamolockMetricsAutoConfiguration;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.export.prometheus.PrometheusMetricsExportAutoConfiguration;
import org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration;

/** Descriptions of all meters, also of those that Micrometer derives from observations. */
class ObservationDescriptionsTests {

    @Test
    void eachMeterHasOne() {
        Locking.inMemory()
                .withConfiguration(AutoConfigurations.of(
                        MetricsAutoConfiguration.class,
                        PrometheusMetricsExportAutoConfiguration.class,
                        CompositeMeterRegistryAutoConfiguration.class,
                        ObservationAutoConfiguration.class,
                        DynamolockMetricsAutoConfiguration.class))
                .withBean(Work.class)
                .run(context -> {
                    context.getBean(Work.class).run();
                    context.getBean(LockManager.class).acquire("busy");
                    context.getBean(Work.class).skip();

                    List<String> help = context.getBean(PrometheusMeterRegistry.class)
                            .scrape()
                            .lines()
                            .filter(line -> line.startsWith("# HELP dynamolock_"))
                            .toList();
                    assertThat(help)
                            .anyMatch(line -> line.startsWith("# HELP dynamolock_lock_seconds "))
                            .anyMatch(line -> line.startsWith("# HELP dynamolock_lock_busy_total "))
                            .allMatch(line -> line.matches("# HELP \\S+ \\S.*"));
                });
    }

    static class Work {

        @DistributedLock("job")
        public void run() {}

        @DistributedLock(name = "busy", onBusy = OnBusy.SKIP)
        public void skip() {}
    }
}
