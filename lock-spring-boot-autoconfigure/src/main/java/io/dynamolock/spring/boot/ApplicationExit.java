/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import io.dynamolock.LeaseLost;
import java.time.Duration;
import java.util.List;
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
 * Terminates an application that must not continue without a lock: closes its context, then exits with its exit code.
 * Beans and shutdown hooks may wait for the very work that must not continue, and so may never return: a process that
 * has not exited after a timeout is halted.
 */
final class ApplicationExit implements Consumer<LeaseLost> {

    private static final Logger LOG = LoggerFactory.getLogger(ApplicationExit.class);
    private static final int STATUS = 1;

    private static final String PHASE_TIMEOUT = "spring.lifecycle.timeout-per-shutdown-phase";
    private static final Duration DEFAULT_PHASE_TIMEOUT = Duration.ofSeconds(30);
    private static final List<String> EXECUTORS = List.of("spring.task.execution", "spring.task.scheduling");

    /** Time for destroy callbacks and shutdown hooks, as without Spring. */
    private static final long HOOKS_MILLIS = TimeUnit.SECONDS.toMillis(10);

    private final ApplicationContext application;
    private final LongSupplier haltTimeoutMillis;
    private final IntConsumer exit;
    private final IntConsumer halt;

    /**
     * Creates an exit.
     *
     * @param application the context to close
     * @param haltTimeoutMillis the timeout of the shutdown
     * @param exit exits the process
     * @param halt halts the process immediately
     */
    ApplicationExit(
            ApplicationContext application, LongSupplier haltTimeoutMillis, IntConsumer exit, IntConsumer halt) {
        this.application = application;
        this.haltTimeoutMillis = haltTimeoutMillis;
        this.exit = exit;
        this.halt = halt;
    }

    /**
     * Returns the timeout of a shutdown: the grace period, one whole shutdown phase, how long Spring Boot's executors
     * await their tasks, and 10 s for destroy callbacks and shutdown hooks. An application that needs several whole
     * phases is halted before they have ended.
     */
    static long haltTimeoutMillis(Duration gracePeriod, Environment environment) {
        Binder properties = Binder.get(environment);
        Duration phase = properties.bind(PHASE_TIMEOUT, Duration.class).orElse(DEFAULT_PHASE_TIMEOUT);
        long awaited = EXECUTORS.stream()
                .mapToLong(executor -> bounded(properties
                        .bind(executor + ".shutdown.await-termination-period", Duration.class)
                        .orElse(Duration.ZERO)))
                .sum();
        return bounded(gracePeriod) + bounded(phase) + awaited + HOOKS_MILLIS;
    }

    private static long bounded(Duration duration) {
        return Math.min(TimeUnit.MILLISECONDS.convert(duration), Long.MAX_VALUE / 8);
    }

    @Override
    public void accept(LeaseLost loss) {
        exit("lock '%s' was lost (dynamolock.on-lost)".formatted(loss.name()));
    }

    /** Terminates the application on a thread of its own, for a callback that the shutdown may wait for. */
    void exitOnThread(String reason) {
        try {
            new Thread(() -> exit(reason), "dynamolock-exit").start();
        } catch (Throwable noThread) {
            LOG.warn("Thread 'dynamolock-exit' cannot be started: {}", noThread.toString());
            exit(reason);
        }
    }

    /**
     * Terminates the application for a reason that is logged. The thread that halts it is no daemon: the process would
     * end with status 0 when the last thread of the application ends while its context closes.
     */
    void exit(String reason) {
        Thread halting = new Thread(this::haltLater, "dynamolock-halt");
        halting.setDaemon(false);
        LOG.error("Shutting down the application, because {}", reason);
        try {
            halting.start();
        } catch (Throwable noThread) {
            LOG.warn("Cannot start the thread that halts the application if its shutdown hangs", noThread);
        }
        int status = STATUS;
        try {
            status = SpringApplication.exit(application, () -> STATUS);
        } catch (Throwable failure) {
            LOG.error("The shutdown of the application has failed", failure);
        } finally {
            exit.accept(status);
            halting.interrupt();
        }
    }

    private void haltLater() {
        try {
            TimeUnit.MILLISECONDS.sleep(haltTimeoutMillis.getAsLong());
            halt.accept(STATUS);
        } catch (InterruptedException exited) {
            Thread.currentThread().interrupt();
        }
    }
}
