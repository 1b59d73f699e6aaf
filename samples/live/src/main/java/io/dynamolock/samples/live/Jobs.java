/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.live;

import io.dynamolock.Lease;
import io.dynamolock.spring.DistributedLock;
import io.dynamolock.spring.Locks;
import java.time.Duration;
import java.util.List;
import org.springframework.scheduling.annotation.Scheduled;

/** Work that must not run in two processes concurrently. */
public class Jobs {

    /** The locks of all jobs. */
    static final List<String> LOCKS = List.of("report", "import");

    /** Created by Spring. */
    Jobs() {}

    /**
     * Writes a report, which takes longer than a lease.
     *
     * @throws InterruptedException if the application is stopped
     */
    @Scheduled(fixedDelay = 2_000)
    @DistributedLock(name = "report", waitTime = "1m")
    public void writeReport() throws InterruptedException {
        work(Duration.ofSeconds(12));
    }

    /**
     * Imports a file.
     *
     * @throws InterruptedException if the application is stopped
     */
    @Scheduled(fixedDelay = 2_000)
    @DistributedLock(name = "import", waitTime = "1m")
    public void importFile() throws InterruptedException {
        work(Duration.ofSeconds(7));
    }

    private static void work(Duration time) throws InterruptedException {
        Lease lease = Locks.current().orElseThrow();
        for (Duration done = Duration.ZERO; done.compareTo(time) < 0; done = done.plusMillis(100)) {
            lease.ensureHeld(); // work under a lost lock stops here
            Thread.sleep(100);
        }
    }
}
