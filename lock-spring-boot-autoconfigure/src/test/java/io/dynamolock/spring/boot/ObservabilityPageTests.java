/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.LockManager;
import io.dynamolock.spring.Docs;
import io.dynamolock.spring.Locking;
import io.dynamolock.spring.endpoint.DistributedLocksEndpoint;
import io.dynamolock.spring.metrics.EveryEvent;
import io.dynamolock.spring.metrics.LockMetrics;
import io.dynamolock.spring.observation.DefaultLockObservationConvention;
import io.dynamolock.spring.observation.LockObservation;
import io.micrometer.common.docs.KeyName;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.Observation;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.test.json.BasicJsonTester;

/** observability.md lists exactly what the library provides. */
class ObservabilityPageTests {

    private static final Pattern METER =
            Pattern.compile("(?m)^\\| `(dynamolock\\.[a-z.]+)` \\| (timer|counter|gauge) \\| ([^|]*)\\|");
    private static final Pattern TAG = Pattern.compile("`([a-z]+)` = ([a-z_, ]+)");
    private static final Pattern MAPPING = Pattern.compile("(?m)^\\| `([a-z_.]+)` \\| ([^|]*) \\|$");
    private static final Pattern SERIES =
            Pattern.compile("`(dynamolock\\.[a-z.]+)`(?:, `([a-z]+)` = ([a-z_]+(?:(?:, | or )[a-z_]+)*))?");
    private static final Pattern OBSERVATION =
            Pattern.compile("(?m)^\\| `(dynamolock\\.lock)` \\| ([^|]*)\\| ([^|]*)\\| ([^|]*)\\|");
    private static final Pattern QUOTED = Pattern.compile("`([^`]+)`");

    private final String page = Docs.page("observability.md");

    @Test
    void listsTheMetersWithTheirTags() {
        SimpleMeterRegistry meters = new SimpleMeterRegistry();
        Locking.inMemory()
                .withConfiguration(AutoConfigurations.of(
                        DynamolockLeaderAutoConfiguration.class, DynamolockMetricsAutoConfiguration.class))
                .withPropertyValues("dynamolock.leader.name=reporter")
                .withBean(MeterRegistry.class, () -> meters)
                .run(context -> {
                    EveryEvent.to(
                            context.getBean(LockMetrics.class).listener("dynamolockManager"),
                            context.getBean(LockManager.class));
                    EveryEvent.ofSkippedCalls(context);

                    assertThat(documentedMeters()).isEqualTo(registered(meters));
                });
    }

    @Test
    void mapsEachMeterOfLayeredCraftToOnesOfTheList() {
        String table =
                page.substring(page.indexOf("| there (`dynamodb.distributedlock."), page.indexOf("## Observations"));
        Map<String, Set<String>> mapped = new TreeMap<>();
        MAPPING.matcher(table).results().forEach(row -> mapped.put(row.group(1), seriesIn(row.group(2))));

        assertThat(mapped.keySet())
                .containsExactlyInAnyOrder(
                        "lock_acquire",
                        "lock_acquire.failed",
                        "lock_acquire.timer",
                        "lock_release",
                        "lock_release.failed",
                        "lock_release.timer",
                        "retries_exhausted",
                        "retry_attempt");
        assertThat(mapped.values())
                .allSatisfy(series -> assertThat(series).isNotEmpty().isSubsetOf(documentedSeries()));
        assertThat(mapped.get("lock_acquire.timer")).containsExactly("dynamolock.acquire");
        assertThat(mapped.get("lock_release.timer")).containsExactly("dynamolock.release");
        assertThat(documentedMeters().get("dynamolock.acquire")).startsWith("timer");
        assertThat(documentedMeters().get("dynamolock.release")).startsWith("timer");
    }

    /** Returns the meters that a cell names, each without a tag or once for each value of the tag that follows it. */
    private static Set<String> seriesIn(String cell) {
        Set<String> series = new TreeSet<>();
        SERIES.matcher(cell.replaceAll(" \\([^)]*\\)", "")).results().forEach(named -> {
            if (named.group(2) == null) {
                series.add(named.group(1));
            } else {
                for (String value : named.group(3).split(", | or ", -1)) {
                    series.add("%s{%s=%s}".formatted(named.group(1), named.group(2), value));
                }
            }
        });
        return series;
    }

