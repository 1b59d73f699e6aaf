/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import java.util.function.Supplier;
import org.slf4j.LoggerFactory;

/** Suppresses warnings of the library about simulated faults. */
final class SimQuiet {

    private SimQuiet() {}

    static void quietly(Runnable action) {
        var unused = quietly(() -> {
            action.run();
            return true;
        });
    }

    static <T> T quietly(Supplier<T> action) {
        Logger logger = (Logger) LoggerFactory.getLogger("io.dynamolock");
        Level before = logger.getLevel();
        logger.setLevel(Level.OFF);
        try {
            return action.get();
        } finally {
            logger.setLevel(before);
        }
    }
}
