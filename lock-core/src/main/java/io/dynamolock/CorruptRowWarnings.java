/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports rows that this version of the library did not write: each once, until the row is repaired or has another
 * defect.
 */
final class CorruptRowWarnings {

    private static final Logger LOG = LoggerFactory.getLogger(CorruptRowWarnings.class);
    private static final int MAX_REMEMBERED = 1_000;
    private static final Set<String> OF_LAST_HOLD =
            Set.of("lastLeaseId", "lastOwner", "lastEndedAt", "lastHeldMillis", "lastFailed");

    private static final String NO_TOKEN = "has no fencing token left (tokenFloor)";
    private static final String BY = " (LockManager.forceFree, or dynamolock release --anyway)";

    private final String store;
    private final LockListener listener;
    private final Map<String, Report> reported = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Report> eldest) {
            return size() > MAX_REMEMBERED;
        }
    };

    private volatile boolean anyReported;

    /**
     * A reported defect of a row.
     *
     * @param leaseId the lease in the row
     * @param attributes the attributes that are missing or invalid
     * @param closed whether nobody can acquire the lock
     */
    private record Report(@Nullable String leaseId, List<String> attributes, boolean closed) {

        /** Whether this report includes everything that another one reports. */
        boolean covers(Report other) {
            return Objects.equals(leaseId, other.leaseId)
                    && attributes.equals(other.attributes)
                    && (closed || !other.closed);
        }

        /** Omits the lease id, which would let its reader release or revoke the lock. */
        @Override
        public String toString() {
            return "Report[attributes=%s, closed=%s]".formatted(attributes, closed);
        }
    }

    CorruptRowWarnings(String store, LockListener listener) {
        this.store = store;
        this.listener = listener;
    }

    /** Checks a row without a history of observations: it counts as takeable if it is free or past its end. */
    void check(String name, LockRow row, ClockReading now) {
        check(name, row, row.isFree() || ConditionFailures.isPastEnd(row, now), now);
    }

    /** Reports the row if it has a defect that was not reported before. */
    void check(String name, LockRow row, boolean takeable, ClockReading now) {
        List<String> attributes = defectsOf(row, now);
        if (attributes.isEmpty()) {
            forget(name);
            return;
        }
        Report report = new Report(row.leaseId(), attributes, row.isClosed() && takeable);
        if (isNew(name, report)) {
            LOG.warn("The row of lock '{}' in {} {}", name, store, describe(row, report));
            listener.onCorruptRow(name, attributes, report.closed());
        }
    }

    private static String describe(LockRow row, Report report) {
        if (row.laterFormat()) {
            return "was written by a later version of this library: for this version the lock is held until that version"
                    + " releases it";
        }
        if (report.closed()) {
            return NO_TOKEN + ": nobody can acquire the lock until an operator frees it" + BY;
        }
        if (row.isClosed()) {
            return NO_TOKEN + ": after this holder nobody can acquire the lock until an operator frees it" + BY;
        }
        String defect = "was not written by this library: %s missing, of another type or out of bounds."
                .formatted(report.attributes());
        return OF_LAST_HOLD.containsAll(report.attributes())
                ? defect + " That concerns only what is known of the last hold, until the next release"
                : defect + " The lock counts as held until the rest of the row shows otherwise; an operator can free it"
                        + BY;
    }

    /** Forgets a row that was repaired or freed by force: the same defect is reported again if it returns. */
    void forget(String name) {
        if (anyReported && remove(name)) {
            listener.onRepairedRow(name);
        }
    }

    private synchronized boolean remove(String name) {
        boolean wasReported = reported.remove(name) != null;
        anyReported = !reported.isEmpty();
        return wasReported;
    }

    private synchronized boolean isNew(String name, Report report) {
        Report previous = reported.get(name);
        if (previous != null && previous.covers(report)) {
            return false;
        }
        reported.put(name, report);
        anyReported = true;
        return true;
    }

    private static List<String> defectsOf(LockRow row, ClockReading now) {
        List<String> defects = new ArrayList<>(row.defects());
        if (row.laterFormat()) {
            defects.add("format");
        }
        if (row.isClosed() && !defects.contains("tokenFloor")) {
            defects.add("tokenFloor");
        }
        if (endsImplausiblyLate(row, now)) {
            defects.add("expiresAt");
        }
        return defects;
    }

    /**
     * Whether the row ends later than any lease, or any lock without a holder, that is allowed. An end in another time
     * says nothing: it may be that of a wall clock that is years off, and the row is taken over by observation.
     */
    private static boolean endsImplausiblyLate(LockRow row, ClockReading now) {
        Duration longest = row.isKept() ? SettingsRules.LONGEST_AT_REST : SettingsRules.LONGEST_IN_ROW;
        return row.expiresAt() != null
                && now.isComparableTo(row.clock())
                && Duration.between(now.middle(), row.expiresAt()).compareTo(longest) > 0;
    }

    /** Returns the failure for callers that try to acquire such a lock. */
    LockStoreException closedRowException(String name, LockRow row) {
        return new LockStoreException(
                name,
                "Lock '%s' in %s cannot be acquired: it %s. %s; an operator can free it%s"
                        .formatted(
                                name,
                                store,
                                NO_TOKEN,
                                row.isFree() ? "Nobody holds it" : "Nobody can take it over",
                                BY),
                null,
                false,
                false,
                true);
    }
}
