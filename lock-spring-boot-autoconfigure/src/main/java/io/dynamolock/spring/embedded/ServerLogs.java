/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.embedded;

import java.util.concurrent.Callable;
import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggerConfiguration;
import org.springframework.boot.logging.LoggingSystem;

/**
 * Keeps what the server says about itself out of the application's log: each request for good, the start and stop of its
 * Jetty while it lasts. A level that the application has set stays as it is.
 */
final class ServerLogs {

    private static final String REQUESTS = "software.amazon.dynamodb.services.local";
    private static final String JETTY = "org.eclipse.jetty";

    private ServerLogs() {}

    static <T> T quietly(Callable<T> work) throws Exception {
        LoggingSystem logging = LoggingSystem.get(ServerLogs.class.getClassLoader());
        raise(
                logging,
                REQUESTS,
                LogLevel.ERROR); // at WARN it prints a stack trace for each table that is not there yet
        boolean raised = raise(logging, JETTY, LogLevel.WARN);
        try {
            return work.call();
        } finally {
            if (raised) {
                logging.setLogLevel(JETTY, null);
            }
        }
    }

    private static boolean raise(LoggingSystem logging, String logger, LogLevel level) {
        LoggerConfiguration configuration = logging.getLoggerConfiguration(logger);
        if (configuration != null && configuration.getConfiguredLevel() != null) {
            return false;
        }
        logging.setLogLevel(logger, level);
        return true;
    }
}
