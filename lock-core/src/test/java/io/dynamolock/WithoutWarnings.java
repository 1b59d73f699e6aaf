/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.slf4j.LoggerFactory;

/** Suppresses warnings of the library in tests in which hundreds of locks fail. */
public final class WithoutWarnings implements BeforeEachCallback, AfterEachCallback {

    private static final Logger LOGGER = (Logger) LoggerFactory.getLogger("io.dynamolock");

    static void silence() {
        LOGGER.setLevel(Level.ERROR);
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        silence();
    }

    @Override
    public void afterEach(ExtensionContext context) {
        LOGGER.setLevel(Level.INFO);
    }
}
