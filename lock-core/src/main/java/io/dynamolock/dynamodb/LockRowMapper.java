/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import io.dynamolock.LeaseTime;
import io.dynamolock.LockRow;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Reads one item as a row. Whatever is missing, or is not what this version writes, is null, and named among the defects unless
 * it may be missing; an item never makes reading fail.
 */
final class LockRowMapper {

    static final String LEASE_ID = "leaseId";
    static final String OWNER = "owner";
    static final String FENCING_TOKEN = "fencingToken";
    static final String TOKEN_FLOOR = "tokenFloor";
    static final String LEASE_MILLIS = "leaseMillis";
    static final String EXPIRES_AT = "expiresAt";
    static final String CLOCK = "clock";
    static final String RENEWALS = "renewals";
    static final String ACQUIRED_AT = "acquiredAt";
    static final String METADATA = "metadata";
    static final String REVOKED = "revoked";
    static final String LAST_LEASE_ID = "lastLeaseId";

    /** The attributes whose names nobody chooses. */
    static final Set<String> ATTRIBUTES = Set.of(
            LEASE_ID,
            OWNER,
            FENCING_TOKEN,
            TOKEN_FLOOR,
            LEASE_MILLIS,
            EXPIRES_AT,
            CLOCK,
            RENEWALS,
            ACQUIRED_AT,
            METADATA,
            REVOKED,
            LAST_LEASE_ID);

    /** What every acquisition writes. */
    private static final List<String> OF_A_HOLDER =
            List.of(OWNER, FENCING_TOKEN, TOKEN_FLOOR, LEASE_MILLIS, EXPIRES_AT, CLOCK, RENEWALS, ACQUIRED_AT);

    private final Map<String, AttributeValue> item;
    private final List<String> defects = new ArrayList<>(0);

    private LockRowMapper(Map<String, AttributeValue> item) {
        this.item = item;
    }

    static LockRow row(Map<String, AttributeValue> item) {
        return new LockRowMapper(item).row();
    }

    private LockRow row() {
        AttributeValue holder = item.get(LEASE_ID);
        if (holder != null && holder.s() != null) {
            OF_A_HOLDER.stream().filter(name -> !item.containsKey(name)).forEach(defects::add);
        }
        return new LockRow(
                text(LEASE_ID),
                text(OWNER),
                number(FENCING_TOKEN),
                number(TOKEN_FLOOR),
                duration(LEASE_MILLIS),
                instant(EXPIRES_AT),
                clock(),
                number(RENEWALS),
                instant(ACQUIRED_AT),
                metadata(),
                revoked(),
                text(LAST_LEASE_ID),
                defects);
    }

    private @Nullable String text(String name) {
        AttributeValue value = item.get(name);
        if (value != null && value.s() == null) {
            defects.add(name);
        }
        return value == null ? null : value.s();
    }

    private @Nullable Long number(String name) {
        AttributeValue value = item.get(name);
        if (value == null) {
            return null;
        }
        try {
            return Long.valueOf(value.n());
        } catch (NumberFormatException noWholeNumberOrNone) {
            defects.add(name);
            return null;
        }
    }

    private @Nullable Duration duration(String name) {
        Long millis = number(name);
        if (millis != null && millis < 0) {
            defects.add(name);
        }
        return millis == null || millis < 0 ? null : Duration.ofMillis(millis);
    }

    private @Nullable Instant instant(String name) {
        Long millis = number(name);
        return millis == null ? null : Instant.ofEpochMilli(millis);
    }

    private @Nullable LeaseTime clock() {
        String code = text(CLOCK);
        return code == null ? null : LeaseTime.ofCode(code);
    }

    private Map<String, String> metadata() {
        AttributeValue value = item.get(METADATA);
        if (value == null) {
            return Map.of();
        }
        Map<String, String> texts = new HashMap<>();
        value.m().forEach((name, text) -> {
            if (text.s() != null) {
                texts.put(name, text.s());
            }
        });
        if (!value.hasM() || texts.size() < value.m().size()) {
            defects.add(METADATA);
        }
        return texts;
    }

    /** The conditions ask whether the attribute is there, not what it says. */
    private boolean revoked() {
        AttributeValue value = item.get(REVOKED);
        if (value != null && value.bool() == null) {
            defects.add(REVOKED);
        }
        return value != null;
    }
}
