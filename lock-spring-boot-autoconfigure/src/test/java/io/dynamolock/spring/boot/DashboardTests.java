/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.Lease;
import io.dynamolock.LeaseLost;
import io.dynamolock.LockManager;
import io.dynamolock.spring.DistributedLock;
import io.dynamolock.spring.Docs;
import io.dynamolock.spring.Locking;
import io.dynamolock.spring.Locks;
import io.dynamolock.spring.metrics.EveryEvent;
import io.dynamolock.spring.metrics.LockMetrics;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.File;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.config.YamlPropertiesFactoryBean;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.json.BasicJsonTester;
import org.springframework.core.io.FileSystemResource;

/** The dashboard and the alerts query only series, labels and values that an application exports. */
class DashboardTests {

    private static final Pattern SERIES = Pattern.compile("(?m)^(dynamolock_[a-z_]+)(?:\\{(.*)})? \\S+$");
    private static final Pattern LABEL = Pattern.compile("([a-z_]+)=\"((?:[^\"\\\\]|\\\\.)*)\"");
    private static final Pattern SELECTOR = Pattern.compile("\\b(dynamolock_[a-z_]+)(?:\\{([^}]*)})?");
    private static final Pattern MATCHER = Pattern.compile("([a-z_]+)(=~|=|!=|!~)\"([^\"]*)\"");
    private static final Pattern GROUPING = Pattern.compile("\\bby \\(([a-z_, ]+)\\)");

    private static final Pattern SILENT = Pattern.compile("(?s)After two kinds of loss .*?\n\n(?!- )");

    /** Labels that Prometheus adds to all series. */
    private static final Set<String> OF_THE_TARGET = Set.of("job", "instance");

    /** Values of each label of each series. */
    private final Map<String, Map<String, Set<String>>> exported = new TreeMap<>();

    /** The same, before the first call. */
    private final Map<String, Map<String, Set<String>>> exportedAtStart = new TreeMap<>();

    @BeforeEach
    void export() {
        PrometheusMeterRegistry meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        ObservationRegistry observations = ObservationRegistry.create();
        observations.observationConfig().observationHandler(new DefaultMeterObservationHandler(meters));
        Locking.inMemory()
                .withConfiguration(AutoConfigurations.of(DynamolockMetricsAutoConfiguration.class))
                .withBean(MeterRegistry.class, () -> meters)
                .withBean(ObservationRegistry.class, () -> observations)
                .withBean(Job.class)
                .withPropertyValues("dynamolock.heartbeat.interval=20ms", "dynamolock.on-lost=event")
                .run(context -> {
                    read(meters.scrape(), exportedAtStart);

                    LockManager locks = context.getBean(LockManager.class);
                    context.getBean(Job.class).loses(locks);
                    EveryEvent.to(context.getBean(LockMetrics.class).listener("dynamolockManager"), locks);
                    EveryEvent.ofSkippedCalls(context);
                    read(meters.scrape(), exported);
                });
        assertThat(exported).hasSizeGreaterThan(30);
    }

    private static void read(String scrape, Map<String, Map<String, Set<String>>> into) {
        SERIES.matcher(scrape).results().forEach(series -> {
            Map<String, Set<String>> labels = into.computeIfAbsent(series.group(1), name -> new TreeMap<>());
            LABEL.matcher(Objects.requireNonNullElse(series.group(2), ""))
                    .results()
                    .forEach(label -> labels.computeIfAbsent(label.group(1), key -> new TreeSet<>())
                            .add(label.group(2)));
        });
    }

    @Test
    void theDashboardAsksForWhatIsExported() {
        List<String> queries = dashboard("$.panels[*].targets[*].expr");

        assertThat(queries).hasSizeGreaterThan(20).allSatisfy(this::asksForWhatIsExported);
        assertThat(dashboard("$.templating.list[?(@.type == 'query')].query"))
                .isNotEmpty()
                .allSatisfy(this::asksForWhatIsExported);
    }

    @Test
    void theDashboardLeavesNoMeterOut() {
        String queries = String.join(" ", dashboard("$.panels[*].targets[*].expr"));

        Set<String> meters = exported.keySet().stream()
                .map(name -> name.replaceAll("_(count|sum|max|gcount|gsum)$", ""))
                .filter(name -> !name.contains("_active_"))
                .filter(name -> !name.matches("dynamolock_lock_(acquired|busy|released)_total")) // the outcome, again
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(meters).allSatisfy(meter -> assertThat(queries).contains(meter));
    }

    @Test
    void theAlertsAskForWhatIsExported() {
        Properties rules = alerts();

        List<String> queries = queries(rules);
        assertThat(queries).hasSizeGreaterThan(5).allSatisfy(this::asksForWhatIsExported);
        for (int i = 0; i < queries.size(); i++) {
            assertThat(rules.stringPropertyNames())
                    .contains(
                            "groups[0].rules[" + i + "].alert",
                            "groups[0].rules[" + i + "].labels.severity",
                            "groups[0].rules[" + i + "].annotations.summary");
        }
    }

