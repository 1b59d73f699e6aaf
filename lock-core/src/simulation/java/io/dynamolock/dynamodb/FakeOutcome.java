/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import static java.util.stream.Collectors.toMap;
import static java.util.stream.Collectors.toSet;

import java.math.BigDecimal;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/**
 * What came of a request, without the wording: comparable between the simulated table and another.
 *
 * @param error the error's code; empty if there was none
 * @param item what the response or the rejection carried
 * @param reasons why a transaction was cancelled, with its items
 */
record FakeOutcome(String error, Object item, List<Object> reasons) {

    static FakeOutcome of(Map<String, AttributeValue> item) {
        return new FakeOutcome("", plain(item), List.of());
    }

    static FakeOutcome of(DynamoDbException failure) {
        String code = failure.awsErrorDetails().errorCode();
        if (failure instanceof ConditionalCheckFailedException rejected) {
            return new FakeOutcome(code, plain(rejected.item()), List.of());
        }
        if (failure instanceof TransactionCanceledException cancelled) {
            List<Object> reasons = cancelled.cancellationReasons().stream()
                    .map(FakeOutcome::plain)
                    .toList();
            return new FakeOutcome(code, Map.of(), reasons);
        }
        return new FakeOutcome(code, Map.of(), List.of());
    }

    private static Object plain(CancellationReason reason) {
        return List.of(reason.code(), plain(reason.item()));
    }

    /** Without the order of sets; not by the simulated table's own notion of equality. */
    static Object plain(Map<String, AttributeValue> item) {
        return item.entrySet().stream().collect(toMap(Map.Entry::getKey, entry -> plain(entry.getValue())));
    }

    private static Object plain(AttributeValue value) {
        return List.of(value.type(), content(value));
    }

    private static Object content(AttributeValue value) {
        return switch (value.type()) {
            case S -> value.s();
            case N -> number(value.n());
            case BOOL -> value.bool();
            case NUL -> value.nul();
            case SS -> new HashSet<>(value.ss());
            case NS -> value.ns().stream().map(FakeOutcome::number).collect(toSet());
            case BS -> new HashSet<>(value.bs());
            case L -> value.l().stream().map(FakeOutcome::plain).toList();
            case M -> plain(value.m());
            default -> value.b();
        };
    }

    /** DynamoDB keeps numbers without needless digits; DynamoDB Local keeps those of an update as they were sent. */
    private static BigDecimal number(String digits) {
        return new BigDecimal(digits).stripTrailingZeros();
    }
}
