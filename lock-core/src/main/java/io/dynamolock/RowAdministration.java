/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.LockListener.Operation;
import io.dynamolock.LockStore.Response;
import io.dynamolock.LockWrite.ForceFree;
import io.dynamolock.LockWrite.Release;
import io.dynamolock.LockWrite.Rest;
import io.dynamolock.time.Durations;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Operator actions on the row of one lock, whoever holds it. Created for one action. */
final class RowAdministration {

    private static final Logger LOG = LoggerFactory.getLogger(RowAdministration.class);

    private final EngineContext context;
    private final String name;
    private final String storedName;
    private final Duration attemptTimeout;
    private final Duration timeout;
    private final RetryBudget budget;

    RowAdministration(EngineContext context, String name) {
        this.context = context;
        this.name = name;
        this.storedName = context.names.toStored(name);
        Duration lease = context.settings.leaseDuration();
        this.attemptTimeout = context.attemptTimeout(lease);
        this.timeout = context.callTimeout(lease);
        this.budget = context.client.budget(timeout);
    }

    /** Returns the state of the lock. */
    LockState inspect() {
        LockRow row = context.client
                .withRetries(
                        name,
                        Operation.READ,
                        budget,
                        attemptTimeout,
                        timeouts -> context.client.read(name, storedName, true, timeouts))
                .row();
        ClockReading now = context.clock.now();
        boolean takeable = false;
        if (row != null) {
            context.observations.observed(storedName, row, now.nanos());
            takeable = context.observations.isTakeable(storedName, row, now);
            context.corruptRows.check(name, row, takeable, now);
        }
        return LockState.of(name, row, takeable);
    }

    /** Marks the lease as revoked if it holds the lock; returns whether it did. */
    boolean revoke(String leaseId) {
        return context.client
                .withRetries(
                        name,
                        Operation.REVOKE,
                        budget,
                        attemptTimeout,
                        timeouts -> context.client.revoke(name, storedName, leaseId, timeouts))
                .applied();
    }

    /** Frees the lock if this lease holds it; returns whether it did. */
    boolean release(String leaseId) {
        boolean freed =
                send(new Release(storedName, leaseId, context.clock.now().latestStoreTime(), null), budget);
        if (freed) {
            LOG.warn("Lock '{}' was released by force; its holder, if any, may still be at work", name);
        }
        return freed;
    }

    /** Changes how long the lock stays taken if this lease was released; returns whether it was. */
    boolean keep(String leaseId, Duration keep) {
        LockRow row = context.client
                .readAndSampleClock(
                        name, budget, attemptTimeout, timeouts -> context.client.read(name, storedName, true, timeouts))
                .row();
        if (row == null || !isKept(row, leaseId)) {
            return false;
        }
        ClockReading now = context.clock.now();
        RetryBudget writeBudget = context.client.budget(timeout);
        if (keep.isZero()) {
            return endKeep(row, leaseId, now, writeBudget);
        }
        long number = Math.min(Objects.requireNonNull(row.renewals()) + 1, Rest.LAST);
        Rest rest = LeaseGrant.rest(Durations.wholeMillis(keep), now, number);
        Release write = new Release(storedName, leaseId, now.latestStoreTime(), rest);
        Response response =
                write(writeBudget, false, timeouts -> context.client.release(name, Operation.RELEASE, write, timeouts));
        context.observeKept(write, response, row);
        // Rejected by a change at the same time, which counts as the later one, or by another copy of this write
        return response.applied() || isKept(response.row(), leaseId);
    }

    /** Frees a kept lock as it was read, so that a late copy does not undo a later change. */
    private boolean endKeep(LockRow row, String leaseId, ClockReading now, RetryBudget writeBudget) {
        ForceFree write = new ForceFree(storedName, row, row.highestToken(), now.latestStoreTime());
        Response response = write(writeBudget, true, timeouts -> context.client.forceFree(name, write, timeouts));
        if (isFreed(write, response, writeBudget)) {
            context.waitQueues.handOff(storedName);
            return true;
        }
        return isKept(response.row(), leaseId); // by a change at the same time, which counts as the later one
    }

