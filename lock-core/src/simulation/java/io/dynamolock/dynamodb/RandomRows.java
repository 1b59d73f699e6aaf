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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Random items of an untrusted writer: each attribute is missing, valid, or arbitrary. */
public final class RandomRows {

    private static final List<String> NUMBERS = List.of(
            "0",
            "-1",
            "1",
            "1.5",
            "2.0",
            "1E125",
            "-9.9E125",
            "1E-130",
            "9007199254740991",
            "9007199254740990",
            "9007199254740992",
            "9223372036854775807",
            "9223372036854775806",
            "-9223372036854775808",
            "9223372036854775808",
            "99999999999999999999999999999999999999");
    private static final String LETTERS = "ab '\"\n\r\u0000\u001b\u202e\u2028\uD83D\uDD12{}#$";

    private final Random random;
    private final List<Map.Entry<String, Supplier<AttributeValue>>> attributes;

    /**
     * Creates rows that are the same for the same seed.
     *
     * @param seed the seed
     * @param nowMillis about when leases end
     */
    public RandomRows(long seed, LongSupplier nowMillis) {
        random = new Random(seed);
        Supplier<AttributeValue> moment =
                () -> fromN(Long.toString(nowMillis.getAsLong() + random.nextInt(120_000) - 60_000));
        Supplier<AttributeValue> token = () -> fromN(Long.toString(nowMillis.getAsLong() * 1024));
        attributes = List.of(
                Map.entry("leaseId", () -> fromS("lease-" + random.nextInt(1_000))),
                Map.entry("owner", () -> fromS("somebody")),
                Map.entry("fencingToken", token),
                Map.entry("tokenFloor", token),
                Map.entry("leaseMillis", () -> fromN(Integer.toString(1 + random.nextInt(60_000)))),
                Map.entry("expiresAt", moment),
                Map.entry(
                        "clock",
                        () -> fromS(List.of(LeaseTime.values())
                                .get(random.nextInt(3))
                                .code())),
                Map.entry("renewals", () -> fromN(Integer.toString(random.nextInt(100)))),
                Map.entry("acquiredAt", moment),
                Map.entry("metadata", () -> fromM(Map.of("ticket", fromS("42")))),
                Map.entry("revoked", () -> fromBool(true)),
                Map.entry("detached", () -> fromBool(true)),
                Map.entry(
                        "claim",
                        () -> fromS("%016d/%d/somebody".formatted(random.nextInt(100), random.nextInt(10_000)))),
                Map.entry("lastLeaseId", () -> fromS("lease-" + random.nextInt(1_000))),
                Map.entry("lastOwner", () -> fromS("somebody")),
                Map.entry("lastEndedAt", moment),
                Map.entry("lastHeldMillis", () -> fromN(Integer.toString(random.nextInt(100_000)))),
                Map.entry("lastFailed", () -> fromBool(random.nextBoolean())),
                Map.entry("format", () -> fromN(Integer.toString(random.nextInt(4)))),
                Map.entry("ttl", moment),
                Map.entry("note", () -> fromS("of no meaning")));
    }

    /**
     * Makes the next one.
     *
     * @return the item without its key
     */
    public Map<String, AttributeValue> next() {
        int missing = random.nextInt(60);
        int wild = random.nextInt(60);
        Map<String, AttributeValue> row = new HashMap<>();
        for (Map.Entry<String, Supplier<AttributeValue>> attribute : attributes) {
            int chance = random.nextInt(100);
            boolean rare = attribute.getKey().equals("format") && random.nextInt(4) > 0;
            if (chance >= missing && !rare) {
                AttributeValue usual = attribute.getValue().get();
                row.put(attribute.getKey(), chance < missing + wild ? anything(3) : usual);
            }
        }
        return row;
    }

    private AttributeValue anything(int depth) {
        return switch (random.nextInt(depth == 0 ? 6 : 10)) {
            case 0, 1 -> fromN(NUMBERS.get(random.nextInt(NUMBERS.size())));
            case 2 -> fromN(Long.toString(random.nextLong()));
            case 3 -> fromS(text());
            case 4 -> random.nextBoolean() ? fromBool(random.nextBoolean()) : fromNul(true);
            case 5 -> fromB(SdkBytes.fromUtf8String(text()));
            case 6 -> fromSs(List.of("a", "b" + text()));
            case 7 -> fromNs(List.of("1", "1E125"));
            case 8 -> fromL(List.of(anything(depth - 1), anything(depth - 1)));
            default -> fromM(Map.of("k" + text(), anything(depth - 1)));
        };
    }

    private String text() {
        int length = random.nextInt(100) == 0 ? random.nextInt(100_000) : random.nextInt(20);
        return random.ints(length, 0, LETTERS.length())
                .mapToObj(i -> String.valueOf(LETTERS.charAt(i)))
                .collect(Collectors.joining());
    }
}
