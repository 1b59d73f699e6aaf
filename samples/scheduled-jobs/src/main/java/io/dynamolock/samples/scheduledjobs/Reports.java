/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.scheduledjobs;

import io.dynamolock.Lease;
import io.dynamolock.spring.DistributedLock;
import io.dynamolock.spring.Locks;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/** Job of which one instance does each run. */
@Component
public class Reports {

    private static final Logger LOG = LoggerFactory.getLogger(Reports.class);

    /** Created by Spring. */
    Reports() {}

    /**
     * Writes the report. It is done in a moment: without the minimum hold, the lock would be free again when the clock of
     * the other instance, which is a little late, starts the same run. It must end, and the clock skew with it (two seconds),
     * before the next run.
     */
    @Scheduled(cron = "${reports.cron}")
    @DistributedLock(name = "report", minHold = "1s")
    public void write() {
        Lease lease = Locks.current().orElseThrow();
        LOG.info("{} writes the report, token {}", lease.owner(), lease.fencingToken());
    }
}
