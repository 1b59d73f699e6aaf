/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The end of a manager. Waits end at once; leases that nobody works under are released in parallel; work under a lease may go
 * on, and its lease is kept alive, for the grace period; what is left then is no longer renewed and runs out by itself, since
 * a lock must not be free while its work still runs. The heartbeat stops last.
 */
final class Shutdown {

    private static final Logger LOG = LoggerFactory.getLogger(Shutdown.class);

    private static final long LOOK_MILLIS = 10;
    private static final Duration LAST_PATIENCE = Duration.ofSeconds(5);

    private final Engine engine;
    private final Thread closer;

    /** With the thread that wants it: it cannot be at work under a lease meanwhile. */
    Shutdown(Engine engine, Thread closer) {
        this.engine = engine;
        this.closer = closer;
    }

    void run() {
        List.copyOf(engine.acquisitions).forEach(Acquisition::wake);
        engine.undo.hurry();
        releaseIdle();
        await(() -> engine.held.isEmpty() && engine.releasing.isEmpty(), engine.settings.shutdownGrace());
        for (HeldLease busy : List.copyOf(engine.held)) {
            LOG.warn(
                    "Work under lock '{}' has not ended within the grace period; its lease runs out by itself",
                    busy.name());
            busy.lose(LeaseLost.Reason.CLOSED, null);
        }
        await(engine::isSettled, LAST_PATIENCE);
        engine.tasks.close(LAST_PATIENCE);
        engine.undo.stop();
        List.copyOf(engine.acquisitions).forEach(Acquisition::stopped);
    }

    private void releaseIdle() {
        List<HeldLease> idle = new ArrayList<>();
        for (HeldLease lease : List.copyOf(engine.held)) {
            if (lease.isIdle(closer)) {
                idle.add(lease);
            }
        }
        InFlight open = new InFlight(engine.tasks::pause);
        for (HeldLease lease : idle) {
            open.enter();
            engine.tasks.work(Tasks.Rank.RELEASE, () -> {
                try {
                    lease.lose(LeaseLost.Reason.CLOSED, null);
                    lease.release();
                } catch (LockStoreException logged) {
                    LOG.debug("Lock '{}' runs out by itself", lease.name(), logged);
                } finally {
                    open.exit();
                }
            });
        }
        await(open::isNone, engine.settings.callTimeoutFor(engine.settings.leaseDuration()));
    }

    private void await(BooleanSupplier done, Duration patience) {
        Pause pause = engine.tasks.pause();
        long deadline = pause.nanos() + Durations.nanos(patience);
        try {
            while (!done.getAsBoolean() && pause.nanos() - deadline < 0) {
                pause.await(TimeUnit.MILLISECONDS.toNanos(LOOK_MILLIS));
            }
        } catch (InterruptedException hurry) {
            Thread.currentThread().interrupt();
        }
    }
}