    private Set<String> documentedSeries() {
        Set<String> series = new TreeSet<>();
        METER.matcher(page).results().forEach(row -> {
            series.add(row.group(1));
            TAG.matcher(row.group(3))
                    .results()
                    .forEach(tag -> series.addAll(
                            seriesIn("`%s`, `%s` = %s".formatted(row.group(1), tag.group(1), tag.group(2)))));
        });
        return series;
    }

    private Map<String, String> documentedMeters() {
        Map<String, String> documented = new TreeMap<>();
        METER.matcher(page).results().forEach(row -> {
            Map<String, Set<String>> tags = new TreeMap<>();
            TAG.matcher(row.group(3))
                    .results()
                    .forEach(tag -> tags.put(
                            tag.group(1),
                            new TreeSet<>(Arrays.asList(tag.group(2).trim().split(", ")))));
            documented.put(row.group(1), row.group(2) + tags);
        });
        return documented;
    }

    private static Map<String, String> registered(MeterRegistry meters) {
        Map<String, Map<String, Set<String>>> tags = new TreeMap<>();
        Map<String, String> types = new TreeMap<>();
        for (Meter meter : meters.getMeters()) {
            String name = meter.getId().getName();
            types.put(name, meter.getId().getType().name().toLowerCase(Locale.ROOT));
            Map<String, Set<String>> own = tags.computeIfAbsent(name, key -> new TreeMap<>());
            assertThat(meter.getId().getTag("manager")).as(name).isEqualTo("dynamolockManager");
            meter.getId().getTags().stream()
                    .filter(tag -> !tag.getKey().equals("manager"))
                    .forEach(tag -> own.computeIfAbsent(tag.getKey(), key -> new TreeSet<>())
                            .add(tag.getValue()));
        }
        types.replaceAll((name, type) -> type + tags.get(name));
        return types;
    }

    @Test
    void listsTheObservationWithItsKeysAndEvents() {
        MatchResult row = OBSERVATION.matcher(page).results().findFirst().orElseThrow();

        assertThat(row.group(1)).isEqualTo(new DefaultLockObservationConvention().getName());
        assertThat(quoted(row.group(2))).isEqualTo(keys(LockObservation.CALL.getLowCardinalityKeyNames()));
        assertThat(quoted(row.group(3))).isEqualTo(keys(LockObservation.CALL.getHighCardinalityKeyNames()));
        assertThat(quoted(row.group(4)))
                .isEqualTo(Arrays.stream(LockObservation.CALL.getEvents())
                        .map(Observation.Event::getName)
                        .collect(Collectors.toCollection(TreeSet::new)));
    }

    private static Set<String> keys(KeyName[] names) {
        return Arrays.stream(names).map(KeyName::asString).collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void listsTheDetailsOfTheHealth() {
        TestClients.contexts(TestClients.http())
                .withConfiguration(AutoConfigurations.of(DynamolockHealthAutoConfiguration.class))
                .run(context -> {
                    assertThat(context.getBean(LockManager.class).tryAcquire("job"))
                            .isPresent();
                    ClosedLocks.close(context, "stuck");
                    context.getBean(LockManager.class).inspect("stuck");
                    context.getBean(LockManager.class).startDraining();
                    String table = page.substring(page.indexOf("| detail |"), page.indexOf("`management.health"));

                    Health health = Objects.requireNonNull(
                            context.getBean(HealthIndicator.class).health(true));
                    assertThat(quoted(table))
                            .isEqualTo(new TreeSet<>(health.getDetails().keySet()));
                });
    }

    @Test
    void namesPropertiesThatExist() {
        Set<String> documented = quoted(page).stream()
                .map(text -> text.replaceAll("=.*", ""))
                .filter(text -> text.matches("(management|dynamolock)\\.[a-z.-]+\\.(enabled|access|lock-name-tag)"))
                .collect(Collectors.toCollection(TreeSet::new));

        assertThat(new BasicJsonTester(getClass()).from("/META-INF/spring-configuration-metadata.json"))
                .extractingJsonPathArrayValue("$.properties[*].name")
                .containsAll(documented);
        assertThat(documented)
                .containsExactly(
                        "dynamolock.metrics.lock-name-tag",
                        "management.endpoint." + DistributedLocksEndpoint.ID + ".access",
                        "management.health.dynamolock.enabled");
    }

    private static Set<String> quoted(String text) {
        return QUOTED.matcher(text)
                .results()
                .map((MatchResult found) -> found.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
