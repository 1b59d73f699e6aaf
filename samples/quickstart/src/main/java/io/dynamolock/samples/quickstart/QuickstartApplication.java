/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.quickstart;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.scheduling.annotation.EnableScheduling;

/** Application with a scheduled job that one process runs at a time, and a method with a lock for each order. */
@SpringBootApplication
@EnableScheduling
public class QuickstartApplication {

    /**
     * Starts the application.
     *
     * @param args the command line
     */
    public static void main(String[] args) {
        SpringApplication.run(QuickstartApplication.class, args);
    }
}
