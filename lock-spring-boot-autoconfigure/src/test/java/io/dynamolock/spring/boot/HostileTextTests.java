/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromM;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromN;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromS;

import ch.qos.logback.classic.Level;
import io.dynamolock.Lease;
import io.dynamolock.LeaseToken;
import io.dynamolock.LockManager;
import io.dynamolock.LockRequest;
import io.dynamolock.LockState;
import io.dynamolock.dynamodb.CapturedLogs;
import io.dynamolock.spring.DistributedLock;
import io.dynamolock.spring.LockEvent;
import io.dynamolock.spring.LogCapture;
import io.dynamolock.spring.endpoint.DistributedLocksEndpoint;
import io.dynamolock.spring.endpoint.DistributedLocksEndpoint.LocksDescriptor;
import io.dynamolock.spring.endpoint.LockDescriptor;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.reflect.RecordComponent;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.actuate.autoconfigure.endpoint.EndpointAutoConfiguration;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.event.EventListener;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Malicious texts of callers and rows that try to forge log lines, hide others, or exhaust the memory. */
class HostileTextTests {

    /** Marker in forged lease ids. */
    private static final String ID = "id-of-a-lease";

    private static final String FORGED =
            "x'\n2026-11-20 ERROR c.p.Payments - refunded \u001b[2K\r\u0000\u202e\u200e\u200f\u061c\u2028\"} #{1+1} %s {}";
    private static final String LONG = "y\n".repeat(170_000);
    private static final int LONGEST = 12_000;

    /** Line breaks that no message writes. */
    private static final Pattern STACK_TRACE =
            Pattern.compile("\\R(?=\\tat |\\t\\.\\.\\. |Caused by: |$)|\\t(?=at |\\.\\.\\. )");

    /** All texts that are shown to users. */
    private final Queue<String> shown = new ConcurrentLinkedQueue<>();

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final CapturedLogs logs = new CapturedLogs();

    private final ApplicationContextRunner contexts = TestClients.contexts(TestClients.http())
            .withConfiguration(AutoConfigurations.of(
                    EndpointAutoConfiguration.class,
                    DynamolockEndpointAutoConfiguration.class,
                    DynamolockHealthAutoConfiguration.class))
            .withPropertyValues(
                    "management.endpoints.web.exposure.include=distributedlocks",
                    "dynamolock.metrics.lock-name-tag=true",
                    "dynamolock.heartbeat.interval=100ms")
            .withBean(MeterRegistry.class, () -> meters)
            .withBean(Events.class, () -> new Events(shown))
            .withBean(Jobs.class);

    @BeforeEach
    void logEverything() {
        LogCapture.setLevel(Level.TRACE);
    }

    @AfterEach
    void closeLogs() {
        logs.close();
    }

    @Test
    void namesOwnersAndMetadataAreRejectedAndNotRepeated() {
        contexts.run(context -> {
            LockManager locks = context.getBean(LockManager.class);
            DistributedLocksEndpoint endpoint = context.getBean(DistributedLocksEndpoint.class);
            for (String text : List.of(FORGED, LONG, "x".repeat(400_000))) {
                tried(() -> locks.tryAcquire(text));
                tried(() -> locks.inspect(text));
                tried(() -> locks.forceFree(text));
                tried(() -> locks.forceRelease(text, ID));
                tried(() -> locks.acquire(LockRequest.of("job").owner(text)));
                tried(() -> locks.acquire(LockRequest.of("job").metadata(Map.of("why", text))));
                tried(() -> locks.acquire(LockRequest.of("job").metadata(Map.of(text, "why"))));
                tried(() -> locks.resume(LeaseToken.parse(text)));
                tried(Executors.callable(() -> context.getBean(Jobs.class).job(text)));
                tried(() -> endpoint.locks(text, null));
                tried(() -> endpoint.locks("job", text));
                tried(() -> endpoint.releaseByName(text, null, true, null));
                tried(() -> endpoint.releaseByBody("job", ID, null, text));
                tried(() -> endpoint.releaseByName("job", text, null, null));
            }
            showEverything(context);
        });

        assertHarmless(ID);
    }

    @Test
    void hostileOwnerOfTheApplicationStopsTheStart() {
        contexts.withBean(LockOwnerSupplier.class, () -> manager -> FORGED).run(context -> {
            assertThat(context).hasFailed();
            for (Throwable failure = context.getStartupFailure(); failure != null; failure = failure.getCause()) {
                shown.add(String.valueOf(failure.getMessage()));
            }
        });

        assertThat(shown).anyMatch(text -> text.contains("owner must not contain control characters"));
        assertThat(shown).noneMatch(text -> text.contains("refunded"));
    }

