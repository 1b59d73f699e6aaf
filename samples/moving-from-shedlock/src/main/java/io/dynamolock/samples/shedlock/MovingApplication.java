/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.shedlock;

import java.util.concurrent.TimeUnit;
import net.javacrumbs.shedlock.spring.annotation.EnableSchedulerLock;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.scheduling.annotation.EnableScheduling;

/** Application of ShedLock, whose bean of type LockProvider has been removed: dynamolock configures its own. */
@SpringBootApplication
@EnableScheduling
@EnableSchedulerLock(defaultLockAtMostFor = "10m")
public class MovingApplication {

    /**
     * Runs the application for 13 seconds.
     *
     * @param args properties
     * @throws InterruptedException if this thread is interrupted
     */
    public static void main(String[] args) throws InterruptedException {
        ConfigurableApplicationContext application = SpringApplication.run(MovingApplication.class, args);
        TimeUnit.SECONDS.sleep(13);
        application.close();
    }
}
