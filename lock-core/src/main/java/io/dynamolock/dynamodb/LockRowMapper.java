/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import io.dynamolock.LastHold;
import io.dynamolock.LeaseTime;
import io.dynamolock.LockRow;
import io.dynamolock.LockStore;
import io.dynamolock.LockWrite.Rest;
import io.dynamolock.TurnClaim;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Maps an item to a row. An attribute that is missing, or that this version does not write in this form, becomes null,
 * and is listed among the defects unless it may be missing; no item makes the mapping fail.
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
    static final String LAST_OWNER = "lastOwner";
    static final String LAST_ENDED_AT = "lastEndedAt";
    static final String LAST_HELD_MILLIS = "lastHeldMillis";
    static final String LAST_FAILED = "lastFailed";
    static final String DETACHED = "detached";
    static final String CLAIM = "claim";
    static final String FORMAT = "format";

    /** The attributes whose names cannot be configured. */
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
            LAST_LEASE_ID,
            LAST_OWNER,
            LAST_ENDED_AT,
            LAST_HELD_MILLIS,
            LAST_FAILED,
            DETACHED,
            CLAIM,
            FORMAT);

    /** Ids of this library are shorter; longer ones are not worth remembering. */
    private static final int LONGEST_ID = 128;

    /** The longest lease duration plus the longest lock delay. */
    private static final Duration LONGEST_LEASE = Duration.ofDays(366);

    /** The longest time that a lock can stay taken without a holder, plus the longest lock delay. */
    private static final Duration LONGEST_REST = Duration.ofDays(36_501);

    private static final BigDecimal HIGHEST = BigDecimal.valueOf(LockRow.HIGHEST_TOKEN);

    /** The attributes that every acquisition writes. */
    private static final List<String> OF_A_HOLDER =
            List.of(OWNER, FENCING_TOKEN, TOKEN_FLOOR, LEASE_MILLIS, EXPIRES_AT, CLOCK, RENEWALS, ACQUIRED_AT);

    private final Map<String, AttributeValue> item;
    private final List<String> defects = new ArrayList<>(0);

    private LockRowMapper(Map<String, AttributeValue> item) {
        this.item = item;
    }

    static LockRow row(Map<String, AttributeValue> item) {
        return new LockRowMapper(item).row(Stamp::ofSmall);
    }

    /** Maps an item with a stamp of any size, because this row is not remembered. */
    static LockRow rowToFree(Map<String, AttributeValue> item) {
        return new LockRowMapper(item).row(Stamp::of);
    }

    private LockRow row(Function<Map<String, AttributeValue>, @Nullable Stamp> stamp) {
        if (isOfLaterFormat()) {
            return LockRow.builder().owner(text(OWNER)).laterFormat(true).build();
        }
        AttributeValue holder = item.get(LEASE_ID);
        if (holder != null && holder.s() != null) {
            OF_A_HOLDER.stream().filter(name -> !item.containsKey(name)).forEach(defects::add);
        }
        return LockRow.builder()
                .leaseId(id(LEASE_ID))
                .owner(text(OWNER))
                .fencingToken(number(FENCING_TOKEN))
                .tokenFloor(floor())
                .leaseDuration(duration(LEASE_MILLIS, isAtRest() ? LONGEST_REST : LONGEST_LEASE))
                .expiresAt(instant(EXPIRES_AT))
                .clock(clock())
                .renewals(number(RENEWALS))
                .acquiredAt(instant(ACQUIRED_AT))
                .metadata(metadata())
                .revoked(revoked())
                .lastLeaseId(id(LAST_LEASE_ID))
                .lastHold(lastHold())
                .defects(defects)
                .detached(item.containsKey(DETACHED))
                .claim(claim())
                .stamp(isCorrupt() ? stamp.apply(item) : null)
                .build();
    }

    /** Whether the lease id is not a valid text, or the renewal number not a valid number. */
    private boolean isCorrupt() {
        return defects.contains(LEASE_ID) || defects.contains(RENEWALS);
    }

    private boolean isOfLaterFormat() {
        AttributeValue format = item.get(FORMAT);
        return format != null
                && format.n() != null
                && new BigDecimal(format.n()).compareTo(BigDecimal.valueOf(LockStore.FORMAT)) > 0;
    }

    private @Nullable String id(String name) {
        String id = text(name);
        if (id != null && !isPlausibleId(id)) {
            defects.add(name);
            return null;
        }
        return id;
    }

    private @Nullable TurnClaim claim() {
        String text = text(CLAIM);
        return text == null ? null : new TurnClaim(text);
    }

    private static boolean isPlausibleId(String id) {
        return id.length() <= LONGEST_ID && id.chars().allMatch(unit -> unit > ' ' && unit < 0x7f);
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
        Long number = whole(value.n());
        if (number == null || number < 0 || number > LockRow.HIGHEST_TOKEN) {
            defects.add(name);
            return null;
        }
        return number;
    }

    /**
     * The floor as the conditions see it: they compare numbers of any kind, and no comparison with another type holds.
     */
    private @Nullable Long floor() {
        AttributeValue value = item.get(TOKEN_FLOOR);
        Long floor = number(TOKEN_FLOOR);
        if (value == null || floor != null) {
            return floor;
        }
        try {
            BigDecimal atLeast = value.n() == null ? HIGHEST : new BigDecimal(value.n());
            return atLeast.max(BigDecimal.ZERO)
                    .min(HIGHEST)
                    .setScale(0, RoundingMode.CEILING)
                    .longValueExact();
        } catch (NumberFormatException noNumber) {
            return LockRow.HIGHEST_TOKEN;
        }
    }

    private static @Nullable Long whole(@Nullable String number) {
        try {
            return number == null ? null : (Long) new BigDecimal(number).longValueExact();
        } catch (ArithmeticException | NumberFormatException notWholeOrTooLarge) {
            return null;
        }
    }

    private @Nullable Duration duration(String name, Duration longest) {
        Long millis = number(name);
        if (millis != null && millis > longest.toMillis()) {
            defects.add(name);
            return null;
        }
        return millis == null ? null : Duration.ofMillis(millis);
    }

    /** Whether the lock stays taken without a holder. */
    private boolean isAtRest() {
        AttributeValue renewals = item.get(RENEWALS);
        Long number = renewals == null ? null : whole(renewals.n());
        return number != null && number >= Rest.FIRST && number <= Rest.LAST;
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

    /** The conditions check whether the attribute exists, not its value. */
    private boolean revoked() {
        AttributeValue value = item.get(REVOKED);
        if (value != null && value.bool() == null) {
            defects.add(REVOKED);
        }
        return value != null;
    }

    private @Nullable LastHold lastHold() {
        String owner = text(LAST_OWNER);
        Instant endedAt = instant(LAST_ENDED_AT);
        Duration held = duration(LAST_HELD_MILLIS, LONGEST_REST);
        AttributeValue failed = item.get(LAST_FAILED);
        if (failed != null && failed.bool() == null) {
            defects.add(LAST_FAILED);
        }
        boolean hasFailed = failed != null && Boolean.TRUE.equals(failed.bool());
        return endedAt == null ? null : new LastHold(owner, endedAt, held, hasFailed);
    }
}
