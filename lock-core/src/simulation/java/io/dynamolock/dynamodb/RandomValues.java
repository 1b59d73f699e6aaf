/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromB;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromBool;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromL;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromM;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromN;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromNs;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromNul;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromS;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromSs;

import io.dynamolock.LeaseTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;

/** Random values from small sets, so that they are often equal. */
final class RandomValues {

    private static final Instant START = Instant.parse("2100-01-01T12:00:00.123Z");
    private static final List<AttributeValue> NUMBERS = List.of(
                    "0",
                    "1",
                    "2",
                    "3",
                    "10",
                    "-1",
                    "-10",
                    "1.5",
                    "2.0",
                    "007",
                    "1e3",
                    "4102488000123",
                    "90071992547409931234")
            .stream()
            .map(AttributeValue::fromN)
            .toList();
    private static final List<AttributeValue> OTHERS = List.of(
            fromS(""),
            fromS("1"),
            fromS("2"),
            fromS("10"),
            fromS("D"),
            fromS("lease-1"),
            fromS("\uD83D\uDD12"),
            fromS("\uFF5E"),
            fromBool(true),
            fromBool(false),
            fromNul(true),
            fromB(SdkBytes.fromUtf8String("1")),
            fromB(SdkBytes.fromByteArray(new byte[] {(byte) 0x80})),
            fromSs(List.of("a", "b")),
            fromSs(List.of("b", "a")),
            fromNs(List.of("1", "2.0")),
            fromNs(List.of("2", "1")),
            fromL(List.of(fromN("1"), fromS("x"))),
            fromL(List.of()),
            fromM(Map.of("job", fromS("42"))),
            fromM(Map.of("job", fromN("42.0"))),
            fromM(Map.of()));

    private final Random random;

    RandomValues(Random random) {
        this.random = random;
    }

    <T> T oneOf(List<T> all) {
        return all.get(random.nextInt(all.size()));
    }

    boolean inPercent(int percent) {
        return random.nextInt(100) < percent;
    }

    int below(int bound) {
        return random.nextInt(bound);
    }

    String name() {
        return "lock-" + below(4);
    }

    String leaseId() {
        return "lease-" + below(4);
    }

    Instant instant() {
        return START.plusMillis(below(6) * 500L);
    }

    Duration duration() {
        return Duration.ofMillis(1 + below(3)).plusNanos(below(2) * 1_000L);
    }

    LeaseTime clock() {
        return oneOf(List.of(LeaseTime.values()));
    }

    Map<String, String> metadata() {
        return inPercent(60) ? Map.of() : Map.of("job", "42", "note", "");
    }

    /** Whether a rejection is to carry the row. */
    ReturnValuesOnConditionCheckFailure onFailure() {
        return inPercent(70) ? ReturnValuesOnConditionCheckFailure.ALL_OLD : ReturnValuesOnConditionCheckFailure.NONE;
    }

    /** Of any type, most often a number. */
    AttributeValue any() {
        return oneOf(inPercent(50) ? NUMBERS : OTHERS);
    }
}
