/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromBool;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromM;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromN;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromNul;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromS;

import io.dynamolock.LastHold;
import io.dynamolock.LeaseTime;
import io.dynamolock.LockRow;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

class LockRowMapperTests {

    @Test
    void readsEveryAttribute() {
        Map<String, AttributeValue> item = new HashMap<>();
        item.put("lockName", fromS("job"));
        item.put("leaseId", fromS("lease"));
        item.put("owner", fromS("me"));
        item.put("fencingToken", fromN("7"));
        item.put("tokenFloor", fromN("8"));
        item.put("leaseMillis", fromN("30000"));
        item.put("expiresAt", fromN("1000"));
        item.put("clock", fromS("D"));
        item.put("renewals", fromN("3"));
        item.put("acquiredAt", fromN("1"));
        item.put("metadata", fromM(Map.of("a", fromS("b"))));
        item.put("revoked", fromBool(true));
        item.put("lastLeaseId", fromS("last"));
        item.put("lastOwner", fromS("you"));
        item.put("lastEndedAt", fromN("2"));
        item.put("lastHeldMillis", fromN("5"));
        item.put("lastFailed", fromBool(true));
        item.put("ttl", fromN("4"));

        LockRow row = LockRowMapper.row(item);

        assertThat(row)
                .isEqualTo(LockRow.builder()
                        .leaseId("lease")
                        .owner("me")
                        .fencingToken(7L)
                        .tokenFloor(8L)
                        .leaseDuration(Duration.ofSeconds(30))
                        .expiresAt(Instant.ofEpochSecond(1))
                        .clock(LeaseTime.SERVER)
                        .renewals(3L)
                        .acquiredAt(Instant.ofEpochMilli(1))
                        .metadata(Map.of("a", "b"))
                        .revoked(true)
                        .lastLeaseId("last")
                        .lastHold(new LastHold("you", Instant.ofEpochMilli(2), Duration.ofMillis(5), true))
                        .build());
    }

    @Test
    void missingAttributeIsNull() {
        LockRow row = LockRowMapper.row(Map.of("lockName", fromS("job")));

        assertThat(row).isEqualTo(LockRow.builder().build());
    }

    @Test
    void attributeOfWrongTypeIsNullAndNamed() {
        Map<String, AttributeValue> item = new HashMap<>();
        for (String attribute : LockRowMapper.ATTRIBUTES) {
            item.put(attribute, fromNul(true));
        }

        LockRow row = LockRowMapper.row(item);

        Set<String> typed = new HashSet<>(LockRowMapper.ATTRIBUTES);
        typed.removeAll(Set.of("detached", "format"));
        assertThat(row.defects()).containsExactlyInAnyOrderElementsOf(typed);
        assertThat(row.leaseId()).isNull();
        assertThat(row.fencingToken()).isNull();
        assertThat(row.clock()).isNull();
        assertThat(row.metadata()).isEmpty();
    }

