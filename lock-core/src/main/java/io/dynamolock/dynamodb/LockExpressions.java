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
import io.dynamolock.LockGuard;
import io.dynamolock.LockGuard.FreeOrExpired;
import io.dynamolock.LockGuard.HeldBy;
import io.dynamolock.LockGuard.Unchanged;
import io.dynamolock.LockRow;
import io.dynamolock.LockStore;
import io.dynamolock.LockWrite.Acquire;
import io.dynamolock.LockWrite.ForceFree;
import io.dynamolock.LockWrite.RaiseFloor;
import io.dynamolock.LockWrite.Release;
import io.dynamolock.LockWrite.Renew;
import io.dynamolock.LockWrite.Rest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/** Builds the conditional request of every write to a row, except those of {@link ClaimExpressions}. */
final class LockExpressions {

    private static final String ABOVE_FLOOR = "(attribute_not_exists(#tokenFloor) OR #tokenFloor < :token)";
    private static final String HELD = "#leaseId = :leaseId";
    private static final String FREE = "attribute_not_exists(#leaseId)";

    private static final String RAISABLE = ABOVE_FLOOR + " AND (" + FREE + " OR #leaseId <> :leaseId)";

    /** Free, and not claimed by another text. What is no text claims nothing. */
    private static final String OPEN = FREE + " AND NOT (#claim < :claim OR #claim > :claim)";

    private static final String NUMBERED = "#leaseId = :seenId AND #renewals = :seenRenewals";
    private static final String UNNUMBERED = "#leaseId = :seenId AND attribute_not_exists(#renewals)";
    private static final String LEAVES_TOKENS = "#tokenFloor < :highest";
    private static final String EXPIRED = "(#expiresAt < :before AND #clock = :seenClock)";
    private static final String NOT_REVOKED = "attribute_not_exists(#revoked)";
    private static final String RENEWABLE = HELD + " AND #renewals < :renewals AND " + NOT_REVOKED;

    /** Only a later version may change a later version's row. Without a number, the comparison is false. */
    static final String KNOWN_FORMAT = " AND NOT #format > :format";

    private static final String RESUMABLE = "#leaseId = :seenId AND attribute_exists(#detached) AND " + NOT_REVOKED;
    private static final String TAKE = "SET #leaseId = :leaseId, #owner = :owner, #fencingToken = :token,"
            + " #tokenFloor = :token, #leaseMillis = :leaseMillis, #expiresAt = :expiresAt, #clock = :clock,"
            + " #renewals = :renewals, #acquiredAt = :acquiredAt, #ttl = :ttl";
    private static final String WITH_METADATA = ", #metadata = :metadata REMOVE #revoked, #detached, #claim";
    private static final String WITHOUT_METADATA = " REMOVE #revoked, #detached, #claim, #metadata";
    private static final String KEEPING_METADATA = " REMOVE #revoked, #detached, #claim";
    private static final String PROLONG =
            "SET #expiresAt = :expiresAt, #clock = :clock, #leaseMillis = :leaseMillis, #renewals = :renewals, #ttl = :ttl";
    private static final String NOT_DETACHED = " REMOVE #detached";
    private static final String FORGET = " REMOVE #leaseId, #owner, #expiresAt,"
            + " #leaseMillis, #clock, #renewals, #acquiredAt, #metadata, #revoked, #detached";
    private static final String RELEASED = "SET #lastLeaseId = :leaseId, #ttl = :ttl";
    private static final String RESTING = PROLONG + ", #lastLeaseId = :leaseId";
    private static final String NOT_RESTING_LATER =
            HELD + " AND (NOT #renewals >= :renewals OR #renewals > :lastRenewals)";
    private static final String RAISE_WITHOUT_TTL = "SET #tokenFloor = :token";
    private static final String RAISE = RAISE_WITHOUT_TTL + ", #ttl = if_not_exists(#ttl, :ttl)";

    static final AttributeValue FORMAT = number(LockStore.FORMAT);

