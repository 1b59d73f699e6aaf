/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import io.dynamolock.LockRow;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The locks of other libraries that a store honors; usually none, at no cost. */
final class HonoredLocks {

    /** Safety margin on this machine's wall clock. */
    private static final Duration MARGIN = Duration.ofSeconds(1);

    private final List<ForeignLock> formats;
    private final Supplier<Instant> wallTime;

    static final HonoredLocks NONE = new HonoredLocks(List.of(), Clocks.REAL::wallTime);

    HonoredLocks(Collection<ForeignLocks> libraries, Supplier<Instant> wallTime) {
        List<ForeignLock> distinct = new ArrayList<>();
        for (ForeignLocks library : new LinkedHashSet<>(libraries)) {
            distinct.add(library.format());
        }
        this.formats = List.copyOf(distinct);
        this.wallTime = wallTime;
    }

    void requireFit(String ttlAttribute) {
        formats.forEach(format -> format.requireFit(ttlAttribute));
    }

    /** The condition that none of the libraries holds the item, to be appended to another one. */
    String condition() {
        return condition(true);
    }

    /** The condition that none of the libraries holds the item but the lock client of awslabs. */
    String conditionBesideAwslabs() {
        return condition(false);
    }

    /** Without streams, like the other texts of a request: a fresh JVM would spend milliseconds on linking them. */
    private String condition(boolean ofAwslabs) {
        StringBuilder condition = new StringBuilder();
        for (ForeignLock format : formats) {
            if (ofAwslabs || !(format instanceof AwslabsLock)) {
                condition.append(" AND ").append(format.condition());
            }
        }
        return condition.toString();
    }

    /** What an acquisition removes, to be appended to a list of removals. */
    String removals() {
        StringBuilder removals = new StringBuilder();
        for (ForeignLock format : formats) {
            for (String mark : format.marks()) {
                removals.append(", #").append(mark);
            }
        }
        return removals.toString();
    }

    /** Puts the values that the conditions compare with. */
    void putValues(Map<String, AttributeValue> values) {
        if (!formats.isEmpty()) {
            Instant now = now();
            formats.forEach(format -> format.putValues(values, now));
        }
    }

    /**
     * Returns the row of an item, as held by the library that holds it. A lease that has ended by this machine's wall
     * clock, by which that library's lock is judged as well, does not hide a lock with an end of its own. Until then,
     * its holder has to find it. It hides others: they can be taken over only after the lease has been freed.
     */
    LockRow shown(LockRow row, Map<String, AttributeValue> item) {
        if (formats.isEmpty()) {
            return row;
        }
        Instant now = now();
        if (!row.isFree() && (row.expiresAt() == null || !row.expiresAt().isBefore(now))) {
            return row;
        }
        LockRow free = withoutLease(row);
        @Nullable
        LockRow held = formats.stream()
                .filter(format -> row.isFree() || format.hasOwnEnd())
                .map(format -> format.held(free, item, now))
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
        return held == null ? row : held;
    }

    private static LockRow withoutLease(LockRow row) {
        return row.toBuilder()
                .leaseId(null)
                .renewals(null)
                .acquiredAt(null)
                .metadata(Map.of())
                .revoked(false)
                .detached(false)
                .build();
    }

    private Instant now() {
        return wallTime.get().minus(MARGIN);
    }
}