    @Test
    void stringsAndNumbersAreNotConverted() {
        LockRow row = LockRowMapper.row(Map.of("fencingToken", fromS("7"), "leaseId", fromN("7")));

        assertThat(row.fencingToken()).isNull();
        assertThat(row.leaseId()).isNull();
        assertThat(row.defects()).containsExactlyInAnyOrder("fencingToken", "leaseId");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.5", "9223372036854775808", "1E+30", "", "seven"})
    void numberOutsideLongIsNullAndNamed(String number) {
        LockRow row = LockRowMapper.row(Map.of("expiresAt", fromN(number), "renewals", fromN(number)));

        assertThat(row.expiresAt()).isNull();
        assertThat(row.renewals()).isNull();
        assertThat(row.defects()).containsExactlyInAnyOrder("expiresAt", "renewals");
    }

    @Test
    void largestNumbersAreRead() {
        String largest = Long.toString((1L << 53) - 1);
        String longest = Long.toString(Duration.ofDays(366).toMillis());

        LockRow row = LockRowMapper.row(
                Map.of("expiresAt", fromN(largest), "leaseMillis", fromN(longest), "fencingToken", fromN(largest)));

        assertThat(row.expiresAt()).isEqualTo(Instant.ofEpochMilli((1L << 53) - 1));
        assertThat(row.leaseDuration()).isEqualTo(Duration.ofDays(366));
        assertThat(row.fencingToken()).isEqualTo((1L << 53) - 1);
        assertThat(row.defects()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "9007199254740992", "9223372036854775807", "-9223372036854775808", "1E+125", "0.5"})
    void numberNotExactInJsonIsNullAndNamed(String number) {
        LockRow row = LockRowMapper.row(Map.of(
                "tokenFloor", fromN(number),
                "fencingToken", fromN(number),
                "leaseMillis", fromN(number),
                "expiresAt", fromN(number),
                "renewals", fromN(number)));

        assertThat(row.defects())
                .containsExactlyInAnyOrder("tokenFloor", "fencingToken", "leaseMillis", "expiresAt", "renewals");
        assertThat(row.fencingToken()).isNull();
    }

    @ParameterizedTest
    @CsvSource({
        "-1, 0",
        "0.5, 1",
        "41.9, 42",
        "9007199254740992, 9007199254740991",
        "1E+125, 9007199254740991",
        "-1E+125, 0",
        "1E-130, 1",
        "seven, 9007199254740991"
    })
    void floorMatchesConditionSemantics(String number, long floor) {
        LockRow row = LockRowMapper.row(Map.of("tokenFloor", fromN(number)));

        assertThat(row.tokenFloor()).isEqualTo(floor);
        assertThat(row.defects()).containsExactly("tokenFloor");
    }

    @Test
    void floorOfWrongTypeBlocksEveryToken() {
        assertThat(LockRowMapper.row(Map.of("tokenFloor", fromS("5"))).tokenFloor())
                .isEqualTo((1L << 53) - 1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\u202eb", "a b", "a\nb", "\u00e4"})
    void foreignIdIsNullAndNamed(String id) {
        LockRow row = LockRowMapper.row(Map.of("leaseId", fromS(id), "lastLeaseId", fromS(id)));

        assertThat(row.leaseId()).isNull();
        assertThat(row.isFree()).isFalse();
        assertThat(row.defects()).contains("leaseId", "lastLeaseId");
    }

    @Test
    void rowOfLaterFormatShowsOnlyItsOwner() {
        LockRow row = LockRowMapper.row(
                Map.of("format", fromN("2"), "leaseId", fromS("a"), "owner", fromS("them"), "tokenFloor", fromN("5")));

        assertThat(row.laterFormat()).isTrue();
        assertThat(row.isFree()).isFalse();
        assertThat(row.owner()).isEqualTo("them");
        assertThat(row.leaseId()).isNull();
        assertThat(row.highestToken()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "0", "-3", "0.9"})
    void rowOfCurrentOrEarlierFormatIsRead(String format) {
        LockRow row = LockRowMapper.row(Map.of("format", fromN(format), "leaseId", fromS("a")));

        assertThat(row.laterFormat()).isFalse();
        assertThat(row.leaseId()).isEqualTo("a");
    }

    @Test
    void displayOnlyTextIsEscapedAndTruncated() {
        LockRow row = LockRowMapper.row(Map.of(
                "leaseId", fromS("a"),
                "owner", fromS("me'\n2026 ERROR forged \u001b[2K" + "x".repeat(400_000)),
                "metadata", fromM(Map.of("key", fromS("a\rb"), "large", fromS("y".repeat(390_000))))));

        assertThat(row.owner()).startsWith("me'\\u000a2026").hasSizeLessThan(300);
        assertThat(row.metadata()).containsExactly(Map.entry("key", "a\\u000db"));
    }

    @Test
    void tooLongIdsAreNull() {
        LockRow row =
                LockRowMapper.row(Map.of("leaseId", fromS("a".repeat(300_000)), "lastLeaseId", fromS("b".repeat(129))));

        assertThat(row.isFree()).isFalse();
        assertThat(row.leaseId()).isNull();
        assertThat(row.stamp()).isNull();
        assertThat(row.defects()).contains("leaseId", "lastLeaseId");
    }

    @Test
    void negativeLeaseDurationIsNullAndNamed() {
        LockRow row = LockRowMapper.row(Map.of("leaseMillis", fromN("-1")));

        assertThat(row.leaseDuration()).isNull();
        assertThat(row.defects()).containsExactly("leaseMillis");
    }

    @Test
    void clockOfLaterVersionIsUnknownButValid() {
        LockRow row = LockRowMapper.row(Map.of("clock", fromS("X")));

        assertThat(row.clock()).isNull();
        assertThat(row.defects()).isEmpty();
    }

    @Test
    void metadataOfWrongTypeIsSkippedAndNamed() {
        LockRow row = LockRowMapper.row(Map.of("metadata", fromM(Map.of("text", fromS("a"), "number", fromN("1")))));

        assertThat(row.metadata()).containsExactly(Map.entry("text", "a"));
        assertThat(row.defects()).containsExactly("metadata");
    }

    @Test
    void revocationMarkCountsWithAnyValue() {
        LockRow sayingFalse = LockRowMapper.row(Map.of("revoked", fromBool(false)));
        LockRow sayingText = LockRowMapper.row(Map.of("revoked", fromS("no")));

        assertThat(sayingFalse.revoked()).isTrue();
        assertThat(sayingFalse.defects()).isEmpty();
        assertThat(sayingText.revoked()).isTrue();
        assertThat(sayingText.defects()).containsExactly("revoked");
    }
}