    private final TableLayout layout;
    private final HonoredLocks honored;
    private final Taking free;
    private final Taking freeOrExpired;
    private final Taking unchanged;
    private final Taking unnumbered;
    private final Taking heldBy;
    private final Taking abandoned;
    private final DatedUpdate renew;
    private final DatedUpdate detach;
    private final ReleaseUpdate release;
    private final ReleaseUpdate rest;
    private final DatedUpdate raiseFloor;
    private final UpdateTemplate revoke;

    LockExpressions(TableLayout layout, HonoredLocks honored) {
        this.layout = layout;
        this.honored = honored;
        this.free = new Taking(OPEN);
        this.freeOrExpired = new Taking("((" + OPEN + ") OR " + EXPIRED + ")");
        this.unchanged = new Taking("((" + OPEN + ") OR (" + NUMBERED + "))");
        this.unnumbered = new Taking("((" + OPEN + ") OR (" + UNNUMBERED + "))");
        this.heldBy = new Taking(RESUMABLE, honored.condition(), true);
        this.abandoned = new Taking(OPEN + " AND " + AwslabsLock.UNCHANGED, honored.conditionBesideAwslabs(), false);
        this.renew = dated(PROLONG + NOT_DETACHED, RENEWABLE, ReturnValue.NONE);
        this.detach = dated(PROLONG + ", #detached = :true", RENEWABLE, ReturnValue.NONE);
        this.release = ReleaseUpdate.of(layout, RELEASED, FORGET, HELD);
        this.rest = ReleaseUpdate.of(layout, RESTING, NOT_DETACHED, NOT_RESTING_LATER);
        this.raiseFloor = DatedUpdate.of(layout, RAISE, RAISE_WITHOUT_TTL, RAISABLE, ReturnValue.NONE);
        this.revoke = new UpdateTemplate(layout, "SET #revoked = :true", HELD + KNOWN_FORMAT, ReturnValue.NONE);
    }

