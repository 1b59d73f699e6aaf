/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.dynamodb.model.TimeToLiveDescription;
import software.amazon.awssdk.services.dynamodb.model.TimeToLiveStatus;

/**
 * DynamoDB's clean-up of rows that have not been used for long. No lock depends on it, so if it cannot be read or
 * enabled, a warning is logged; only TTL on another attribute is an error.
 */
final class TimeToLive {

    private static final Logger log = LoggerFactory.getLogger(TimeToLive.class);

    private static final String DESCRIBE = "dynamodb:DescribeTimeToLive";

    private final TableRequests requests;
    private final TableLayout layout;

    TimeToLive(TableRequests requests, TableLayout layout) {
        this.requests = requests;
        this.layout = layout;
    }

    /** Enables TTL unless it is on, or another process enables it at the same time. */
    void enable() {
        if (state() == State.OFF) {
            try {
                requests.enableTimeToLive();
            } catch (RuntimeException rejected) {
                if (state() == State.OFF) {
                    warn("cannot be enabled", "dynamodb:UpdateTimeToLive", rejected);
                }
            }
        }
    }

    void validate() {
        if (state() == State.OFF) {
            log.warn(
                    "TTL is off for {}: rows of unused locks are never deleted. Enable it on attribute '{}'.",
                    layout.name(),
                    layout.ttlAttribute());
        }
    }

    /** The TTL of the table; null if it cannot be read, which another attempt would not change. */
    @Nullable
    TimeToLiveDescription describe() {
        try {
            return requests.describeTimeToLive();
        } catch (RuntimeException failure) {
            if (Diagnosis.ofRetried(failure, DESCRIBE, layout).retryable()
                    || Thread.currentThread().isInterrupted()) {
                throw TableRequests.failed("Describing the TTL of", DESCRIBE, layout, failure);
            }
            return null;
        }
    }

    private State state() {
        TimeToLiveDescription found;
        try {
            found = requests.describeTimeToLive();
        } catch (RuntimeException failure) {
            warn("cannot be read", DESCRIBE, failure);
            return State.UNKNOWN;
        }
        return state(found);
    }

    private State state(TimeToLiveDescription found) {
        if (!isOn(found)) {
            return State.OFF;
        }
        if (!layout.ttlAttribute().equals(found.attributeName())) {
            String text = "The TTL of %s is unfit for locks: expected attribute '%s', but found '%s';"
                    + " set ttlAttribute to what the table has, or use another table";
            throw new LockTableException(
                    layout.tableName(),
                    text.formatted(layout.name(), layout.ttlAttribute(), found.attributeName()),
                    TableProblem.UNFIT);
        }
        return State.ON;
    }

    private static boolean isOn(TimeToLiveDescription found) {
        return found.timeToLiveStatus() == TimeToLiveStatus.ENABLED
                || found.timeToLiveStatus() == TimeToLiveStatus.ENABLING;
    }

    private void warn(String what, String action, RuntimeException failure) {
        log.warn(
                "TTL of {} {}: {}. Locks are not affected, but rows of unused locks may never be deleted.",
                layout.name(),
                what,
                Diagnosis.ofRetried(failure, action, layout).text());
    }

    private enum State {
        ON,
        OFF,
        UNKNOWN
    }
}