    @Test
    void rowsOfOthersAreShownWithoutTheirTricks() {
        contexts.run(context -> {
            LockManager locks = context.getBean(LockManager.class);
            DistributedLocksEndpoint endpoint = context.getBean(DistributedLocksEndpoint.class);
            for (String text : List.of(FORGED, LONG)) {
                String name = "row-" + text.length();
                ClosedLocks.write(context, held(name, text));
                ClosedLocks.write(context, held(name + "-odd", text, "renewals", "revoked", "acquiredAt", "clock"));
                ClosedLocks.write(context, held(name + "-closed", text, "tokenFloor"));
                for (String lock : List.of(name, name + "-odd", name + "-closed")) {
                    tried(() -> locks.tryAcquire(lock));
                    tried(() -> locks.acquire(lock));
                    shown.add(String.valueOf(locks.inspect(lock)));
                    show((LockDescriptor) endpoint.locks(lock, null));
                    tried(() -> locks.forceRelease(lock, text));
                    shown.add(String.valueOf(locks.forceFree(lock)));
                }
            }
            showEverything(context);
        });

        assertThat(shown).anyMatch(text -> text.contains("\\u000a2026-11-20 ERROR"));
        assertHarmless(ID);
    }

    @Test
    void operatorsWhoMayReleaseSeeNoneOfTheirTricks() {
        contexts.withPropertyValues("management.endpoint.distributedlocks.access=UNRESTRICTED")
                .run(context -> {
                    DistributedLocksEndpoint endpoint = context.getBean(DistributedLocksEndpoint.class);
                    Lease own = context.getBean(LockManager.class).acquire("own");
                    for (String text : List.of(FORGED, LONG)) {
                        String name = "row-" + text.length();
                        ClosedLocks.write(context, held(name, text));
                        ClosedLocks.write(context, held(name + "-odd", text, "renewals", "clock"));
                        ClosedLocks.write(context, held(name + "-closed", text, "tokenFloor"));
                        for (String lock : List.of(name, name + "-odd", name + "-closed")) {
                            answered(() -> endpoint.locks(lock, null));
                            answered(() -> endpoint.releaseByBody(lock, text, null, null));
                            answered(() -> endpoint.releaseByName(lock, null, true, null));
                        }
                    }
                    answered(() -> endpoint.locks(null, null));

                    assertThat(shown).contains(own.id(), "true");
                });

        assertHarmless(ID);
    }

    @ParameterizedTest
    @ValueSource(strings = {FORGED, "a\u200eb", "a\u200fb", "a\u061cb", "a\u202eb", "a\u2028b", "a\u0085b", "\u200e"})
    void operatorsWhoMayReleaseAreRejectedWithoutTheirTricks(String text) {
        contexts.withPropertyValues("management.endpoint.distributedlocks.access=UNRESTRICTED")
                .run(context -> {
                    DistributedLocksEndpoint endpoint = context.getBean(DistributedLocksEndpoint.class);
                    String[] path = {text};
                    answered(() -> endpoint.locks(text, null));
                    answered(() -> endpoint.lock(path, null));
                    answered(() -> endpoint.release(path, ID, null, null));
                    answered(() -> endpoint.release(path, null, true, null));
                    answered(() -> endpoint.releaseByName(text, ID, null, null));
                    answered(() -> endpoint.releaseByName(text, null, true, null));
                    answered(() -> endpoint.releaseByBody(text, ID, null, null));
                    answered(() -> endpoint.releaseByBody(text, null, true, null));
                    answered(() -> endpoint.releaseByBody("job", text, null, null));
                    answered(() -> endpoint.releaseByBody("job", text, true, null));
                    answered(() -> endpoint.releaseByBody("job", null, true, text));
                    answered(() -> endpoint.locks(null, text));
                });

        assertHarmless(ID);
    }

    @Test
    void lossToAHostileRivalIsReportedWithoutItsTricks() {
        contexts.run(context -> {
            LockManager locks = context.getBean(LockManager.class);
            Lease lease = locks.acquire("job");
            Lease released = locks.acquire("released");
            released.release();
            ClosedLocks.write(context, held("job", FORGED));

            Awaitility.await().until(() -> !lease.isHeld() && shown.stream().anyMatch(text -> text.contains("Lost")));
            showEverything(context);
            shown.add(lease.toString());

            assertThat(logs.everything()).anyMatch(text -> text.contains("Lost lock 'job'"));
            assertHarmless(ID, lease.id(), released.id());
        });
    }

