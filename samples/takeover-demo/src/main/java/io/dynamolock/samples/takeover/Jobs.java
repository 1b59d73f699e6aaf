/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.takeover;

import io.dynamolock.samples.takeover.show.Work;
import io.dynamolock.spring.DistributedLock;
import java.time.Duration;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/** Work that must not run in two processes concurrently. */
@Component
public class Jobs {

    private final Work work;

    Jobs(Work work) {
        this.work = work;
    }

    @Scheduled(fixedDelayString = "300ms")
    @DistributedLock("job-x") // busy: skipped until the next run
    public void nightlyJob() {
        closeBooks(); // any duration: the lease is renewed until this returns
    }

    @DistributedLock(name = "report-#{#customer}", waitTime = "2s") // busy after 2 s: LockBusyException
    public void report(String customer) {
        writeReport(customer);
    }

    private void closeBooks() {
        work.on("job-x", Duration.ofSeconds(3));
    }

    private void writeReport(String customer) {
        work.on("report-" + customer, Duration.ofSeconds(2));
    }
}
