/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import io.dynamolock.LockGuard.Unchanged;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Identifies an item as unchanged: the attribute values themselves, because corrupt ones may be neither a text nor a
 * number.
 *
 * @param leaseId of any type
 * @param renewals of any type; null if absent
 */
record Stamp(AttributeValue leaseId, @Nullable AttributeValue renewals) {

    private static final int LONGEST = 1_000;

    static Stamp of(@Nullable String leaseId, @Nullable Long renewals) {
        return new Stamp(
                AttributeValue.fromS(leaseId), renewals == null ? null : AttributeValue.fromN(Long.toString(renewals)));
    }

    /** The stamp of a row as it was seen; null if it had no lease. */
    static @Nullable Stamp of(Unchanged seen) {
        if (seen.stamp() instanceof Stamp corrupt) {
            return corrupt;
        }
        return seen.leaseId() == null ? null : of(seen.leaseId(), seen.renewals());
    }

    /** Puts the values that the conditions on an unchanged row compare with. */
    void put(Map<String, AttributeValue> values) {
        values.put(":seenId", leaseId);
        if (renewals != null) {
            values.put(":seenRenewals", renewals);
        }
    }

    /** The stamp of an item; null if the item has no lease. */
    static @Nullable Stamp of(Map<String, AttributeValue> item) {
        AttributeValue leaseId = item.get(LockRowMapper.LEASE_ID);
        return leaseId == null ? null : new Stamp(leaseId, item.get(LockRowMapper.RENEWALS));
    }

    /** The stamp of an item; null if the item has no lease, or the stamp is too large to be remembered. */
    static @Nullable Stamp ofSmall(Map<String, AttributeValue> item) {
        Stamp stamp = of(item);
        return stamp == null || length(stamp.leaseId) + length(stamp.renewals) > LONGEST ? null : stamp;
    }

    private static int length(@Nullable AttributeValue value) {
        return value == null ? 0 : value.toString().length();
    }

    /** Omits the lease id. */
    @Override
    public String toString() {
        return "Stamp";
    }
}
