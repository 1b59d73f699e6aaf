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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
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

    /** Like the wait of {@link LeaderElection#stop()}. */
    private static final long LISTENER_SECONDS = 10;

    private static final Logger LOG = LoggerFactory.getLogger(ElectedLeadership.class);

    private final LeaderElection election;
    private final String name;
    private final ApplicationEventPublisher events;
    private final Runnable onLoss;
    private final int phase;
    private final BooleanSupplier endsLate;

    /** Held while listeners run, so that events come in order. */
    private final ReentrantLock publishing = new ReentrantLock();

    private boolean granted;
    private volatile boolean running;
    private volatile boolean ending;

    /**
     * Creates a leadership that is not started.
     *
     * @param election the election, whose callbacks publish the events
     * @param name the lock of the leader
     * @param events the publisher of the events
     * @param onLoss called after a loss of leadership, but not when the context stops
     * @param phase the phase of the lifecycle
     * @param endsLate asked by a leader that stops: whether its work may still run. It then leads no longer, but keeps
     *     the lock until whoever closes the manager stops the election, so that no other process leads meanwhile
     */
    public ElectedLeadership(
            LeaderElection election,
            String name,
            ApplicationEventPublisher events,
            Runnable onLoss,
            int phase,
            BooleanSupplier endsLate) {
        this.election = election;
        this.name = name;
        this.events = events;
        this.onLoss = onLoss;
        this.phase = phase;
        this.endsLate = endsLate;
        election.onElected(this::elected).onRevoked(this::revoked);
    }

    private void elected(Lease lease) {
        publishing.lock();
        try {
            if (!ending) {
                publishGranted(lease);
            }
        } finally {
            if (ending) {
                endGranted();
            }
            publishing.unlock();
        }
    }

    private void publishGranted(Lease lease) {
        granted = true;
        LOG.info("This process leads '{}' with fencing token {}", name, lease.fencingToken());
        ForeignCode.run(
                () -> events.publishEvent(new LeadershipEvent.Granted(name, lease.fencingToken())),
                failure -> LOG.error("A listener failed when this process began to lead '{}'", name, failure));
    }

    private void revoked() {
        publishing.lock();
        try {
            endGranted();
        } finally {
            publishing.unlock();
            if (ending) {
                election.stop(); // otherwise it could be elected again after a loss
            }
        }
    }

    private void endGranted() {
        if (granted) {
            granted = false;
            publishRevoked();
        }
    }

    private void publishRevoked() {
        boolean lost = running;
        LOG.atLevel(lost ? Level.WARN : Level.INFO).log("This process does not lead '{}' any more", name);
        try {
            events.publishEvent(new LeadershipEvent.Revoked(name));
        } finally {
            if (lost) {
                onLoss.run();
            }
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
        if (election.isLeader() && endsLate.getAsBoolean()) {
            endLate();
        } else {
            election.stop();
        }
    }

    /** Ends the leadership but not the election. Waits for listeners that are still handling its start. */
    private void endLate() {
        ending = true;
        try {
            if (publishing.tryLock(LISTENER_SECONDS, TimeUnit.SECONDS)) {
                try {
                    ForeignCode.run(
                            this::endGranted,
                            failure -> LOG.error("A listener failed when the leadership of '{}' ended", name, failure));
                } finally {
                    publishing.unlock();
                }
            }
        } catch (InterruptedException interrupt) {
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
