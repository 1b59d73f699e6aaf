/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.time.Durations;
import io.dynamolock.time.Parker;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes a manager. Waiting acquisitions end immediately. Each open lease is renewed during the grace period, so that
 * its holder can release it or detach it; a lease still open after that is no longer renewed and expires. Nothing is
 * released here: a lease can be passed between threads, so neither an idle nor a dead thread proves that no work runs
 * under it. The heartbeat stops last.
 */
final class Shutdown {

    private static final Logger LOG = LoggerFactory.getLogger(Shutdown.class);

    private static final long POLL_MILLIS = 10;
    private static final Duration FINAL_TIMEOUT = Duration.ofSeconds(5);

    private final EngineContext context;
    private final LeaseRegistry registry;
    private final Undo undo;

    Shutdown(EngineContext context, LeaseRegistry registry, Undo undo) {
        this.context = context;
        this.registry = registry;
        this.undo = undo;
    }

    void run() {
        context.requestLimit.close();
        registry.wakeAcquisitions();
        undo.retryNow();
        awaitHolders();
        List<HeldLease> leftOpen = List.copyOf(registry.held);
        for (HeldLease open : leftOpen) {
            LOG.warn(
                    "Lock '{}' was not released within the grace period; its lease is no longer renewed and expires."
                            + " Release it before closing, or raise the grace period"
                            + " (in Spring, dynamolock.shutdown.grace-period)",
                    open.name());
            open.lose(LeaseLost.Reason.CLOSED);
        }
        await(() -> isSettled(leftOpen), FINAL_TIMEOUT);
        undo.stop();
        context.scheduler.close(FINAL_TIMEOUT);
        for (AcquisitionDriver driver : List.copyOf(registry.acquisitions)) {
            registry.acquisitionEnded(driver);
            driver.stopped();
        }
        List.copyOf(registry.closings).forEach(AsyncClose::stopped);
    }

    /** Whether nothing is in progress that this thread could wait for, including renewals of these leases. */
    boolean isSettled(List<HeldLease> leases) {
        return registry.isSettled()
                && undo.isSettled()
                && leases.stream().allMatch(lease -> lease.status().renewals.noneOnOtherThreads());
    }

    private void awaitHolders() {
        Duration grace = context.settings.shutdownGrace();
        List<String> open =
                List.copyOf(registry.held).stream().map(HeldLease::name).toList();
        if (!open.isEmpty() && !grace.isZero()) {
            LOG.info("Closing waits at most {} for the release of locks {}", Durations.shown(grace), open);
        }
        await(registry::holdsNothing, grace);
    }

    private void await(BooleanSupplier done, Duration timeout) {
        Parker pause = context.scheduler.parker();
        long deadline = pause.nanos() + Durations.nanos(timeout);
        try {
            while (!done.getAsBoolean() && pause.nanos() - deadline < 0) {
                pause.await(TimeUnit.MILLISECONDS.toNanos(POLL_MILLIS));
            }
        } catch (InterruptedException retryNow) {
            Thread.currentThread().interrupt();
        }
    }
}