    private static boolean isFreed(ForceFree write, Response response, RetryBudget writeBudget) {
        return response.applied()
                || (writeBudget.anyUnanswered() && ConditionFailures.isForceFreed(write.seen(), response.row()));
    }

    private static boolean isKept(@Nullable LockRow row, String leaseId) {
        return row != null && row.isKept() && row.isHeldBy(leaseId);
    }

    /** Frees the lock, and hands it to a local waiter; returns whether the release was applied. */
    private boolean send(Release write, RetryBudget writeBudget) {
        Response response =
                write(writeBudget, true, timeouts -> context.client.release(name, Operation.RELEASE, write, timeouts));
        boolean freed = ConditionFailures.ofRelease(write, response, writeBudget.anyUnanswered(), false)
                == ReleaseOutcome.RELEASED;
        if (freed) {
            context.waitQueues.handOff(storedName);
        }
        return freed;
    }

    /** Writes. If that may have freed the lock without a response, the first waiter of this process tries next. */
    private Response write(RetryBudget writeBudget, boolean frees, Function<RequestTimeouts, Response> request) {
        try {
            return context.client.withRetries(name, Operation.RELEASE, writeBudget, attemptTimeout, request);
        } catch (LockStoreException failure) {
            if (frees && writeBudget.anyUnanswered()) {
                context.waitQueues.handOff(storedName);
            }
            throw failure;
        }
    }

    /** Frees the lock whatever its row contains; returns the state it had, or empty if there was nothing to free. */
    Optional<LockState> free() {
        RetryBudget writeBudget = context.client.budget(timeout, context.clock.nanos() + Durations.nanos(timeout));
        LockRow observedRow = context.client
                .readAndSampleClock(
                        name, budget, attemptTimeout, timeouts -> context.client.readToFree(name, storedName, timeouts))
                .row();
        if (observedRow == null || (observedRow.isFree() && !observedRow.isClosed())) {
            return Optional.empty();
        }
        requireKnownFormat(observedRow);
        ClockReading now = context.clock.now();
        if (!FencingTokens.canPropose(now)) {
            throw context.implausibleClock(name);
        }
        long lastToken = observedRow.fencingToken() == null ? 0 : observedRow.fencingToken();
        ForceFree write = new ForceFree(
                storedName, observedRow, context.tokens.propose(now, lastToken, 0), now.latestStoreTime());
        Response response = write(writeBudget, true, timeouts -> context.client.forceFree(name, write, timeouts));
        if (!isFreed(write, response, writeBudget)) {
            requireKnownFormat(response.row());
            throw new LockStoreException(
                    name,
                    "Lock '%s' was not freed: its row was changed meanwhile. Try again".formatted(name),
                    null,
                    false,
                    true,
                    true);
        }
        LOG.warn(
                "Lock '{}' was freed by force{}; its next fencing token is above {}",
                name,
                formerUse(observedRow),
                write.floorAfter());
        context.observations.forget(storedName);
        context.corruptRows.forget(name);
        context.waitQueues.handOff(storedName);
        return Optional.of(LockState.of(name, observedRow, false));
    }

    private static String formerUse(LockRow row) {
        if (row.isFree()) {
            return ", held by nobody";
        }
        return row.isKept()
                ? ", kept after its release by " + holder(row)
                : " from " + holder(row) + ", which may still be at work";
    }

    private static String holder(LockRow row) {
        return row.owner() == null ? "an unknown owner" : "'" + row.owner() + "'";
    }

    private void requireKnownFormat(@Nullable LockRow row) {
        if (row != null && row.laterFormat()) {
            throw new IllegalStateException(
                    "Lock '%s' is held by a later version of this library, which must release it itself"
                            .formatted(name));
        }
    }
}