    UpdateItemRequest.Builder acquire(Acquire write) {
        Map<String, AttributeValue> values = new HashMap<>(32);
        Taking taking = guard(write.onlyIf(), values);
        honored.putValues(values);
        values.put(":leaseId", fromS(write.leaseId()));
        values.put(":owner", fromS(write.owner()));
        values.put(":token", number(write.token()));
        values.put(":renewals", number(0));
        values.put(":acquiredAt", millis(write.acquiredAt()));
        if (!(write.onlyIf() instanceof HeldBy)) {
            values.put(":claim", fromS(write.claim()));
        }
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

    private Taking guard(LockGuard guard, Map<String, AttributeValue> values) {
        if (guard instanceof FreeOrExpired expired) {
            values.put(":before", millis(expired.before()));
            values.put(":seenClock", fromS(expired.clock().code()));
            return freeOrExpired;
        }
        if (guard instanceof Unchanged seen && seen.stamp() instanceof ForeignLock.ForeignStamp foreign) {
            return foreign.put(values) ? abandoned : free;
        }
        if (guard instanceof Unchanged seen) {
            Stamp stamp = Objects.requireNonNull(Stamp.of(seen), "stamp");
            stamp.put(values);
            return stamp.renewals() == null ? unnumbered : unchanged;
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
        if (write.detaches()) {
            values.put(":true", fromBool(true));
            return detach.request(layout.key(write.name()), values);
        }
        return renew.request(layout.key(write.name()), values);
    }

    UpdateItemRequest.Builder release(Release write) {
        Rest remaining = write.rest();
        Map<String, AttributeValue> values = new HashMap<>(16);
        values.put(":leaseId", fromS(write.leaseId()));
        if (remaining == null) {
            putTtl(values, write.at());
            return release.request(layout.key(write.name()), values, write.lastHold());
        }
        values.put(":renewals", number(remaining.number()));
        values.put(":lastRenewals", number(Rest.LAST));
        putEnd(values, remaining.leaseDuration(), remaining.expiresAt(), remaining.clock());
        putTtl(values, remaining.storeEnd());
        return rest.request(layout.key(write.name()), values, write.lastHold());
    }

    UpdateItemRequest.Builder raiseFloor(RaiseFloor write) {
        Map<String, AttributeValue> values = new HashMap<>();
        values.put(":leaseId", fromS(write.leaseId()));
        values.put(":token", number(write.token()));
        putTtl(values, write.at());
        return raiseFloor.request(layout.key(write.name()), values);
    }

    UpdateItemRequest.Builder revoke(String name, String leaseId) {
        Map<String, AttributeValue> values = new HashMap<>();
        values.put(":leaseId", fromS(leaseId));
        values.put(":true", fromBool(true));
        values.put(":format", FORMAT);
        return revoke.request(layout.key(name), values);
    }

    /**
     * Frees the lock on condition that the same lease still holds it, or none does, and that its floor still needs the
     * same treatment.
     */
    UpdateItemRequest.Builder forceFree(ForceFree write) {
        Map<String, AttributeValue> values = new HashMap<>();
        List<String> sets = new ArrayList<>();
        String condition = "attribute_exists(#key)" + KNOWN_FORMAT + " AND " + isUnchanged(write.unchanged(), values);
        values.put(":format", FORMAT);
        values.put(":highest", number(LockRow.HIGHEST_TOKEN));
        values.put(":floor", number(write.floorAfter()));
        if (write.lowersFloor()) {
            condition += " AND attribute_exists(#tokenFloor) AND NOT " + LEAVES_TOKENS;
            sets.add("#tokenFloor = :floor");
        } else {
            condition += " AND (attribute_not_exists(#tokenFloor) OR " + LEAVES_TOKENS + ")";
            sets.add("#tokenFloor = if_not_exists(#tokenFloor, :floor)");
        }
        if (write.seen().leaseId() != null) {
            sets.add("#lastLeaseId = :seenId");
        }
        if (write.at() != null) {
            sets.add("#ttl = :ttl");
            putTtl(values, write.at());
        }
        String update = "SET " + String.join(", ", sets) + FORGET + ", #claim"
                + (write.removesToken() ? ", #fencingToken" : "");
        return new UpdateTemplate(layout, update, condition, ReturnValue.NONE)
                .request(layout.key(write.name()), values);
    }

    /** The condition that the row is still the one that was seen, which may have had no lease. */
    private static String isUnchanged(Unchanged seen, Map<String, AttributeValue> values) {
        Stamp stamp = Stamp.of(seen);
        if (stamp == null) {
            return FREE;
        }
        stamp.put(values);
        return stamp.renewals() == null ? UNNUMBERED : NUMBERED;
    }

    private void putEnd(
            Map<String, AttributeValue> values, Duration leaseDuration, Instant expiresAt, LeaseTime clock) {
        // Rounded up: no process may wait less than the lease duration
        values.put(":leaseMillis", number(leaseDuration.plusNanos(999_999).toMillis()));
        values.put(":expiresAt", millis(expiresAt));
        values.put(":clock", fromS(clock.code()));
    }

    /**
     * Writes no TTL if the store's time is unknown: with a TTL from any other clock, DynamoDB might delete the row of a
     * lease that is still held.
     */
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

    private DatedUpdate dated(String update, String condition, ReturnValue returned) {
        return DatedUpdate.of(layout, update, condition, returned);
    }

    /** The two forms of an acquisition: an empty map is not stored. */
    private final class Taking {

        final DatedUpdate withMetadata;
        final DatedUpdate plain;

        Taking(String guard) {
            this(guard, honored.condition(), false);
        }

        /** A resumption keeps the metadata, and needs them. */
        Taking(String guard, String othersCondition, boolean resumes) {
            String condition = guard + " AND " + ABOVE_FLOOR + othersCondition;
            String removals = (resumes ? KEEPING_METADATA : WITHOUT_METADATA) + honored.removals();
            ReturnValue returned = resumes ? ReturnValue.ALL_NEW : ReturnValue.NONE;
            this.withMetadata = dated(TAKE + WITH_METADATA + honored.removals(), condition, returned);
            this.plain = dated(TAKE + removals, condition, returned);
        }
    }
}
