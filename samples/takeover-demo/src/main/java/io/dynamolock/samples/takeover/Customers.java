/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.takeover;

import io.dynamolock.LockBusyException;
import io.dynamolock.samples.takeover.show.Work;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/** Requests reports of randomly chosen customers. */
@Component
class Customers {

    private static final List<String> NAMES = List.of("acme", "globex", "initech");

    private final Jobs jobs;
    private final Work work;

    Customers(Jobs jobs, Work work) {
        this.jobs = jobs;
        this.work = work;
    }

    @Scheduled(fixedDelayString = "3s")
    void askForReport() {
        String customer = NAMES.get(ThreadLocalRandom.current().nextInt(NAMES.size()));
        try {
            jobs.report(customer);
        } catch (LockBusyException busy) {
            work.gaveUp(busy);
        }
    }
}
