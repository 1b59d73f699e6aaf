/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.ConditionFailures.RenewRefusal;
import io.dynamolock.LeaseLost.Reason;
import io.dynamolock.LockGuard.HeldBy;
import io.dynamolock.LockListener.Operation;
import io.dynamolock.LockStore.Response;
import io.dynamolock.LockWrite.Acquire;
import io.dynamolock.Proposal.Verdict;
import io.dynamolock.time.Durations;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Resumes a detached lease: reads its row, then replaces the lease by a new one in a single write, on condition that
 * the old lease still holds the lock and is detached. So two processes never share a lease id, and a token can be used
 * only once.
 */
final class Resumption implements AcquisitionDriver {

    private static final int MAX_PROPOSALS = 5;

    private final AcquireContext acquire;
    private final EngineContext context;
    private final String owner;
    private final Thread thread = Thread.currentThread();

    Resumption(AcquireContext acquire) {
        this.acquire = acquire;
        this.context = acquire.engine();
        this.owner = acquire.owner();
    }

    /** The resumption goes on, and its last step detects that the manager closes or drains. */
    @Override
    public void wake() {}

    @Override
    public boolean isOnThisThread() {
        return thread == Thread.currentThread();
    }

    Lease resume(LeaseToken token) {
        HeldLease lease;
        acquire.hooks().acquisitionBegun(this); // first, so that a closing manager waits for it
        try {
            RuntimeException rejection = acquire.hooks().rejection();
            if (rejection != null) {
                throw rejection;
            }
            lease = resumeNow(token);
        } finally {
            acquire.hooks().acquisitionEnded(this);
        }
        context.listener.onAcquired(lease, lease.age(), Duration.ZERO);
        return lease;
    }

    private HeldLease resumeNow(LeaseToken token) {
        String name = nameOf(token);
        Duration callTimeout = context.callTimeout(context.settings.leaseDuration());
        RetryBudget budget = context.client.budget(callTimeout, context.clock.nanos() + Durations.nanos(callTimeout));
        LockRow row = resumable(name, token, read(name, token, budget));
        Duration leaseDuration = leaseOf(name, row);
        if (!FencingTokens.canPropose(context.clock.now())) {
            throw context.implausibleClock(name);
        }
        Proposal sent = proposalOf(token, leaseDuration, row);
        Response response = send(name, sent, leaseDuration, budget);
        for (int proposals = 1; isOutbid(token, sent, response) && proposals < MAX_PROPOSALS; proposals++) {
            sent = proposalOf(token, leaseDuration, Objects.requireNonNull(response.row()));
            response = send(name, sent, leaseDuration, budget);
        }
        ClockReading now = context.clock.now();
        Verdict verdict = sent.evaluate(response, now);
        if (verdict == Verdict.TOO_LATE) {
            acquire.undo().start(name, sent, leaseDuration);
            throw new LeaseLostException(name, owner, null);
        }
        if (verdict != Verdict.HELD) {
            throw rejected(name, token, response.row());
        }
        Proposal won = sent;
        HeldLease held = acquire.lease(grantOf(name, sent, leaseDuration, response.row()), Thread.currentThread());
        if (!held.begin(now, () -> acquire.undo().start(name, won, leaseDuration))) {
            RuntimeException rejection = acquire.hooks().rejection();
            throw rejection == null ? new LockManagerDrainingException() : rejection;
        }
        return held;
    }

    /**
     * Returns the lock name in this manager; rejects a token of another store or prefix, or one not signed as required.
     */
    private String nameOf(LeaseToken token) {
        if (!token.store().equals(context.client.describe())) {
            throw new IllegalArgumentException("The lease token of lock '%s' is for another store (%s), not for %s"
                    .formatted(Texts.shown(token.name()), Texts.shown(token.store()), context.client.describe()));
        }
        token.requireSignedBy(context.tokenKey);
        String name = context.names.fromStored(token.name());
        if (name == null) {
            throw new IllegalArgumentException(
                    "The lease token of lock '%s' does not match this manager's namePrefix '%s'"
                            .formatted(Texts.shown(token.name()), context.names.prefix()));
        }
        return name;
    }

    /** Reads the row, which is authoritative over the token; the response also samples the store's clock. */
    private @Nullable LockRow read(String name, LeaseToken token, RetryBudget budget) {
        Response response = context.client.readAndSampleClock(
                name,
                budget,
                context.clock.isReady()
                        ? context.attemptTimeout(context.settings.leaseDuration())
                        : context.clockSampleTimeout(),
                timeouts -> context.client.read(name, token.name(), true, timeouts));
        if (response.row() != null) {
            context.corruptRows.check(name, response.row(), context.clock.now());
        }
        return response.row();
    }

