/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromS;

import io.dynamolock.dynamodb.DynamoDbLockStore;
import io.dynamolock.dynamodb.FakeDynamoDb;
import io.dynamolock.dynamodb.FakeTable;
import io.dynamolock.dynamodb.RandomRows;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Untrusted rows and lease tokens: whatever their contents, a lock becomes available in the end. */
@ExtendWith(WithoutWarnings.class)
class UntrustedRowsTests {

    private static final String HOSTILE = "ab/ '\"\n\u0000\u001b\u202e\u2028#{}$%";
    private static final Duration LEASE = Duration.ofSeconds(30);

    private final FakeTable table = new FakeTable("locks", "lockName", null);
    private final ManualTime time = new ManualTime();
    private final RandomRows rows = new RandomRows(4711, time::millis);
    private final DynamoDbLockStore store = DynamoDbLockStore.builder(new FakeDynamoDb(table))
            .tableName("locks")
            .partitionKey("lockName")
            .build();
    private final LockManager locks = locks(LeaseTime.SYSTEM);

    private LockManager locks(LeaseTime leaseTime) {
        return LockManager.builder(store)
                .settings(LockSettings.builder()
                        .leaseDuration(LEASE)
                        .time(leaseTime)
                        .maxLeaseDuration(Duration.ofHours(1))
                        .shutdownGrace(Duration.ZERO)
                        .build())
                .clock(time)
                .nanoTime(time::nanos)
                .build();
    }

    @AfterEach
    void close() {
        locks.close();
    }

    @ParameterizedTest
    @EnumSource(names = {"SYSTEM", "OBSERVED"})
    @Tag("scaled")
    void everyLockBecomesAvailableAfterLeaseOrByOperator(LeaseTime leaseTime) {
        try (LockManager judged = locks(leaseTime)) {
            play(judged, (int) Scale.of(1_000, 5_000));
        }
        assertThat(live).isGreaterThan(5);
    }

