/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.LeaseTime;
import io.dynamolock.LockSettings;
import io.dynamolock.OnLost;
import io.dynamolock.RetryPolicy;
import io.dynamolock.dynamodb.DynamoDbLockStore;
import io.dynamolock.dynamodb.ForeignLocks;
import io.dynamolock.spring.OnBusy;
import io.dynamolock.spring.boot.TableProperties.BillingMode;
import io.dynamolock.spring.boot.TableProperties.Initialization;
import java.lang.reflect.Parameter;
import java.lang.reflect.RecordComponent;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.bind.Name;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.boot.test.json.BasicJsonTester;
import org.springframework.boot.test.json.JsonContent;

/** Binding, defaults and metadata of the properties. */
class DynamolockPropertiesTests {

    @Test
    void haveTheCoresDefaults() {
        DynamolockProperties defaults = bind(Map.of());

        assertThat(LockSettingsMapper.lockSettings(ManagerProperties.ofDefault(defaults)))
                .isEqualTo(LockSettings.DEFAULTS);
        assertThat(LockSettingsMapper.retryPolicy(ManagerProperties.ofDefault(defaults)))
                .usingRecursiveComparison()
                .ignoringFields("random") // the source of each delay's jitter
                .isEqualTo(RetryPolicy.DEFAULT);
        assertThat(defaults.table().name()).isEqualTo(DynamoDbLockStore.DEFAULT_TABLE_NAME);
        assertThat(defaults.table().partitionKey()).isEqualTo(DynamoDbLockStore.DEFAULT_PARTITION_KEY);
        assertThat(defaults.table().ttlAttribute()).isEqualTo(DynamoDbLockStore.DEFAULT_TTL_ATTRIBUTE);
        assertThat(defaults.table().retention()).isEqualTo(DynamoDbLockStore.DEFAULT_RETENTION);
    }

    @Test
    void metadataShowEachDefault() throws ReflectiveOperationException {
        JsonContent<Object> metadata =
                new BasicJsonTester(getClass()).from("/META-INF/spring-configuration-metadata.json");
        Map<String, Object> defaults = values(bind(Map.of()), "dynamolock");
        defaults.values()
                .removeIf(value ->
                        value == null || Set.of().equals(value) || Map.of().equals(value));
        Map<String, String> shown = new LinkedHashMap<>();
        for (String key : defaults.keySet()) {
            assertThat(metadata)
                    .extractingJsonPathArrayValue("$.properties[?(@.name == '" + key + "')].defaultValue")
                    .singleElement()
                    .satisfies(value -> shown.put(key, value.toString()));
        }

        assertThat(bind(shown)).isEqualTo(bind(Map.of()));
    }

    static List<String> keysOfNoText() {
        List<String> keys = keys(DynamolockProperties.class, "dynamolock");
        keys.removeAll(keys(DynamolockProperties.class, "dynamolock", String.class));
        keys.remove("dynamolock.managers"); // a group
        return keys;
    }

