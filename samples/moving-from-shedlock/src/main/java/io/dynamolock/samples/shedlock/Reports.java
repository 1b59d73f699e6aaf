/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.shedlock;

import io.dynamolock.spring.DistributedLock;
import io.dynamolock.spring.Locks;
import net.javacrumbs.shedlock.core.LockAssert;
import net.javacrumbs.shedlock.spring.annotation.SchedulerLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/** The same job before and after its move. Both lock the same name, so only one of them does each run. */
@Component
public class Reports {

    private static final Logger LOG = LoggerFactory.getLogger(Reports.class);

    /** Created by Spring. */
    Reports() {}

    /** As it was with ShedLock: nothing is changed. */
    @Scheduled(cron = "${reports.cron-before}")
    @SchedulerLock(name = "report", lockAtMostFor = "2h", lockAtLeastFor = "500ms")
    public void before() {
        LockAssert.assertLocked();
        LOG.info("report, by @SchedulerLock; after 2 h another instance may start it, too");
    }

    /** Moved. */
    @Scheduled(cron = "${reports.cron-after}")
    @DistributedLock(name = "report", minHold = "500ms")
    public void after() {
        Locks.assertHeld();
        LOG.info("report, by @DistributedLock; any duration, as the lease is renewed");
    }
}
