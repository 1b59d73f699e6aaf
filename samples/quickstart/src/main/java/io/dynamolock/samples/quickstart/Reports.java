/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.quickstart;

import io.dynamolock.spring.DistributedLock;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/** Job of which one process does each run. */
@Component
public class Reports {

    private final Invoices invoices;

    Reports(Invoices invoices) {
        this.invoices = invoices;
    }

    /** Runs in one process. In the others, the lock is busy and this run is skipped. */
    @Scheduled(cron = "${reports.cron}")
    @DistributedLock(name = "nightly-report", minHold = "1s") // minHold: longer than the clocks of the processes differ
    public void nightlyReport() {
        invoices.store("4711"); // any duration: the lease is renewed until this returns
    }
}
