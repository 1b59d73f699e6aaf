/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import io.dynamolock.LeaseLost;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ApplicationContext;

/** Ends an application that must not go on without a lock: closes its context in order, then exits with its exit code. */
final class ApplicationExit implements Consumer<LeaseLost> {

    private static final Logger LOG = LoggerFactory.getLogger(ApplicationExit.class);
    private static final int STATUS = 1;

    private final ApplicationContext application;
    private final IntConsumer exit;

    /**
     * Creates an exit.
     *
     * @param application to be closed
     * @param exit ends the process
     */
    ApplicationExit(ApplicationContext application, IntConsumer exit) {
        this.application = application;
        this.exit = exit;
    }

    @Override
    public void accept(LeaseLost loss) {
        LOG.error(
                "The application ends, because it must not go on without lock '{}' (dynamolock.on-lost)", loss.name());
        exit.accept(SpringApplication.exit(application, () -> STATUS));
    }
}
