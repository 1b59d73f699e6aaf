/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromBool;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromM;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromN;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromS;

import io.dynamolock.LeaseTime;
import io.dynamolock.LockStore.Acquire;
import io.dynamolock.LockStore.FreeOrExpired;
import io.dynamolock.LockStore.Guard;
import io.dynamolock.LockStore.HeldBy;
import io.dynamolock.LockStore.RaiseFloor;
import io.dynamolock.LockStore.Release;
import io.dynamolock.LockStore.Renew;
import io.dynamolock.LockStore.Rest;
import io.dynamolock.LockStore.Unchanged;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/** Every write to a row, as one conditional request. */
final class LockExpressions {

    private static final String ABOVE_FLOOR = "(attribute_not_exists(#tokenFloor) OR #tokenFloor < :token)";
    private static final String HELD = "#leaseId = :leaseId";
    private static final String FREE = "attribute_not_exists(#leaseId)";
    private static final String EXPIRED = "(#expiresAt < :before AND #clock = :seenClock)";
    private static final String NOT_REVOKED = "attribute_not_exists(#revoked)";

    private static final String UNNUMBERED = "NOT attribute_type(#renewals, :numeric)";

    private static final String TAKE = "SET #leaseId = :leaseId, #owner = :owner, #fencingToken = :token,"
            + " #tokenFloor = :token, #leaseMillis = :leaseMillis, #expiresAt = :expiresAt, #clock = :clock,"
            + " #renewals = :renewals, #acquiredAt = :acquiredAt, #ttl = :ttl";
    private static final String WITH_METADATA = ", #metadata = :metadata REMOVE #revoked";
    private static final String WITHOUT_METADATA = " REMOVE #revoked, #metadata";
    private static final String KEEPING_METADATA = " REMOVE #revoked";
    private static final String PROLONG =
            "SET #expiresAt = :expiresAt, #clock = :clock, #leaseMillis = :leaseMillis, #renewals = :renewals, #ttl = :ttl";
    private static final String CLEAR = "SET #lastLeaseId = :leaseId, #ttl = :ttl REMOVE #leaseId, #owner, #expiresAt,"
            + " #leaseMillis, #clock, #renewals, #acquiredAt, #metadata, #revoked";
    private static final String RAISE_WITHOUT_TTL = "SET #tokenFloor = :token";
    private static final String RAISE = RAISE_WITHOUT_TTL + ", #ttl = if_not_exists(#ttl, :ttl)";

    private final TableLayout layout;
    private final Taking free;
    private final Taking freeOrExpired;
    private final Taking unchanged;
    private final Taking unnumbered;
    private final Taking heldBy;
    private final Dated renew;
    private final Dated release;
    private final Dated rest;
    private final Dated raiseFloor;
    private final UpdateTemplate revoke;

    LockExpressions(TableLayout layout) {
        this.layout = layout;
        this.free = new Taking(FREE);
        this.freeOrExpired = new Taking("(" + FREE + " OR " + EXPIRED + ")");
        this.unchanged = new Taking("(" + FREE + " OR (#leaseId = :seenId AND #renewals = :seenRenewals))");
        this.unnumbered = new Taking("(" + FREE + " OR (#leaseId = :seenId AND " + UNNUMBERED + "))");
        this.heldBy = new Taking("#leaseId = :seenId AND " + NOT_REVOKED, KEEPING_METADATA);
        this.renew = dated(PROLONG, HELD + " AND #renewals < :renewals AND " + NOT_REVOKED, ReturnValue.NONE);
        this.release = dated(CLEAR, HELD, ReturnValue.NONE);
        this.rest = dated(PROLONG + ", #lastLeaseId = :leaseId", HELD, ReturnValue.NONE);
        this.raiseFloor = dated(RAISE, ABOVE_FLOOR + " AND (" + FREE + " OR #leaseId <> :leaseId)", ReturnValue.NONE);
        this.revoke = new UpdateTemplate(layout, "SET #revoked = :true", HELD, ReturnValue.NONE);
    }

    UpdateItemRequest.Builder acquire(Acquire write) {
        Map<String, AttributeValue> values = new HashMap<>(32);
        Taking taking = guard(write.onlyIf(), values);
        values.put(":leaseId", fromS(write.leaseId()));
        values.put(":owner", fromS(write.owner()));
        values.put(":token", number(write.token()));
        values.put(":renewals", number(0));
        values.put(":acquiredAt", millis(write.acquiredAt()));
        putEnd(values, write.leaseDuration(), write.expiresAt(), write.clock());
        putTtl(values, write.storeEnd());
        if (write.metadata().isEmpty()) {
            return taking.plain.request(layout.key(write.name()), values);
        }
        Map<String, AttributeValue> metadata = new HashMap<>();
        write.metadata().forEach((name, text) -> metadata.put(name, fromS(text)));
        values.put(":metadata", fromM(metadata));
        return taking.withMetadata.request(layout.key(write.name()), values);
    }