    private LockRow resumable(String name, LeaseToken token, @Nullable LockRow row) {
        if (row == null || !row.isHeldBy(token.leaseId()) || row.revoked()) {
            throw rejected(name, token, row);
        }
        if (!row.detached()) {
            throw new IllegalStateException(
                    "The lease on lock '%s' is not detached, so it cannot be resumed".formatted(name));
        }
        return row;
    }

    /**
     * Returns the duration that the lease had, or the default if the row has none; throws if this manager forbids it.
     */
    private Duration leaseOf(String name, LockRow row) {
        Duration inRow = row.leaseDuration();
        if (inRow == null) {
            return context.settings.leaseDuration();
        }
        Duration leaseDuration = inRow.minus(context.lockDelay.delay());
        return context.settings.leaseOf(
                LockRequest.of(name).leaseDuration(leaseDuration.toMillis() < 1 ? inRow : leaseDuration));
    }

    /** Whether only a higher token made the write fail, such as one left by the undo of another acquisition. */
    private static boolean isOutbid(LeaseToken token, Proposal sent, Response response) {
        LockRow row = response.row();
        return !response.applied()
                && row != null
                && row.isHeldBy(token.leaseId())
                && row.detached()
                && !row.revoked()
                && !row.isClosed()
                && row.highestToken() >= sent.write().token();
    }

    private Proposal proposalOf(LeaseToken token, Duration leaseDuration, LockRow row) {
        return proposalOf(
                token,
                leaseDuration,
                row.highestToken(),
                owner,
                context.leaseIds.get(),
                context.clock.now(),
                context.tokens,
                context.lockDelay);
    }

    /** Creates the proposal that replaces the detached lease by a new one. */
    static Proposal proposalOf(
            LeaseToken token,
            Duration leaseDuration,
            long highestToken,
            String owner,
            String leaseId,
            ClockReading now,
            FencingTokens tokens,
            LockDelay lockDelay) {
        LeaseExpiry end = LeaseExpiry.after(now, leaseDuration);
        Acquire write = new Acquire(
                token.name(),
                leaseId,
                owner,
                tokens.propose(now, highestToken),
                lockDelay.inRow(leaseDuration),
                now.middle(),
                lockDelay.inRow(end),
                now.time(),
                Map.of(),
                new HeldBy(token.leaseId()),
                now.latestStoreTimeAfter(lockDelay.inRow(leaseDuration)),
                LockWrite.NO_CLAIM);
        return new Proposal(write, now, end);
    }

    private Response send(String name, Proposal sent, Duration leaseDuration, RetryBudget budget) {
        try {
            return context.client.withRetries(
                    name,
                    Operation.ACQUIRE,
                    budget,
                    context.attemptTimeout(leaseDuration),
                    timeouts -> context.client.acquire(name, sent.write(), timeouts));
        } catch (RuntimeException failure) {
            if (budget.anyUnanswered()) {
                acquire.undo().start(name, sent, leaseDuration);
            }
            throw failure;
        }
    }

    private RuntimeException rejected(String name, LeaseToken token, @Nullable LockRow row) {
        if (row != null && row.isHeldBy(token.leaseId()) && row.isClosed()) {
            return context.corruptRows.closedRowException(name, row);
        }
        return LeaseLostException.ofDetached(lossOf(name, token, row));
    }

    private LeaseLost lossOf(String name, LeaseToken token, @Nullable LockRow row) {
        RenewRefusal.Gone gone = ConditionFailures.gone(token.leaseId(), row);
        Reason reason = gone.reason() == Reason.UNREACHABLE ? Reason.TAKEN : gone.reason();
        Instant at = Instant.ofEpochMilli(context.clock.now().wallMillis());
        return new LeaseLost(name, owner, reason, at, gone.newHolder());
    }

    private LeaseGrant grantOf(String name, Proposal sent, Duration leaseDuration, @Nullable LockRow row) {
        Acquire write = sent.write();
        Map<String, String> metadata = row == null ? Map.of() : row.metadata();
        return new LeaseGrant(
                name,
                write.name(),
                write.leaseId(),
                owner,
                write.token(),
                metadata,
                leaseDuration,
                sent.sent(),
                sent.end(),
                true,
                null,
                null,
                context.settings.onLost());
    }
}
