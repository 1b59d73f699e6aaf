/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.ConditionFailures.RenewRefusal;
import io.dynamolock.LeaseValidity.PendingRenewal;
import io.dynamolock.LockListener.Operation;
import io.dynamolock.LockStore.Response;
import io.dynamolock.LockWrite.Renew;
import io.dynamolock.time.Durations;
import io.dynamolock.time.InFlightRequests;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Renews one lease: for its holder, with retries of the same write, or for the heartbeat, which schedules retries
 * itself. Records each write and its outcome in the {@link LeaseValidity}.
 */
final class LeaseRenewal {

    private static final Logger LOG = LoggerFactory.getLogger(LeaseRenewal.class);

    private final EngineContext context;
    private final Lease lease;
    private final LeaseStatus status;
    private final LeaseGrant grant;
    private final LeaseValidity validity;
    private final InFlightRequests inFlight;
    private final LeaseLossHandler loss;
    private final RiskNotification risk;

    LeaseRenewal(EngineContext context, Lease lease, LeaseStatus status, LeaseLossHandler loss, RiskNotification risk) {
        this.context = context;
        this.lease = lease;
        this.status = status;
        this.grant = status.grant;
        this.validity = status.validity;
        this.inFlight = status.renewals;
        this.loss = loss;
        this.risk = risk;
    }

    /** Waits, within a limit, until no renewal is in flight, so that none is sent after a release has returned. */
    void awaitNone() {
        if (!inFlight.isEmpty()) {
            Duration attempt = context.onlyAttemptTimeout(status.duration());
            inFlight.awaitCompletion(InFlightRequests.waitTimeout(attempt));
        }
    }

    /** Rejects a duration that leases of this manager must not have. */
    void requireAllowed(Duration wanted) {
        SettingsRules.requireLease("leaseDuration", wanted);
        SettingsRules.requireAtMost(wanted, grant.name(), context.settings.maxLeaseDuration());
    }

    /**
     * Renews for the holder.
     *
     * @return false if the lease has ended, or has reached its maximum hold time, so that nothing was sent
     */
    boolean renew(Duration wanted, Runnable beforeSending) {
        inFlight.enter();
        try {
            PendingRenewal renewal = start(wanted);
            if (renewal == null) {
                return false;
            }
            status.duration(wanted);
            beforeSending.run();
            Renew write = grant.renew(renewal, context.lockDelay, false);
            Duration timeout = context.settings.attemptTimeoutFor(wanted);
            Response response = context.client.withRetries(
                    grant.name(),
                    Operation.RENEW,
                    context.client.budget(context.settings.callTimeoutFor(wanted)),
                    timeout,
                    timeouts -> context.client.renew(grant.name(), write, timeouts, status::ensureHeld));
            settle(renewal, write, response);
            return true;
        } catch (LockStoreException failure) {
            failed(failure, Duration.ZERO);
            throw failure;
        } finally {
            inFlight.exit();
        }
    }

    /**
     * Marks the row as detached, by a renewal, once no other one is in flight. The lease is no longer held.
     *
     * @throws LeaseLostException if the lease has ended before the row was marked
     * @throws IllegalStateException if it was released meanwhile
     */
    void markDetached() {
        awaitNone();
        inFlight.enter();
        try {
            ClockReading now = context.clock.now();
            Duration wanted = grant.renewableDuration(status.duration(), now.nanos());
            PendingRenewal renewal;
            synchronized (validity) {
                boolean ended = wanted.toMillis() < 1 || validity.end().isPast(now);
                renewal = ended ? null : validity.startRenewal(now, wanted);
            }
            if (renewal == null) {
                throw ended(loss::onExpired);
            }
            Renew write = grant.renew(renewal, context.lockDelay, true);
            Response response = context.client.withRetries(
                    grant.name(),
                    Operation.RENEW,
                    context.client.budget(context.settings.callTimeoutFor(wanted)),
                    context.settings.attemptTimeoutFor(wanted),
                    timeouts -> context.client.renew(grant.name(), write, timeouts, this::requireTime));
            requireMarked(write, response);
        } finally {
            inFlight.exit();
        }
    }

