/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import io.dynamolock.InvalidSettingException;
import io.dynamolock.LockRow;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * A lock that ends at a time in the item, by the wall clocks of its processes.
 *
 * @param library the name of the library
 * @param holder the attribute that names the holder
 * @param end the attribute of the end
 * @param format the form of the end
 * @param ttl the TTL attribute of the library's table: that of its rows remains in rows of this library; null for any
 */
record EndingForeignLock(
        String library,
        String holder,
        String end,
        EndFormat format,
        @Nullable String ttl) implements ForeignLock {

    @Override
    public void requireFit(String ttlAttribute) {
        if (ttl != null && !ttlAttribute.equals(ttl)) {
            throw new InvalidSettingException(
                    "ttlAttribute", "must be %s, the TTL attribute of %s".formatted(ttl, library), ttlAttribute);
        }
        if (ttl == null && ttlAttribute.equals(end)) {
            throw new InvalidSettingException(
                    "ttlAttribute",
                    "must not be %s, where %s writes the end of a lock".formatted(end, library),
                    ttlAttribute);
        }
    }

    @Override
    public boolean hasOwnEnd() {
        return !LockRowMapper.ATTRIBUTES.contains(end);
    }

    @Override
    public String condition() {
        return "(attribute_not_exists(#%1$s) OR attribute_not_exists(#%2$s) OR #%2$s < :now_%2$s)"
                .formatted(holder, end);
    }

    @Override
    public List<String> marks() {
        return List.of(holder);
    }

    @Override
    public void putValues(Map<String, AttributeValue> values, Instant now) {
        values.put(":now_" + end, format.of(now));
    }

    @Override
    public @Nullable LockRow held(LockRow row, Map<String, AttributeValue> item, Instant now) {
        AttributeValue value = item.get(end);
        if (value == null || !item.containsKey(holder) || format.isLess(value, now)) {
            return null;
        }
        Instant until = format.instant(value);
        return row.toBuilder()
                .leaseId(ForeignLock.idOf(library))
                .owner(ForeignLock.text(item, holder))
                .expiresAt(until)
                .clock(null)
                .leaseDuration(until == null ? null : remaining(now, until))
                .stamp(new ForeignStamp(value, false))
                .build();
    }

    private static Duration remaining(Instant now, Instant until) {
        Duration remaining = Duration.between(now, until);
        return remaining.compareTo(Duration.ofMillis(1)) < 0 ? Duration.ofMillis(1) : remaining;
    }
}