    private Taking guard(Guard guard, Map<String, AttributeValue> values) {
        if (guard instanceof FreeOrExpired expired) {
            values.put(":before", millis(expired.before()));
            values.put(":seenClock", fromS(expired.clock().code()));
            return freeOrExpired;
        }
        if (guard instanceof Unchanged seen) {
            values.put(":seenId", fromS(seen.leaseId()));
            if (seen.renewals() == null) {
                values.put(":numeric", fromS("N"));
                return unnumbered;
            }
            values.put(":seenRenewals", number(seen.renewals()));
            return unchanged;
        }
        if (guard instanceof HeldBy held) {
            values.put(":seenId", fromS(held.leaseId()));
            return heldBy;
        }
        return free;
    }

    UpdateItemRequest.Builder renew(Renew write) {
        Map<String, AttributeValue> values = new HashMap<>(16);
        values.put(":leaseId", fromS(write.leaseId()));
        values.put(":renewals", number(write.number()));
        putEnd(values, write.leaseDuration(), write.expiresAt(), write.clock());
        putTtl(values, write.storeEnd());
        return renew.request(layout.key(write.name()), values);
    }

    UpdateItemRequest.Builder release(Release write) {
        Rest remaining = write.rest();
        Map<String, AttributeValue> values = new HashMap<>(16);
        values.put(":leaseId", fromS(write.leaseId()));
        if (remaining == null) {
            putTtl(values, write.at());
            return release.request(layout.key(write.name()), values);
        }
        values.put(":renewals", number(Rest.RENEWALS));
        putEnd(values, remaining.leaseDuration(), remaining.expiresAt(), remaining.clock());
        putTtl(values, remaining.storeEnd());
        return rest.request(layout.key(write.name()), values);
    }

    UpdateItemRequest.Builder raiseFloor(RaiseFloor write) {
        Map<String, AttributeValue> values = new HashMap<>();
        values.put(":leaseId", fromS(write.leaseId()));
        values.put(":token", number(write.token()));
        putTtl(values, write.at());
        return raiseFloor.request(layout.key(write.name()), values);
    }

    UpdateItemRequest.Builder revoke(String name, String leaseId) {
        return revoke.request(layout.key(name), Map.of(":leaseId", fromS(leaseId), ":true", fromBool(true)));
    }

    private void putEnd(
            Map<String, AttributeValue> values, Duration leaseDuration, Instant expiresAt, LeaseTime clock) {
        // Rounded up: nobody may wait less than what was meant
        values.put(":leaseMillis", number(leaseDuration.plusNanos(999_999).toMillis()));
        values.put(":expiresAt", millis(expiresAt));
        values.put(":clock", fromS(clock.code()));
    }

    /** Nothing if the store's time is not known: from any other clock, DynamoDB might delete the row of a lease that goes on. */
    private void putTtl(Map<String, AttributeValue> values, @Nullable Instant lastUse) {
        if (lastUse != null) {
            values.put(":ttl", number(layout.ttl(lastUse)));
        }
    }

    private static AttributeValue millis(Instant instant) {
        return number(instant.toEpochMilli());
    }

    private static AttributeValue number(long number) {
        return fromN(Long.toString(number));
    }

    private Dated dated(String update, String condition, ReturnValue returned) {
        return new Dated(
                new UpdateTemplate(layout, update, condition, returned),
                new UpdateTemplate(layout, withoutTtl(update), condition, returned));
    }

    /** The same update where there is no TTL to write. An old one goes: it may be past while the lease is not. */
    private static String withoutTtl(String update) {
        if (update.equals(RAISE)) {
            return RAISE_WITHOUT_TTL;
        }
        String rest = update.replace(", #ttl = :ttl", "");
        return rest + (rest.contains(" REMOVE ") ? ", #ttl" : " REMOVE #ttl");
    }

    /** The two forms of a write: the store's time is known or not. */
    private record Dated(UpdateTemplate withTtl, UpdateTemplate withoutTtl) {

        UpdateItemRequest.Builder request(Map<String, AttributeValue> key, Map<String, AttributeValue> values) {
            return (values.containsKey(":ttl") ? withTtl : withoutTtl).request(key, values);
        }
    }

    /** The two forms of an acquisition: an empty map is not stored. */
    private final class Taking {

        final Dated withMetadata;
        final Dated plain;

        Taking(String guard) {
            this(guard, WITHOUT_METADATA);
        }

        Taking(String guard, String unlessThereIsAny) {
            String condition = guard + " AND " + ABOVE_FLOOR;
            this.withMetadata = dated(TAKE + WITH_METADATA, condition, ReturnValue.ALL_NEW);
            this.plain = dated(TAKE + unlessThereIsAny, condition, ReturnValue.ALL_NEW);
        }
    }
}