    @ParameterizedTest
    @MethodSource("keysOfNoText")
    void haveTheirDefaultIfEmpty(String key) {
        assertThat(bind(Map.of(key, ""))).isEqualTo(bind(Map.of()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"shedlock,", ",shedlock", "shedlock,,"})
    void ignoreEmptyPartsOfAList(String honor) {
        DynamolockProperties bound =
                bind(Map.of("dynamolock.table.honor", honor, "dynamolock.managers.billing.table.honor", honor));

        assertThat(bound.table().honor()).containsExactly(ForeignLocks.SHEDLOCK);
        assertThat(bound.managers().values())
                .singleElement()
                .extracting(billing -> billing.over(bound).table().honor())
                .isEqualTo(Set.of(ForeignLocks.SHEDLOCK));
    }

    @Test
    void areAllBound() {
        Map<String, String> values = new LinkedHashMap<>();
        values.put("dynamolock.enabled", "false");
        values.put("dynamolock.store", "memory");
        values.put("dynamolock.owner", "me");
        values.put("dynamolock.name-prefix", "app:");
        values.put("dynamolock.token-key", "TK");
        values.put("dynamolock.table.name", "locks");
        values.put("dynamolock.table.partition-key", "pk");
        values.put("dynamolock.table.sort-key", "sk");
        values.put("dynamolock.table.sort-key-value", "lock");
        values.put("dynamolock.table.ttl-attribute", "expires");
        values.put("dynamolock.table.retention", "3d");
        values.put("dynamolock.table.initialization", "validate");
        values.put("dynamolock.table.creation-timeout", "5s");
        values.put("dynamolock.table.billing-mode", "provisioned");
        values.put("dynamolock.table.read-capacity", "4");
        values.put("dynamolock.table.write-capacity", "6");
        values.put("dynamolock.table.deletion-protection", "true");
        values.put("dynamolock.table.point-in-time-recovery", "true");
        values.put("dynamolock.table.honor", "shedlock,spring-integration");
        values.put("dynamolock.on-lost", "shutdown");
        values.put("dynamolock.lease.duration", "60s");
        values.put("dynamolock.lease.max-duration", "10m");
        values.put("dynamolock.lease.time", "observed");
        values.put("dynamolock.lease.max-clock-skew", "2s");
        values.put("dynamolock.lease.lock-delay", "500ms");
        values.put("dynamolock.lease.warn-after", "90s");
        values.put("dynamolock.heartbeat.interval", "7s");
        values.put("dynamolock.heartbeat.threads", "5");
        values.put("dynamolock.wait.time", "9s");
        values.put("dynamolock.wait.poll-min", "20ms");
        values.put("dynamolock.wait.poll-max", "40ms");
        values.put("dynamolock.retry.max-attempts", "8");
        values.put("dynamolock.retry.base-delay", "11ms");
        values.put("dynamolock.retry.multiplier", "1.5");
        values.put("dynamolock.retry.max-delay", "12s");
        values.put("dynamolock.retry.jitter", "0.5");
        values.put("dynamolock.client.region", "eu-west-3");
        values.put("dynamolock.client.endpoint", "http://localhost:8000");
        values.put("dynamolock.client.access-key", "AK");
        values.put("dynamolock.client.secret-key", "SK");
        values.put("dynamolock.client.attempt-timeout", "2s");
        values.put("dynamolock.client.call-timeout", "20s");
        values.put("dynamolock.client.first-response-timeout", "15s");
        values.put("dynamolock.client.max-concurrent-requests", "12");
        values.put("dynamolock.shutdown.grace-period", "13s");
        values.put("dynamolock.annotation.order", "17");
        values.put("dynamolock.annotation.hold-until-transaction-completes", "false");
        values.put("dynamolock.annotation.on-busy", "skip");
        values.put("dynamolock.metrics.lock-name-tag", "true");
        values.put("dynamolock.leader.name", "reporter");
        values.put("dynamolock.leader.lease-duration", "14s");
        values.put("dynamolock.leader.exit-on-loss", "true");

        DynamolockProperties bound = bind(values);

        assertThat(bound)
                .isEqualTo(new DynamolockProperties(
                        false,
                        DynamolockProperties.Store.MEMORY,
                        "me",
                        "app:",
                        "TK",
                        OnLost.SHUTDOWN,
                        new TableProperties(
                                "locks",
                                "pk",
                                "sk",
                                "lock",
                                "expires",
                                Duration.ofDays(3),
                                Initialization.VALIDATE,
                                Duration.ofSeconds(5),
                                BillingMode.PROVISIONED,
                                4L,
                                6L,
                                true,
                                true,
                                Set.of(ForeignLocks.SHEDLOCK, ForeignLocks.SPRING_INTEGRATION)),
                        new DynamolockProperties.Lease(
                                Duration.ofSeconds(60),
                                Duration.ofMinutes(10),
                                LeaseTime.OBSERVED,
                                Duration.ofSeconds(2),
                                Duration.ofMillis(500),
                                Duration.ofSeconds(90)),
                        new DynamolockProperties.Heartbeat(Duration.ofSeconds(7), 5),
                        new DynamolockProperties.Wait(
                                Duration.ofSeconds(9), Duration.ofMillis(20), Duration.ofMillis(40)),
                        new DynamolockProperties.Retry(8, Duration.ofMillis(11), 1.5, Duration.ofSeconds(12), 0.5),
                        new ClientProperties(
                                "eu-west-3",
                                URI.create("http://localhost:8000"),
                                "AK",
                                "SK",
                                Duration.ofSeconds(2),
                                Duration.ofSeconds(20),
                                Duration.ofSeconds(15),
                                12),
                        new DynamolockProperties.Shutdown(Duration.ofSeconds(13)),
                        new DynamolockProperties.Annotation(17, false, OnBusy.SKIP),
                        new MetricsProperties(true),
                        new LeaderProperties("reporter", Duration.ofSeconds(14), true),
                        Map.of()));
        values.put("dynamolock.managers", "");
        assertThat(values.keySet()).containsExactlyInAnyOrderElementsOf(keys(DynamolockProperties.class, "dynamolock"));
    }

    @Test
    void durationsWithoutUnitAreInSecondsOrDays() throws ReflectiveOperationException {
        List<String> durations = keys(DynamolockProperties.class, "dynamolock", Duration.class);
        Map<String, String> sevens = new LinkedHashMap<>();
        durations.forEach(key -> sevens.put(key, "7"));

        Map<String, Object> bound = values(bind(sevens), "dynamolock");

        bound.keySet().retainAll(durations);
        assertThat(bound)
                .hasSameSizeAs(durations)
                .allSatisfy((key, value) -> assertThat(value)
                        .isEqualTo(key.endsWith(".retention") ? Duration.ofDays(7) : Duration.ofSeconds(7)));
    }

    @Test
    void metadataNamesUnitOfEachDuration() {
        JsonContent<Object> metadata =
                new BasicJsonTester(getClass()).from("/META-INF/spring-configuration-metadata.json");

        for (String key : keys(DynamolockProperties.class, "dynamolock", Duration.class)) {
            assertThat(metadata)
                    .extractingJsonPathArrayValue("$.properties[?(@.name == '" + key + "')].description")
                    .singleElement()
                    .asString()
                    .endsWith(
                            key.endsWith(".retention")
                                    ? " If a duration suffix is not specified, days will be used."
                                    : " If a duration suffix is not specified, seconds will be used.");
        }
    }

    @Test
    void reachTheCoresSettings() {
        DynamolockProperties properties = bind(Map.ofEntries(
                Map.entry("dynamolock.lease.duration", "60s"),
                Map.entry("dynamolock.lease.max-duration", "10m"),
                Map.entry("dynamolock.lease.time", "observed"),
                Map.entry("dynamolock.lease.max-clock-skew", "2s"),
                Map.entry("dynamolock.lease.lock-delay", "3s"),
                Map.entry("dynamolock.lease.warn-after", "90s"),
                Map.entry("dynamolock.heartbeat.interval", "7s"),
                Map.entry("dynamolock.heartbeat.threads", "5"),
                Map.entry("dynamolock.wait.time", "9s"),
                Map.entry("dynamolock.wait.poll-min", "20ms"),
                Map.entry("dynamolock.wait.poll-max", "40ms"),
                Map.entry("dynamolock.client.attempt-timeout", "2s"),
                Map.entry("dynamolock.client.call-timeout", "20s"),
                Map.entry("dynamolock.client.first-response-timeout", "15s"),
                Map.entry("dynamolock.client.max-concurrent-requests", "12"),
                Map.entry("dynamolock.name-prefix", "app:"),
                Map.entry("dynamolock.on-lost", "interrupt"),
                Map.entry("dynamolock.shutdown.grace-period", "13s")));

        LockSettings settings = LockSettingsMapper.lockSettings(ManagerProperties.ofDefault(properties));

        assertThat(settings)
                .isEqualTo(LockSettings.builder()
                        .leaseDuration(Duration.ofSeconds(60))
                        .maxLeaseDuration(Duration.ofMinutes(10))
                        .time(LeaseTime.OBSERVED)
                        .maxClockSkew(Duration.ofSeconds(2))
                        .lockDelay(Duration.ofSeconds(3))
                        .warnAfter(Duration.ofSeconds(90))
                        .heartbeatInterval(Duration.ofSeconds(7))
                        .heartbeatThreads(5)
                        .waitTime(Duration.ofSeconds(9))
                        .pollMin(Duration.ofMillis(20))
                        .pollMax(Duration.ofMillis(40))
                        .attemptTimeout(Duration.ofSeconds(2))
                        .callTimeout(Duration.ofSeconds(20))
                        .firstResponseTimeout(Duration.ofSeconds(15))
                        .maxConcurrentRequests(12)
                        .namePrefix("app:")
                        .onLost(OnLost.INTERRUPT)
                        .shutdownGrace(Duration.ofSeconds(13))
                        .build());
    }

    @Test
    void areAllDescribedInTheMetadata() {
        JsonContent<Object> metadata =
                new BasicJsonTester(getClass()).from("/META-INF/spring-configuration-metadata.json");
        List<String> keys = keys(DynamolockProperties.class, "dynamolock");

        assertThat(metadata)
                .extractingJsonPathArrayValue("$.properties[?(@.name =~ /dynamolock\\..*/)].name")
                .containsExactlyInAnyOrderElementsOf(keys);
        assertThat(metadata)
                .extractingJsonPathArrayValue("$.properties[?(@.name =~ /dynamolock\\..*/)].description")
                .hasSameSizeAs(keys)
                .allSatisfy(description ->
                        assertThat((String) description).endsWith(".").hasSizeGreaterThan(10));
    }

    @Test
    void printNoSecret() {
        DynamolockProperties bound = bind(Map.of(
                "dynamolock.client.access-key", "AKIDEXAMPLE",
                "dynamolock.client.secret-key", "wJalrXUtnFEMI",
                "dynamolock.token-key", "signs-lease-tokens"));

        assertThat(bound.toString())
                .contains("accessKey=******", "secretKey=******", "tokenKey=******")
                .doesNotContain("AKIDEXAMPLE", "wJalrXUtnFEMI", "signs-lease-tokens");
        assertThat(bind(Map.of()).toString()).contains("tokenKey=null");
    }

    @Test
    void printEverythingElse() {
        String printed = bind(Map.of()).toString();

        for (RecordComponent component : DynamolockProperties.class.getRecordComponents()) {
            assertThat(printed).contains(component.getName() + "=");
        }
    }

    private static DynamolockProperties bind(Map<String, String> values) {
        return new Binder(new MapConfigurationPropertySource(values))
                .bindOrCreate("dynamolock", Bindable.of(DynamolockProperties.class));
    }

    private static List<String> keys(Class<?> type, String prefix) {
        return keys(type, prefix, Object.class);
    }

    /** Returns the keys of all properties of a type. */
    private static List<String> keys(Class<?> type, String prefix, Class<?> wanted) {
        List<String> keys = new ArrayList<>();
        for (Parameter component : type.getDeclaredConstructors()[0].getParameters()) {
            String key = key(prefix, component);
            if (component.getType().isRecord()) {
                keys.addAll(keys(component.getType(), key, wanted));
            } else if (wanted == Object.class || wanted == component.getType()) {
                keys.add(key);
            }
        }
        return keys;
    }

    private static Map<String, Object> values(Object properties, String prefix) throws ReflectiveOperationException {
        Map<String, Object> values = new LinkedHashMap<>();
        for (Parameter component :
                properties.getClass().getDeclaredConstructors()[0].getParameters()) {
            String key = key(prefix, component);
            Object value = properties.getClass().getMethod(component.getName()).invoke(properties);
            if (component.getType().isRecord()) {
                values.putAll(values(value, key));
            } else {
                values.put(key, value);
            }
        }
        return values;
    }

    private static String key(String prefix, Parameter component) {
        Name name = component.getAnnotation(Name.class);
        return prefix + "." + (name != null ? name.value() : DataObjectPropertyName.toDashedForm(component.getName()));
    }
}
