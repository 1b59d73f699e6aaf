/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.takeover;

import io.dynamolock.samples.takeover.show.Launcher;
import java.io.IOException;
import java.io.OutputStream;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.scheduling.annotation.EnableScheduling;

/**
 * Entry point of both processes: the launcher that a user starts, and the workers that the launcher starts.
 *
 * <p>A worker runs until its standard input ends: when the launcher stops it, or dies.
 */
@SpringBootApplication
@EnableScheduling
public class TakeoverDemo {

    /**
     * Starts the launcher or a worker.
     *
     * @param args as {@code --help} explains
     * @throws Exception if the process does not start
     */
    public static void main(String[] args) throws Exception {
        if (Launcher.isForWorker(args)) {
            work(args);
        } else {
            System.exit(Launcher.run(TakeoverDemo.class, System.out, args));
        }
    }

    private static void work(String[] args) throws IOException {
        ConfigurableApplicationContext worker = SpringApplication.run(TakeoverDemo.class, args);
        System.in.transferTo(OutputStream.nullOutputStream());
        worker.close();
    }
}
