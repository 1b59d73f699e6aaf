/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package com.example;

import io.dynamolock.spring.DistributedLock;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

@Component
public class NightlyReport {

    @Scheduled(cron = "0 0 3 * * *") // with @EnableScheduling
    @DistributedLock(name = "nightly-report", minHold = "1m") // one instance runs it, the others skip it
    public void write() {
        System.out.println("writing"); // for as long as it takes: the lease is renewed
    }
}
