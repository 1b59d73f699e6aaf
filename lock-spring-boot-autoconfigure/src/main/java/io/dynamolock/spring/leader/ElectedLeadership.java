/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.leader;

import io.dynamolock.Lease;
import io.dynamolock.coordination.LeaderElection;
import io.dynamolock.spring.ForeignCode;
import io.dynamolock.spring.Leadership;
import io.dynamolock.spring.LeadershipEvent;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.SmartLifecycle;

/**
 * Leadership by an election that starts and stops with the application context. It stops after schedulers and web
 * servers, whose work may be that of the leader, so that the next leader starts after this work has ended.
 *
 * @since 0.1
 */
public final class ElectedLeadership implements Leadership, SmartLifecycle {

    /** As {@link LeaderElection#stop()} waits. */
    private static final long LISTENER_MILLIS = 10_000;

    private static final Logger LOG = LoggerFactory.getLogger(ElectedLeadership.class);

    private final LeaderElection election;
    private final String name;
    private final ApplicationEventPublisher events;
    private final boolean endsWithLoss;
    private final Runnable onLoss;
    private final int phase;
    private final BooleanSupplier endsLate;

    /** Held while listeners run, so that events come in order. */
    private final ReentrantLock publishing = new ReentrantLock();

    /** The lease of a leadership that is neither lost nor stopped. */
    private final AtomicReference<@Nullable Lease> leading = new AtomicReference<>();

    private volatile boolean lost;
    private boolean granted;
    private volatile boolean running;
    private volatile boolean ending;

    /**
     * Creates a leadership that is not started.
     *
     * @param election the election, whose callbacks publish the events
     * @param name the lock of the leader
     * @param events the publisher of the events
     * @param endsWithLoss whether the election is stopped by a loss, so that this process is no candidate again
     * @param onLoss called once for each loss of leadership, before the event is published; not called on a stop
     * @param phase the phase of the lifecycle
     * @param endsLate asked by a leader that stops: whether its work may still run. It then leads no longer, but keeps
     *     the lock until whoever closes the manager stops the election, so that no other process leads meanwhile
     */
    public ElectedLeadership(
            LeaderElection election,
            String name,
            ApplicationEventPublisher events,
            boolean endsWithLoss,
            Runnable onLoss,
            int phase,
            BooleanSupplier endsLate) {
        this.election = election;
        this.name = name;
        this.events = events;
        this.endsWithLoss = endsWithLoss;
        this.onLoss = onLoss;
        this.phase = phase;
        this.endsLate = endsLate;
        election.onElected(this::elected);
        election.onRevoked(this::revoked); // not chained: a mock of an election returns null
    }

    private void elected(Lease lease) {
        lost = false;
        leading.set(lease);
        lease.onLost(loss -> lost(lease));
        inTurn(() -> {
            if (!ending) {
                publishGranted(lease);
            }
            if (ending) {
                endGranted();
            }
        });
    }

    private void publishGranted(Lease lease) {
        granted = true;
        LOG.info("This process leads '{}' with fencing token {}", name, lease.fencingToken());
        ForeignCode.run(
                () -> events.publishEvent(new LeadershipEvent.Granted(name, lease.fencingToken())),
                failure -> LOG.error("A listener failed when this process began to lead '{}'", name, failure));
    }

    private void revoked() {
        lost(leading.get());
        inTurn(this::endGranted);
        if (ending) {
            election.stop(); // otherwise it could be elected again after a loss
        }
    }

    /** Does not wait for listeners, which could keep a process alive that is to exit. */
    private void lost(@Nullable Lease lease) {
        if (running && lease != null && lease == leading.get()) {
            if (endsWithLoss) {
                var unused = election.stopAsync(); // first: whoever finds this loss noticed finds the election stopped
            }
            if (leading.compareAndSet(lease, null)) {
                lost = true;
                onLoss.run();
            }
        }
    }

    private void endGranted() {
        if (granted) {
            granted = false;
            LOG.atLevel(lost ? Level.WARN : Level.INFO).log("This process does not lead '{}' any more", name);
            ForeignCode.run(
                    () -> events.publishEvent(new LeadershipEvent.Revoked(name)),
                    failure -> LOG.error("A listener failed when the leadership of '{}' ended", name, failure));
        }
    }

    private void inTurn(Runnable action) {
        publishing.lock();
        try {
            action.run();
        } finally {
            publishing.unlock();
        }
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public boolean isLeader() {
        return !ending && election.isLeader();
    }

    @Override
    public Optional<Lease> lease() {
        return ending ? Optional.empty() : election.lease();
    }

    @Override
    public void start() {
        running = true;
        ending = false;
        election.start();
    }

    @Override
    public void stop() {
        running = false;
        leading.set(null); // what follows is no loss
        boolean late = election.isLeader() && endsLate.getAsBoolean();
        ending = late;
        if (!publishing.isHeldByCurrentThread()) {
            awaitOnThread(() -> end(late));
        } else if (!late) { // called by a listener, after which the rest follows
            election.stop();
        }
    }

    /** Returns after the listeners that are still called, as after a loss that makes the application exit. */
    private void end(boolean late) {
        if (late) {
            inTurn(this::endGranted); // but not the election
        } else {
            election.stop();
            inTurn(() -> {});
        }
    }

    /** Runs an action on a thread of its own, and waits for it, at most ten seconds, and not after an interrupt. */
    private static void awaitOnThread(Runnable action) {
        boolean interrupted = Thread.interrupted();
        Thread thread = new Thread(action, "dynamolock-election");
        thread.setDaemon(true);
        try {
            thread.start();
        } catch (OutOfMemoryError noThread) {
            action.run();
        }
        try {
            thread.join(LISTENER_MILLIS);
        } catch (InterruptedException interrupt) {
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public String toString() {
        return "Leadership[%s, %s]".formatted(name, isLeader() ? "leading" : "not leading");
    }

    /** A paused context goes on to lead: its beans are not stopped. */
    @Override
    public boolean isPauseable() {
        return false;
    }

    @Override
    public int getPhase() {
        return phase;
    }
}
