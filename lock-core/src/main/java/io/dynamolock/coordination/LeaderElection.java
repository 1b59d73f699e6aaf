/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.coordination;

import io.dynamolock.InvalidSettingException;
import io.dynamolock.Lease;
import io.dynamolock.LeasedWork;
import io.dynamolock.LockDiagnostics;
import io.dynamolock.LockManager;
import io.dynamolock.LockManagerClosedException;
import io.dynamolock.LockRequest;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Elects one leader among all processes: the one that holds a lock. A candidate waits for it, by reads as long as the
 * leader stays the same; the leader keeps its lease by the heartbeat; if it is lost, the process is a candidate again.
 *
 * <p>Two processes are never leaders at once, as {@link #isLeader()} is that of {@link Lease#isHeld()}: false before
 * another process can be elected. What must not happen twice needs the fencing token of {@link #lease()} nonetheless,
 * as a process can be paused after it has asked.
 *
 * <p>Callbacks run one at a time, in the order of events: after an election, the next one waits until the revocation
 * callbacks have returned. They run on a thread that the election starts for them, and should return soon: a leader's
 * work belongs to a thread of its own. An exception is logged; one of an election callback, which may have left the
 * leader's work undone, also ends the leadership, with the revocation callbacks, and the process is a candidate again
 * after the delay of a failed attempt.
 *
 * <p>A candidate has no thread. If its store fails, it tries again after a second, later up to every half minute, with
 * jitter; so does one whose manager drains. It gives up when the manager is closed. On a manager that
 * {@linkplain LockManager#unlocked() does not lock}, each process is a leader. Thread-safe.
 *
 * @since 0.1
 */
public final class LeaderElection implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(LeaderElection.class);
    private static final Duration CAMPAIGN = Duration.ofDays(1);
    private static final Duration STOP_WAIT = Duration.ofSeconds(10);

    private final LockManager locks;
    private final LockRequest request;
    private final Retries retries;
    private final SerialTasks tasks;
    private final ElectionCallbacks callbacks;
    private final SharedWait stopWait;

    private record Leadership(long term, Lease lease) {}

    private volatile @Nullable Leadership leading;
    private volatile @Nullable Leadership announced; // to the callbacks, until its end is
    private volatile long term; // odd while started; each start and stop begins a new one
    private volatile @Nullable CompletableFuture<Optional<Lease>> campaign;

    LeaderElection(LockManager locks, LockRequest request, Retries retries, FutureAwaiter awaiter) {
        this.locks = locks;
        this.request = Requests.forOne(locks, request).reentrant(false).waitTime(CAMPAIGN);
        this.callbacks = new ElectionCallbacks(request.name());
        this.retries = retries;
        this.stopWait = new SharedWait(LockDiagnostics.clockOf(locks), STOP_WAIT);
        this.tasks = new SerialTasks(retries::now, awaiter);
    }

    /**
     * Returns an election with the manager's defaults.
     *
     * @param locks the manager
     * @param name the lock name
     * @return a new object, not started
     * @throws InvalidSettingException if the name is not allowed
     */
    public static LeaderElection of(LockManager locks, String name) {
        return of(locks, LockRequest.of(name));
    }

    /**
     * Returns an election whose leases have the options of a request, for example the lease duration, which limits how
     * long a dead leader's place stays empty, and metadata.
     *
     * @param locks the manager
     * @param request for one lock; its wait time and reentrancy have no effect
     * @return a new object, not started
     * @throws IllegalArgumentException if the request is for several locks
     * @throws InvalidSettingException if the manager would always reject the request
     */
    public static LeaderElection of(LockManager locks, LockRequest request) {
        return new LeaderElection(locks, request, Retries.ofJdk(), FutureAwaiter.ofThread());
    }

    /**
     * Registers a callback for elections of this process that begin later: register it before the start.
     *
     * @param action gets the lease, which it must not release: {@link #stop()} does that. If it throws, or has released
     *     the lease, this leadership ends
     * @return this election
     */
    public LeaderElection onElected(Consumer<Lease> action) {
        callbacks.onElected(Objects.requireNonNull(action, "action"));
        return this;
    }

    /**
     * Registers a callback for the end of a leadership of this process: it was lost, or the election is stopped, in
     * which case the lock is released after the callback has returned.
     *
     * @param action runs once for each election
     * @return this election
     */
    public LeaderElection onRevoked(Runnable action) {
        callbacks.onRevoked(Objects.requireNonNull(action, "action"));
        return this;
    }

    /**
     * Makes this process a candidate. Returns immediately. Has no effect on an election that is started.
     *
     * @throws IllegalStateException if the manager is closed
     */
    public void start() {
        long begun;
        synchronized (this) {
            if (isStarted()) {
                return;
            }
            begun = ++term;
        }
        retries.reset();
        campaign(begun);
        LockManagerClosedException closed = Attempts.closed(campaign);
        if (closed != null) {
            stop();
            throw closed;
        }
    }

    private boolean isStarted() {
        return term % 2 == 1;
    }

    /** {@return whether this process is the leader: a check of local clocks, as {@link Lease#isHeld()}} */
    public boolean isLeader() {
        return lease().isPresent();
    }

    /**
     * Returns the lease of the leader. If it is released, this process neither leads nor is a candidate until it is
     * stopped.
     *
     * @return empty if this process is not the leader
     */
    public Optional<Lease> lease() {
        return Optional.ofNullable(leading)
                .filter(current -> current.term == term && current.lease.isHeld())
                .map(Leadership::lease);
    }

    /**
     * Ends the candidacy or leadership of this process, which leads no longer from the start of this call. Calls the
     * revocation callbacks if it led, then releases the lock. Waits for that, unless a callback calls this: at most ten
     * seconds since the first call that waits for the end of this start. A stopped election can be started again.
     */
    public void stop() {
        if (!tasks.await(end(), stopWait::remaining)) {
            LOG.warn(
                    "Election '{}' is stopped; its lock is released when the running callback has returned",
                    request.name());
        }
    }

    /**
     * Like {@link #stop()}, but waits for nothing: when this returns, the process neither leads nor is a candidate.
     *
     * @return completes after the revocation callbacks and the release
     */
    public CompletionStage<Void> stopAsync() {
        return end().minimalCompletionStage();
    }

    private CompletableFuture<Void> end() {
        CompletableFuture<Optional<Lease>> open = null;
        synchronized (this) {
            if (isStarted()) {
                term++;
                open = campaign;
                stopWait.renew();
            }
        }
        if (open != null) {
            open.cancel(true);
        }
        return announced == null && tasks.isIdle()
                ? CompletableFuture.completedFuture(null)
                : tasks.run(this::endFormer);
    }

    /** Stops this election, like {@link #stop()}. */
    @Override
    public void close() {
        stop();
    }

    private void campaign(long begun) {
        if (begun != term) {
            return;
        }
        CompletableFuture<Optional<Lease>> attempt = Attempts.start(locks, request);
        synchronized (this) {
            campaign = begun == term ? attempt : campaign;
        }
        var unused = attempt.whenComplete(
                (result, failure) -> campaignEnded(begun, result == null ? null : result.orElse(null), failure));
        if (begun != term) {
            attempt.cancel(true); // stopped meanwhile
        }
    }

    private void campaignEnded(long begun, @Nullable Lease lease, @Nullable Throwable failure) {
        if (lease != null) {
            Leadership won = new Leadership(begun, lease);
            var unused = tasks.run(() -> elected(won), () -> {
                leading = begun == term ? won : leading; // also before a start has returned
            });
        } else if (begun == term && failure != null) {
            failed(begun, Attempts.cause(failure));
        } else if (begun == term) {
            campaignLater(begun); // a manager that grants nothing would take the thread for ever
        }
    }

    private void failed(long begun, Throwable failure) {
        if (failure instanceof LockManagerClosedException) {
            LOG.debug("Election '{}' has ended with its manager", request.name());
            return;
        }
        LOG.warn("Election '{}' failed and is retried: {}", request.name(), failure.getMessage());
        campaignLater(begun);
    }

    private void campaignLater(long begun) {
        retries.later(() -> campaign(begun));
    }

    private void elected(Leadership won) {
        endFormer();
        if (won.term != term || !won.lease.isHeld()) { // stopped or lost meanwhile
            LeasedWork.endUnused(won.lease);
            campaignLater(won.term);
            return;
        }
        leading = won;
        announced = won;
        won.lease.onLost(loss -> {
            var unused = tasks.run(() -> lost(won)); // before callbacks of the application, which may not return
        });
        boolean accepted = callbacks.elected(won.lease);
        if (won.term == term && (!accepted || Attempts.isReleased(won.lease))) {
            resign(won);
            campaignLater(won.term);
        } else if (won.term == term) { // otherwise stopped meanwhile: the revocation follows
            retries.reset();
        }
    }

    private void lost(Leadership former) {
        if (former.equals(announced)) {
            resign(former); // removes what is left in the row
            campaign(former.term);
        }
    }

    /** Ends a leadership of an earlier term. */
    private void endFormer() {
        Leadership former = announced;
        if (former != null && former.term != term) {
            resign(former);
        }
    }

    private void resign(Leadership current) {
        announced = null;
        leading = null;
        callbacks.revoked();
        Attempts.releaseQuietly(current.lease);
    }

    @Override
    public String toString() {
        return "LeaderElection[%s, %s]"
                .formatted(request.name(), isLeader() ? "leader" : isStarted() ? "candidate" : "stopped");
    }
}
