/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import java.time.Duration;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.dynamodb.model.ContinuousBackupsUnavailableException;

/**
 * Point-in-time recovery of a new table. No lock depends on it, so a failure to enable it is only logged as a warning.
 */
final class PointInTimeRecovery {

    private static final Logger log = LoggerFactory.getLogger(PointInTimeRecovery.class);

    private final TableRequests requests;
    private final TableLayout layout;

    PointInTimeRecovery(TableRequests requests, TableLayout layout) {
        this.requests = requests;
        this.layout = layout;
    }

    /**
     * Enables it. DynamoDB rejects this for a while after the table has become active, so the request is repeated.
     *
     * @param pausing pauses for the given time; false if no time is left
     */
    void enable(Predicate<Duration> pausing) {
        Duration pause = LockTable.FIRST_PAUSE;
        while (true) {
            try {
                requests.enablePointInTimeRecovery();
                return;
            } catch (ContinuousBackupsUnavailableException notYet) {
                if (!pausing.test(pause)) {
                    warn(notYet);
                    return;
                }
                pause = LockTable.longer(pause);
            } catch (RuntimeException failure) {
                warn(failure);
                return;
            }
        }
    }

    private void warn(RuntimeException failure) {
        log.warn(
                "Point-in-time recovery cannot be enabled for {}: {}. Locks are not affected; enable it by other means.",
                layout.name(),
                Diagnosis.ofRetried(failure, "dynamodb:UpdateContinuousBackups", layout)
                        .text());
    }
}