    @Test
    void theAlertToCopyAsksForWhatIsExported() {
        String page = Docs.page("observability.md");
        String example = page.substring(page.indexOf("NightlyJobDidNotRun"), page.indexOf("  for: 30m"));

        asksForWhatIsExported(example.replace("nightly-job", "job"));
    }

    /** The increase of a series does not include the first value that Prometheus sees. */
    @Test
    void theAlertsSeeAFirstIncrease() {
        List<String> increases = queries(alerts()).stream()
                .filter(query -> query.contains("increase("))
                .toList();

        assertThat(increases).hasSizeGreaterThan(5).allSatisfy(query -> asksFor(query, exportedAtStart));
    }

    @Test
    void operatorsKnowWhatToDoAboutEachAlert() {
        List<String> names = alerts().entrySet().stream()
                .filter(rule -> rule.getKey().toString().endsWith(".alert"))
                .map(rule -> rule.getValue().toString())
                .toList();
        String operations = Docs.page("operations.md");

        assertThat(names).isNotEmpty().allSatisfy(name -> assertThat(operations).contains("| `" + name + "` |"));
    }

    @Test
    void operatorsKnowWhichLossesRaiseNoAlarm() {
        String queries = String.join(" ", queries(alerts()));
        String without = SILENT.matcher(Docs.page("operations.md"))
                .results()
                .map(MatchResult::group)
                .findAny()
                .orElseThrow();

        assertThat(LeaseLost.Reason.values()).allSatisfy(reason -> {
            String name = reason.name().toLowerCase(Locale.ROOT);
            boolean alerts = Pattern.compile("\\breason=~\"[^\"]*\\b%s\\b".formatted(name))
                    .matcher(queries)
                    .find();
            assertThat(without.contains("- `" + name + "`")).as(name).isNotEqualTo(alerts);
        });
    }

    private static Properties alerts() {
        YamlPropertiesFactoryBean yaml = new YamlPropertiesFactoryBean();
        yaml.setResources(
                new FileSystemResource("../lock-spring-boot-starter/docs/observability/prometheus-alerts.yml"));
        return Objects.requireNonNull(yaml.getObject());
    }

    private static List<String> queries(Properties rules) {
        return rules.stringPropertyNames().stream()
                .filter(key -> key.endsWith(".expr"))
                .map(rules::getProperty)
                .toList();
    }

    private void asksForWhatIsExported(String query) {
        asksFor(query, exported);
    }

    private static void asksFor(String query, Map<String, Map<String, Set<String>>> exported) {
        assertThat(query.chars().filter(c -> c == '(').count())
                .as(query)
                .isEqualTo(query.chars().filter(c -> c == ')').count());
        Set<String> known = new TreeSet<>(OF_THE_TARGET);
        List<MatchResult> selectors = SELECTOR.matcher(query).results().toList();
        assertThat(selectors).as(query).isNotEmpty();
        for (MatchResult selector : selectors) {
            assertThat(exported).as(query).containsKey(selector.group(1));
            Map<String, Set<String>> labels = Objects.requireNonNull(exported.get(selector.group(1)));
            known.addAll(labels.keySet());
            matches(query, Objects.requireNonNullElse(selector.group(2), ""), labels);
        }
        Matcher groupings = GROUPING.matcher(query);
        while (groupings.find()) {
            assertThat(known)
                    .as(query)
                    .containsAll(Arrays.asList(groupings.group(1).split(", ")));
        }
    }

    private static void matches(String query, String matchers, Map<String, Set<String>> labels) {
        assertThat(MATCHER.matcher(matchers).replaceAll("").replaceAll("[, ]", ""))
                .as(query)
                .isEmpty();
        MATCHER.matcher(matchers).results().forEach(matcher -> {
            if (!OF_THE_TARGET.contains(matcher.group(1))) {
                assertThat(labels).as(query).containsKey(matcher.group(1));
                if (!matcher.group(3).equals("$" + matcher.group(1))) {
                    assertThat(labels.get(matcher.group(1)))
                            .as(query)
                            .containsAll(Arrays.asList(matcher.group(3).split("\\|")));
                }
            }
        });
    }

    private List<String> dashboard(String path) {
        List<String> found = new ArrayList<>();
        assertThat(new BasicJsonTester(getClass())
                        .from(new File("../lock-spring-boot-starter/docs/observability/grafana-dashboard.json")))
                .extractingJsonPathArrayValue(path)
                .allSatisfy(value -> found.add((String) value));
        return found;
    }

    static class Job {

        @DistributedLock("job")
        public void loses(LockManager locks) {
            Lease lease = Locks.current().orElseThrow();
            locks.revoke(lease.name(), lease.id());
            lease.lost().toCompletableFuture().join();
        }
    }
}