    private void requireTime() {
        if (status.isPastItsEnd()) {
            throw ended(loss::onExpired);
        }
    }

    /** Ends the lease as lost, unless it was released meanwhile; returns why it cannot be detached. */
    private RuntimeException ended(Runnable report) {
        synchronized (validity) {
            validity.recall();
        }
        report.run();
        return status.notHeld(status.state());
    }

    private void requireMarked(Renew write, Response response) {
        RenewRefusal meaning = ConditionFailures.ofRenewal(write, response);
        if (meaning instanceof RenewRefusal.Gone) {
            throw ended(() -> loss.onRowWithoutLease(response.row()));
        }
        if (meaning instanceof RenewRefusal.Overtaken) {
            throw new LockStoreException(
                    grant.name(),
                    "Lock '%s' was not detached: another writer has renewed its row".formatted(grant.name()),
                    null,
                    false,
                    false,
                    true);
        }
    }

    /** Renews once for the heartbeat. Never throws. Returns whether the next renewal is a regular one, not a retry. */
    boolean renewOnce() {
        long started = context.clock.nanos();
        inFlight.enter();
        try {
            Duration wanted = status.duration();
            PendingRenewal renewal = start(wanted);
            if (renewal != null) {
                Renew write = grant.renew(renewal, context.lockDelay, false);
                Duration timeout = Durations.min(context.settings.attemptTimeoutFor(wanted), status.remaining());
                Duration atLeast = Durations.max(timeout, Duration.ofMillis(1));
                settle(
                        renewal,
                        write,
                        context.client.renew(grant.name(), write, RequestTimeouts.of(atLeast), StoreClient.UNCHECKED));
            }
            return true;
        } catch (Throwable failure) {
            failed(failure, Duration.ofNanos(context.clock.nanos() - started));
            return false;
        } finally {
            inFlight.exit();
        }
    }

    /** Reports a renewal that is overdue because no thread was free to send it. */
    void missed() {
        TimeoutException failure = new TimeoutException("no thread was free to send the renewal");
        status.lastFailure(failure);
        boolean unused = risk.renewalFailed();
        context.runCallback(() -> context.listener.onRenewalFailed(lease, failure, Duration.ZERO));
    }

    /**
     * Starts a renewal; returns null if the lease has ended or has reached its maximum hold time. One reading of the
     * clock limits the duration and starts it: a pause between two would add its length to the maximum hold time.
     */
    private @Nullable PendingRenewal start(Duration wanted) {
        ClockReading now = context.clock.now();
        Duration allowed = grant.renewableDuration(wanted, now.nanos());
        synchronized (validity) {
            return allowed.toMillis() >= 1 && validity.isHeldAt(now) ? validity.startRenewal(now, allowed) : null;
        }
    }

    private void settle(PendingRenewal renewal, Renew write, Response response) {
        RenewRefusal meaning = ConditionFailures.ofRenewal(write, response);
        if (response.row() != null) {
            context.corruptRows.check(grant.name(), response.row(), context.clock.now());
        }
        if (meaning instanceof RenewRefusal.Gone) {
            loss.onRowWithoutLease(response.row());
            return;
        }
        status.lastFailure(null);
        ClockReading now = context.clock.now();
        boolean recovered;
        synchronized (validity) {
            recovered = validity.answered(renewal, meaning, context.lockDelay, now);
        }
        if (recovered) {
            LOG.info("Lock '{}' is renewed again", grant.name());
        }
        context.listener.onRenewed(
                lease, Duration.ofNanos(now.nanos() - renewal.sent().nanos()));
    }

    private void failed(Throwable failure, Duration took) {
        status.lastFailure(failure);
        if (risk.renewalFailed()) {
            LOG.info(
                    "A renewal of lock '{}' failed, retrying until {}: {}",
                    grant.name(),
                    status.expiresAt(),
                    failure.toString());
        }
        if (!status.isReleasedOrDetached()) {
            context.listener.onRenewalFailed(lease, failure, took);
        }
    }
}
