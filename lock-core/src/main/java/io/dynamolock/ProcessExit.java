/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.time.Durations;
import io.dynamolock.time.ThreadParker;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Exits a process whose application has not configured how to be shut down. Exiting runs shutdown hooks, which may wait
 * for the very work that must not go on, for as long as that hangs: a process that is still alive after the timeout is
 * halted.
 */
final class ProcessExit implements Consumer<LeaseLost> {

    private static final Logger LOG = LoggerFactory.getLogger(ProcessExit.class);

    private static final int EXIT_STATUS = 1;

    /** Time for the shutdown hooks, after the grace period that a closing manager allows for the work. */
    private static final long HOOK_TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final long timeoutNanos;
    private final IntConsumer exit;
    private final IntConsumer halt;

    /** Creates the exit of this process. */
    ProcessExit(Duration shutdownGrace) {
        this(Durations.nanos(shutdownGrace) + HOOK_TIMEOUT_NANOS, System::exit, Runtime.getRuntime()::halt);
    }

    ProcessExit(long timeoutNanos, IntConsumer exit, IntConsumer halt) {
        this.timeoutNanos = timeoutNanos;
        this.exit = exit;
        this.halt = halt;
    }

    @Override
    public void accept(LeaseLost loss) {
        Thread halting = startHalting();
        exit.accept(EXIT_STATUS);
        if (halting != null) {
            halting.interrupt();
        }
    }

    private @Nullable Thread startHalting() {
        try {
            Thread halting = new Thread(this::haltLater, "dynamolock-halt");
            halting.setDaemon(true);
            halting.start();
            return halting;
        } catch (Throwable noThread) {
            LOG.warn("No thread can be started to halt a process whose shutdown hooks hang", noThread);
            return null;
        }
    }

    private void haltLater() {
        try {
            new ThreadParker().await(timeoutNanos);
            halt.accept(EXIT_STATUS);
        } catch (InterruptedException exited) {
            Thread.currentThread().interrupt();
        }
    }
}