    @Test
    @Tag("proof")
    void hundredThousandRowsLeaveNothingInMemory() throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx" + LittleMemory.MEGABYTES + "m",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        LittleMemory.class.getName())
                .redirectErrorStream(true)
                .start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(process.waitFor()).as(printed).isZero();
    }

    /** Main class of a separate JVM, so that other tests do not affect memory. */
    static final class LittleMemory {

        /** Enough for the bounded memory of recent names, too little for a hundred thousand names. */
        static final int MEGABYTES = 32;

        private LittleMemory() {}

        public static void main(String[] args) {
            UntrustedRowsTests tests = new UntrustedRowsTests();
            WithoutWarnings.silence();
            tests.play(tests.locks, 100_000);
            tests.glanceAt(100_000);
            tests.close();
        }
    }

    /** Rows that reject one acquire each. */
    private void glanceAt(int count) {
        for (int i = 0; i < count; i++) {
            String name = "glanced-at-" + i;
            Map<String, AttributeValue> item = rows.next();
            item.put("lockName", fromS(name));
            table.put(item);
            locks.inspect(name);
            tryAcquire(locks, name).ifPresent(Lease::release);
            table.delete(Map.of("lockName", fromS(name)));
        }
    }

    private int played;
    private int live;

    private void play(LockManager judged, int count) {
        for (int i = 0; i < count; i++) {
            String name = "job-" + played++;
            Map<String, AttributeValue> item = rows.next();
            item.put("lockName", fromS(name));
            table.put(item);
            try {
                judge(judged, name, table.item(Map.of("lockName", fromS(name))));
            } catch (RuntimeException | AssertionError broken) {
                throw new AssertionError(
                        "Row %d: %s; now %s"
                                .formatted(i, shown(item), shown(table.item(Map.of("lockName", fromS(name))))),
                        broken);
            } finally {
                table.delete(Map.of("lockName", fromS(name)));
            }
        }
    }

    private static Map<String, String> shown(Map<String, AttributeValue> item) {
        Map<String, String> shown = new TreeMap<>();
        item.forEach((attribute, value) -> shown.put(attribute, Texts.shown(value.toString())));
        return shown;
    }

    private void judge(LockManager judged, String name, Map<String, AttributeValue> item) {
        LockRow row = Node.row(store, name);
        assertThat(judged.inspect(name).name()).isEqualTo(name);
        resume(name, item);
        row = row.detached() ? Node.row(store, name) : row;
        Optional<Lease> lease = tryAcquire(judged, name);
        if (isLive(row)) {
            live++;
            assertThat(lease).isEmpty();
        }
        if (lease.isEmpty()) {
            time.pass(Duration.ofMinutes(3));
            lease = tryAcquire(judged, name);
        }
        if (lease.isEmpty()) {
            assertThat(row.isClosed() || !row.isRecognizable()).isTrue();
            lease = byAnOperator(judged, name, item);
        }
        lease.ifPresent(had -> assertThat(had.release()).isEqualTo(ReleaseOutcome.RELEASED));
    }

    /** Returns whether the holder is valid, whatever else is wrong with the row. */
    private boolean isLive(LockRow row) {
        return row.leaseId() != null
                && row.expiresAt() != null
                && row.clock() == LeaseTime.SYSTEM
                && row.expiresAt().isAfter(time.instant().plusSeconds(2));
    }

    private static Optional<Lease> tryAcquire(LockManager judged, String name) {
        try {
            return judged.tryAcquire(LockRequest.of(name).autoRenew(false));
        } catch (LockStoreException closed) {
            assertThat(closed).hasMessageContaining("forceFree");
            return Optional.empty();
        } catch (InterruptedException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** Except for a later format, which only its holder can release. */
    private Optional<Lease> byAnOperator(LockManager judged, String name, Map<String, AttributeValue> item) {
        try {
            judged.forceFree(name);
        } catch (IllegalStateException later) {
            assertThat(table.item(Map.of("lockName", fromS(name))))
                    .isEqualTo(item)
                    .containsKey("format");
            return Optional.empty();
        }
        Optional<Lease> lease = tryAcquire(judged, name);
        assertThat(lease).isPresent();
        return lease;
    }

    /** Any reader of the row may have built a token of its lease id. */
    private void resume(String name, Map<String, AttributeValue> item) {
        AttributeValue leaseId = item.get("leaseId");
        String id = leaseId == null || leaseId.s() == null ? "none" : leaseId.s();
        if (id.getBytes(StandardCharsets.UTF_8).length < 1_000) {
            resume(LeaseToken.of(store.describe(), name, id, null));
        }
    }

    private void resume(LeaseToken token) {
        try {
            locks.resume(token).release();
        } catch (LeaseLostException | LockStoreException | IllegalArgumentException documented) {
            if (token.leaseId().length() > 5) {
                assertThat(documented).hasMessageNotContaining(token.leaseId());
            }
        } catch (IllegalStateException notDetached) {
            assertThat(notDetached).hasMessageContaining("not detached");
        }
    }

    @Test
    @Tag("scaled")
    void editedTokensAffectNoOtherLock() {
        Lease bystander = locks.tryAcquire("other").orElseThrow();
        Random random = new Random(42);
        String text = LeaseToken.of(store.describe(), "job", "an-id", null).asText();
        long each = Scale.of(5_000, 50_000);
        for (int i = 0; i < each; i++) {
            resume(random(random, "ABCxyz019-_.=+", 120));
            resume(LeaseToken.of(
                    random.nextBoolean() ? store.describe() : random(random, HOSTILE, 20),
                    random(random, HOSTILE, 20) + "job",
                    random(random, HOSTILE, 20) + "an-id",
                    random.nextBoolean() ? null : new TokenKey("0123456789abcdef0123456789abcdef")));
        }
        for (int i = 0; i < each; i++) {
            StringBuilder edited = new StringBuilder(text);
            for (int edits = 1 + random.nextInt(3); edits > 0; edits--) {
                edited.setCharAt(random.nextInt(edited.length()), (char) (' ' + random.nextInt(95)));
            }
            resume(edited.toString());
        }
        Map<String, String> forged = new HashMap<>();
        forged.put("other", bystander.id());
        forged.put("other\n", bystander.id());
        forged.put("\u202eother", bystander.id());
        forged.forEach((name, id) -> resume(LeaseToken.of(store.describe(), name, id, null)));

        bystander.renew();
        assertThat(bystander.release()).isEqualTo(ReleaseOutcome.RELEASED);
    }

    private static String random(Random random, String letters, int longest) {
        return random.ints(random.nextInt(longest), 0, letters.length())
                .mapToObj(i -> letters.substring(i, i + 1))
                .collect(Collectors.joining());
    }

    private void resume(String text) {
        LeaseToken token;
        try {
            token = LeaseToken.parse(text);
        } catch (IllegalArgumentException rejected) {
            return;
        }
        resume(token);
    }
}
