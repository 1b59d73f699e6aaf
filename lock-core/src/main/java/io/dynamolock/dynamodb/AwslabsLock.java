/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import io.dynamolock.LockRow;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * A lock of the lock client of awslabs: it has a version, which changes with each heartbeat, and no end. It is
 * abandoned when its version has not changed for its lease duration.
 */
record AwslabsLock() implements ForeignLock {

    private static final String VERSION = "recordVersionNumber";
    private static final String RELEASED = "isReleased";
    private static final String DURATION = "leaseDuration";
    private static final String OWNER = "ownerName";

    /** The condition that an abandoned lock is still as it was observed. */
    static final String UNCHANGED = "#" + VERSION + " = :seenVersion";

    @Override
    public void requireFit(String ttlAttribute) {}

    @Override
    public boolean hasOwnEnd() {
        return false;
    }

    @Override
    public String condition() {
        return "(attribute_not_exists(#" + VERSION + ") OR attribute_exists(#" + RELEASED + "))";
    }

    @Override
    public List<String> marks() {
        return List.of(VERSION, RELEASED, DURATION, OWNER);
    }

    @Override
    public void putValues(Map<String, AttributeValue> values, Instant now) {}

    @Override
    public @Nullable LockRow held(LockRow row, Map<String, AttributeValue> item, Instant now) {
        AttributeValue version = item.get(VERSION);
        if (version == null || item.containsKey(RELEASED)) {
            return null;
        }
        return row.toBuilder()
                .leaseId(ForeignLock.idOf("awslabs"))
                .owner(ForeignLock.text(item, OWNER))
                .expiresAt(null)
                .clock(null)
                .leaseDuration(duration(ForeignLock.text(item, DURATION)))
                .stamp(new ForeignStamp(version, true))
                .build();
    }

    /** Returns the lease duration; null for the default one of the manager. */
    private static @Nullable Duration duration(@Nullable String millis) {
        try {
            return millis == null ? null : Duration.ofMillis(Math.max(1, Long.parseLong(millis)));
        } catch (NumberFormatException unreadable) {
            return null;
        }
    }
}
