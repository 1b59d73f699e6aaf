/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import io.dynamolock.LeaseLost;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.ApplicationContext;
import org.springframework.core.env.Environment;

/**
 * Ends an application that must not go on without a lock: closes its context in order, then exits with its exit code. Beans and
 * shutdown hooks may wait for the very work that must not go on, and for as long as that hangs: a process that is still there
 * after a while is halted.
 */
final class ApplicationExit implements Consumer<LeaseLost> {

    private static final Logger LOG = LoggerFactory.getLogger(ApplicationExit.class);
    private static final int STATUS = 1;

    private static final String PHASE_TIMEOUT = "spring.lifecycle.timeout-per-shutdown-phase";
    private static final Duration DEFAULT_PHASE_TIMEOUT = Duration.ofSeconds(30);

    /** For destroyed beans and shutdown hooks, as without Spring. */
    private static final long HOOKS_MILLIS = TimeUnit.SECONDS.toMillis(10);

    private final ApplicationContext application;
    private final LongSupplier patienceMillis;
    private final IntConsumer exit;
    private final IntConsumer halt;

    /**
     * Creates an exit.
     *
     * @param application to be closed
     * @param patienceMillis how long the end may take
     * @param exit ends the process
     * @param halt ends the process at once
     */
    ApplicationExit(ApplicationContext application, LongSupplier patienceMillis, IntConsumer exit, IntConsumer halt) {
        this.application = application;
        this.patienceMillis = patienceMillis;
        this.exit = exit;
        this.halt = halt;
    }

    /**
     * How long an end may take: the grace period, one whole shutdown phase, and a while for destroyed beans and hooks. An
     * application that needs several whole phases is halted earlier.
     */
    static long patienceMillis(Duration gracePeriod, Environment environment) {
        Duration phase =
                Binder.get(environment).bind(PHASE_TIMEOUT, Duration.class).orElse(DEFAULT_PHASE_TIMEOUT);
        return bounded(gracePeriod) + bounded(phase) + HOOKS_MILLIS;
    }

    private static long bounded(Duration duration) {
        return Math.min(TimeUnit.MILLISECONDS.convert(duration), Long.MAX_VALUE / 4);
    }

    @Override
    public void accept(LeaseLost loss) {
        Thread halting = new Thread(this::haltLater, "dynamolock-halt");
        halting.setDaemon(true);
        LOG.error(
                "The application ends, because it must not go on without lock '{}' (dynamolock.on-lost)", loss.name());
        try {
            halting.start();
        } catch (Throwable noThread) {
            LOG.warn("No thread can be started to halt an application whose end hangs", noThread);
        }
        exit.accept(SpringApplication.exit(application, () -> STATUS));
        halting.interrupt();
    }

    private void haltLater() {
        try {
            TimeUnit.MILLISECONDS.sleep(patienceMillis.getAsLong());
            halt.accept(STATUS);
        } catch (InterruptedException exited) {
            Thread.currentThread().interrupt();
        }
    }
}