    /** Returns a row as the library writes it, with the given texts and text attributes. */
    private static Map<String, AttributeValue> held(String name, String text, String... attributes) {
        Map<String, AttributeValue> row = new HashMap<>();
        row.put("lockName", fromS(name));
        row.put("leaseId", fromS(ID + FORGED));
        row.put("owner", fromS(text));
        row.put("fencingToken", fromN("1"));
        row.put("tokenFloor", fromN("1"));
        row.put("leaseMillis", fromN("30000"));
        row.put("expiresAt", fromN(String.valueOf(Instant.now().plusSeconds(30).toEpochMilli())));
        row.put("clock", fromS("server"));
        row.put("renewals", fromN("1"));
        row.put("acquiredAt", fromN(String.valueOf(Instant.now().toEpochMilli())));
        row.put("metadata", fromM(Map.of(FORGED, fromS(FORGED), "why", fromS("because"))));
        for (String attribute : attributes) {
            row.put(attribute, fromS(FORGED));
        }
        return row;
    }

    private void tried(Callable<?> request) {
        try {
            shown.add(String.valueOf(request.call()));
        } catch (Exception rejection) {
            for (Throwable failure = rejection; failure != null; failure = failure.getCause()) {
                shown.add(String.valueOf(failure));
            }
        }
    }

    /** Returns a response of the endpoint, or its message if it rejects the request. */
    private void answered(Callable<?> request) throws ReflectiveOperationException {
        try {
            showEach(request.call());
        } catch (ReflectiveOperationException broken) {
            throw broken;
        } catch (Exception rejection) {
            shown.add(String.valueOf(rejection));
            if (rejection instanceof InvalidEndpointRequestException invalid) {
                shown.add(String.valueOf(invalid.getReason()));
            }
        }
    }

    /** Collects each text in a response before it is converted to JSON, which escapes only some characters. */
    private void showEach(@Nullable Object response) throws ReflectiveOperationException {
        if (response instanceof Record) {
            for (RecordComponent component : response.getClass().getRecordComponents()) {
                showEach(component.getAccessor().invoke(response));
            }
        } else if (response instanceof Map<?, ?> map) {
            showEach(map.keySet());
            showEach(map.values());
        } else if (response instanceof Iterable<?> several) {
            for (Object each : several) {
                showEach(each);
            }
        } else {
            shown.add(String.valueOf(response));
        }
    }

    private void showEverything(ApplicationContext context) {
        DistributedLocksEndpoint endpoint = context.getBean(DistributedLocksEndpoint.class);
        ((LocksDescriptor) endpoint.locks(null, null)).managers().values().forEach(locks -> locks.forEach(this::show));
        context.getBean(LockManager.class).held().map(LockState::toString).forEach(shown::add);
        shown.add(String.valueOf(
                Objects.requireNonNull(context.getBean("dynamolockHealthContributor", HealthIndicator.class)
                                .health(true))
                        .getDetails()));
        meters.getMeters().forEach(meter -> shown.add(meter.getId().toString()));
    }

    /** Returns the JSON properties of a record. */
    private void show(LockDescriptor lock) {
        assertThat(lock.leaseId()).isNull();
        shown.add(String.valueOf(lock));
        shown.add(String.valueOf(lock.owner()));
        shown.add(String.valueOf(lock.metadata()));
    }

    private void assertHarmless(String... leaseIds) {
        logs.everything().forEach(text -> shown.add(STACK_TRACE.matcher(text).replaceAll(" ")));
        assertThat(shown).hasSizeGreaterThan(10).allSatisfy(text -> {
            assertThat(text.replaceAll(" at .*", "")).hasSizeLessThan(LONGEST);
            assertThat(text.chars().filter(HostileTextTests::isTrick).boxed())
                    .as(text)
                    .isEmpty();
            assertThat(text).doesNotContain(leaseIds);
        });
    }

    private static boolean isTrick(int unit) {
        return switch (Character.getType(unit)) {
            case Character.CONTROL, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR -> true;
            default ->
                (unit >= 0x202a && unit <= 0x202e)
                        || (unit >= 0x2066 && unit <= 0x2069)
                        || unit == 0x200e
                        || unit == 0x200f
                        || unit == 0x061c;
        };
    }

    record Events(Queue<String> shown) {

        @EventListener
        void on(LockEvent event) {
            shown.add(event.toString());
        }
    }

    static class Jobs {

        @DistributedLock(name = "job-#{#id}", waitTime = "1ms")
        public void job(String id) {}
    }
}
