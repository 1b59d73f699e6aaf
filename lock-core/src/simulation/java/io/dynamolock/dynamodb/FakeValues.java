/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** How DynamoDB checks, keeps and compares values. */
final class FakeValues {

    private FakeValues() {}

    /** The value as it is kept: numbers without needless digits. Rejects what is none. */
    static AttributeValue kept(AttributeValue value) {
        return switch (value.type()) {
            case N -> number(value);
            case M -> AttributeValue.fromM(keptAll(value.m()));
            case L ->
                AttributeValue.fromL(value.l().stream().map(FakeValues::kept).toList());
            case SS -> AttributeValue.fromSs(distinct(value.ss()));
            case NS ->
                AttributeValue.fromNs(
                        distinct(value.ns().stream().map(FakeNumbers::kept).toList()));
            case BS -> AttributeValue.fromBs(distinct(value.bs()));
            case NUL -> nothing(value);
            case S, B, BOOL -> value;
            default ->
                throw FakeErrors.validation(
                        "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes");
        };
    }

    static Map<String, AttributeValue> keptAll(Map<String, AttributeValue> values) {
        Map<String, AttributeValue> kept = new HashMap<>(values.size() * 2);
        values.forEach((name, value) -> kept.put(name, kept(value)));
        return kept;
    }

    private static AttributeValue number(AttributeValue value) {
        String kept = FakeNumbers.kept(value.n());
        return kept.equals(value.n()) ? value : AttributeValue.fromN(kept);
    }

    private static AttributeValue nothing(AttributeValue value) {
        if (!value.nul()) {
            throw FakeErrors.validation("Null attribute value types must have the value of true");
        }
        return value;
    }

    private static <T> List<T> distinct(List<T> members) {
        if (members.isEmpty()) {
            throw FakeErrors.validation("An set may not be empty");
        }
        if (new HashSet<>(members).size() < members.size()) {
            throw FakeErrors.validation("Input collection contains duplicates");
        }
        return members;
    }

    /** For kept values. */
    static boolean equal(AttributeValue a, AttributeValue b) {
        if (a.type() != b.type()) {
            return false;
        }
        return switch (a.type()) {
            case S -> a.s().equals(b.s());
            case N -> a.n().equals(b.n());
            case SS -> new HashSet<>(a.ss()).equals(new HashSet<>(b.ss()));
            case NS -> new HashSet<>(a.ns()).equals(new HashSet<>(b.ns()));
            case BS -> new HashSet<>(a.bs()).equals(new HashSet<>(b.bs()));
            case L -> equal(a.l(), b.l());
            case M -> equal(a.m(), b.m());
            default -> a.equals(b);
        };
    }

    private static boolean equal(List<AttributeValue> a, List<AttributeValue> b) {
        if (a.size() != b.size()) {
            return false;
        }
        for (int i = 0; i < a.size(); i++) {
            if (!equal(a.get(i), b.get(i))) {
                return false;
            }
        }
        return true;
    }

    static boolean equal(Map<String, AttributeValue> a, Map<String, AttributeValue> b) {
        if (a.size() != b.size()) {
            return false;
        }
        for (Map.Entry<String, AttributeValue> entry : a.entrySet()) {
            AttributeValue other = b.get(entry.getKey());
            if (other == null || !equal(entry.getValue(), other)) {
                return false;
            }
        }
        return true;
    }

    /** Only these are smaller or greater than others of their type. */
    static boolean isOrdered(AttributeValue value) {
        return switch (value.type()) {
            case S, N, B -> true;
            default -> false;
        };
    }

    /** For kept values of one ordered type. */
    static int compare(AttributeValue a, AttributeValue b) {
        return switch (a.type()) {
            case N -> FakeNumbers.compare(a.n(), b.n());
            case S -> Arrays.compareUnsigned(a.s().getBytes(UTF_8), b.s().getBytes(UTF_8));
            default -> Arrays.compareUnsigned(a.b().asByteArrayUnsafe(), b.b().asByteArrayUnsafe());
        };
    }

    static AttributeValue sum(AttributeValue a, AttributeValue b, boolean minus) {
        BigDecimal right = new BigDecimal(b.n());
        BigDecimal sum = new BigDecimal(a.n()).add(minus ? right.negate() : right);
        return AttributeValue.fromN(FakeNumbers.kept(sum.toString()));
    }

    /** As {@code attribute_type} calls it. */
    static String typeCode(AttributeValue value) {
        return value.type() == AttributeValue.Type.NUL ? "NULL" : value.type().name();
    }
}
