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
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reports rows that this version of the library did not write: each once, until it is as it should be or something else is wrong with it. */
final class CorruptRowWarnings {

    private static final Logger LOG = LoggerFactory.getLogger(CorruptRowWarnings.class);
    private static final int REMEMBERED = 1_000;

    private final String store;
    private final LockListener listener;
    private final Map<String, Report> reported = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Report> eldest) {
            return size() > REMEMBERED;
        }
    };

    private volatile boolean anyReported;

    /**
     * What is wrong with a row.
     *
     * @param leaseId whose it is
     * @param attributes what is missing or not valid
     * @param closed whether nobody can have the lock
     */
    private record Report(@Nullable String leaseId, List<String> attributes, boolean closed) {

        /** Whether it says all that another one says. */
        boolean covers(Report other) {
            return Objects.equals(leaseId, other.leaseId)
                    && attributes.equals(other.attributes)
                    && (closed || !other.closed);
        }

        /** Without the lease id, which would give its reader power over the lock. */
        @Override
        public String toString() {
            return "Report[attributes=%s, closed=%s]".formatted(attributes, closed);
        }
    }

    CorruptRowWarnings(String store, LockListener listener) {
        this.store = store;
        this.listener = listener;
    }

    /** Notes a row that somebody holds, as far as can be told without having watched it. */
    void saw(String name, LockRow row, ClockReading now) {
        saw(name, row, row.isFree() || ConditionFailures.isPastEnd(row, now), now);
    }

    /** Reports the row, if there is something wrong with it that was not reported before. */
    void saw(String name, LockRow row, boolean takeable, ClockReading now) {
        List<String> attributes = wrong(row, now);
        if (attributes.isEmpty()) {
            forget(name);
            return;
        }
        Report report = new Report(row.leaseId(), attributes, row.isClosed() && takeable);
        if (isNews(name, report)) {
            LOG.warn("The row of lock '{}' in {} {}", name, store, describe(row, report));
            listener.onDamagedRow(name, attributes, report.closed());
        }
    }

    private static String describe(LockRow row, Report report) {
        if (row.laterFormat()) {
            return "was written by a later version of this library: for this version the lock is held until that version"
                    + " gives it back";
        }
        if (report.closed()) {
            return "has a tokenFloor that leaves no fencing token: nobody can acquire the lock until an operator frees it"
                    + " (LockManager.forceFree)";
        }
        if (row.isClosed()) {
            return "has a tokenFloor that leaves no fencing token: after its holder nobody can acquire the lock until an"
                    + " operator frees it (LockManager.forceFree)";
        }
        return "was not written by this library: %s missing, of another type or out of bounds. The lock counts as held until the"
                        .formatted(report.attributes())
                + " rest of the row says otherwise; an operator can free it (LockManager.forceFree)";
    }

    /** The row was mended, or freed by force: the same damage is news again. */
    void forget(String name) {
        if (anyReported && isForgotten(name)) {
            listener.onRepairedRow(name);
        }
    }

    private synchronized boolean isForgotten(String name) {
        boolean known = reported.remove(name) != null;
        anyReported = !reported.isEmpty();
        return known;
    }

    private synchronized boolean isNews(String name, Report report) {
        Report before = reported.get(name);
        if (before != null && before.covers(report)) {
            return false;
        }
        reported.put(name, report);
        anyReported = true;
        return true;
    }

    private static List<String> wrong(LockRow row, ClockReading now) {
        List<String> wrong = new ArrayList<>(row.defects());
        if (row.laterFormat()) {
            wrong.add("format");
        }
        if (row.isClosed() && !wrong.contains("tokenFloor")) {
            wrong.add("tokenFloor");
        }
        if (isFarAhead(row, now)) {
            wrong.add("expiresAt");
        }
        return wrong;
    }

    /** No lease ends later than one of the longest that are allowed. */
    private static boolean isFarAhead(LockRow row, ClockReading now) {
        return row.expiresAt() != null
                && Duration.between(now.middle(), row.expiresAt()).compareTo(Durations.LONGEST_IN_ROW) > 0;
    }

    /** The failure of whoever wants such a lock. */
    LockStoreException closed(String name, LockRow row) {
        return new LockStoreException(
                name,
                ("Lock '%s' in %s cannot be acquired: its tokenFloor leaves no fencing token. %s; an operator can free it"
                                + " (LockManager.forceFree)")
                        .formatted(name, store, row.isFree() ? "Nobody holds it" : "Nobody can take it over"),
                null,
                false,
                false,
                true);
    }
}
