/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The end of a manager. Waits end at once; each open lease is kept alive for the grace period, so that its holder can release
 * it or hand it over; what is still open then is no longer renewed and runs out by itself. Nothing is released here: a lease
 * can be handed from thread to thread, so neither an idle nor a dead thread proves that nobody works under it. The heartbeat
 * stops last.
 */
final class Shutdown {

    private static final Logger LOG = LoggerFactory.getLogger(Shutdown.class);

    private static final long LOOK_MILLIS = 10;
    private static final Duration LAST_PATIENCE = Duration.ofSeconds(5);

    private final EngineContext context;

    Shutdown(EngineContext context) {
        this.context = context;
    }

    void run() {
        context.client.close();
        List.copyOf(context.acquisitions).forEach(Acquisition::wake);
        context.undo.retryNow();
        awaitHolders();
        List<HeldLease> leftOpen = List.copyOf(context.held);
        for (HeldLease open : leftOpen) {
            LOG.warn(
                    "Lock '{}' was not released within the grace period; its lease is no longer renewed and runs out by"
                            + " itself. Release it before closing, or raise shutdownGrace",
                    open.name());
            open.lose(LeaseLost.Reason.CLOSED, null);
        }
        await(() -> context.isSettled() && leftOpen.stream().noneMatch(HeldLease::isBeingRenewed), LAST_PATIENCE);
        context.undo.stop();
        context.scheduler.close(LAST_PATIENCE);
        List.copyOf(context.acquisitions).forEach(Acquisition::stopped);
        List.copyOf(context.closings).forEach(AsyncClose::stopped);
    }

    private void awaitHolders() {
        Duration grace = context.settings.shutdownGrace();
        List<String> open =
                List.copyOf(context.held).stream().map(HeldLease::name).toList();
        if (!open.isEmpty() && !grace.isZero()) {
            LOG.info("Closing waits at most {} for the holders of locks {}", grace, open);
        }
        await(() -> context.held.isEmpty() && context.releasing.isEmpty(), grace);
    }

    private void await(BooleanSupplier done, Duration patience) {
        Parker pause = context.scheduler.parker();
        long deadline = pause.nanos() + Durations.nanos(patience);
        try {
            while (!done.getAsBoolean() && pause.nanos() - deadline < 0) {
                pause.await(TimeUnit.MILLISECONDS.toNanos(LOOK_MILLIS));
            }
        } catch (InterruptedException retryNow) {
            Thread.currentThread().interrupt();
        }
    }
}
