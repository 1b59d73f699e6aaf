/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends a process whose application does not say how it wants to be ended. Exiting runs shutdown hooks, which may wait for the
 * very work that must not go on, and for as long as that hangs: a process that is still there after a while is halted.
 */
final class ProcessExit implements Consumer<LeaseLost> {

    private static final Logger LOG = LoggerFactory.getLogger(ProcessExit.class);

    private static final int STATUS = 1;

    /** For the hooks, after the grace period that a closing manager gives the work. */
    private static final long HOOKS_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final long patienceNanos;
    private final IntConsumer exit;
    private final IntConsumer halt;

    /** Creates the end of this process. */
    ProcessExit(Duration shutdownGrace) {
        this(Durations.nanos(shutdownGrace) + HOOKS_NANOS, System::exit, Runtime.getRuntime()::halt);
    }

    ProcessExit(long patienceNanos, IntConsumer exit, IntConsumer halt) {
        this.patienceNanos = patienceNanos;
        this.exit = exit;
        this.halt = halt;
    }

    @Override
    public void accept(LeaseLost loss) {
        Thread halting = new Thread(this::haltLater, "dynamolock-halt");
        halting.setDaemon(true);
        try {
            halting.start();
        } catch (Throwable noThread) {
            LOG.warn("No thread can be started to halt a process whose shutdown hooks hang", noThread);
        }
        exit.accept(STATUS);
        halting.interrupt();
    }

    private void haltLater() {
        try {
            TimeUnit.NANOSECONDS.sleep(patienceNanos);
            halt.accept(STATUS);
        } catch (InterruptedException exited) {
            Thread.currentThread().interrupt();
        }
    }
}
