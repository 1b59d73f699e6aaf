/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.cli;

import java.util.List;
import java.util.Locale;

/** Entry point of the command line. */
public final class Main {

    private Main() {}

    /**
     * Runs one command, and exits with its exit code.
     *
     * @param args the command line
     */
    public static void main(String[] args) {
        // A POST on a stale connection fails rather than being sent twice: the lock manager knows how to retry
        System.setProperty("sun.net.http.retryPost", "false");
        Locale.setDefault(Locale.Category.FORMAT, Locale.ROOT); // some languages have digits of their own
        List<String> all = List.of(args);
        int end = all.indexOf("--");
        if ((end < 0 ? all : all.subList(0, end)).contains("--debug")) {
            System.setProperty("org.slf4j.simpleLogger.log.io.dynamolock", "debug");
            System.setProperty("org.slf4j.simpleLogger.log.software.amazon.awssdk", "warn");
        }
        System.exit(new Dynamolock(System.out, System.err).run(args));
    }
}
