/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.LeaseLost.Reason;
import io.dynamolock.LockListener.Operation;
import io.dynamolock.LockStore.Acquire;
import io.dynamolock.LockStore.Answer;
import io.dynamolock.LockStore.HeldBy;
import io.dynamolock.Proposal.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Carries a detached lease on: a read of its row, which has all that counts, and one write that makes a new lease of it, on
 * condition that the old one still holds the lock and is detached, so that two processes never share a lease id and a token
 * serves once.
 */
final class Resumption {

    private static final int MOST_BIDS = 5;

    private final EngineContext engine;
    private final String owner;

    Resumption(EngineContext engine, String owner) {
        this.engine = engine;
        this.owner = owner;
    }

    Lease resume(LeaseToken token) {
        String name = nameOf(token);
        Duration patience = engine.callTimeout(engine.settings.leaseDuration());
        RetryBudget budget = engine.gate.budget(patience, engine.clock.nanos() + Durations.nanos(patience));
        LockRow row = resumable(name, token, read(name, token, budget));
        Duration lease = leaseOf(name, row);
        if (!FencingTokens.canPropose(engine.clock.now())) {
            throw engine.implausibleClock(name);
        }
        Proposal sent = proposalOf(token, lease, row);
        Answer answer = send(name, sent, lease, budget);
        for (int bids = 1; isOutbid(token, sent, answer) && bids < MOST_BIDS; bids++) {
            sent = proposalOf(token, lease, Objects.requireNonNull(answer.row()));
            answer = send(name, sent, lease, budget);
        }
        Verdict verdict = sent.judge(answer, engine.clock.now());
        if (verdict == Verdict.TOO_LATE) {
            engine.undo.start(name, sent, lease);
            throw new LeaseLostException(name, owner, null);
        }
        if (verdict != Verdict.HELD) {
            throw refused(name, token, answer.row());
        }
        Proposal won = sent;
        HeldLease held = new HeldLease(engine, grantOf(name, sent, lease, answer.row()), Thread.currentThread());
        if (!held.begin(() -> engine.undo.start(name, won, lease))) {
            throw EngineContext.closedException();
        }
        long sentNanos = sent.sent().nanos();
        engine.listener.onAcquired(held, Duration.ofNanos(engine.clock.nanos() - sentNanos), Duration.ZERO);
        return held;
    }

    /** The lock as this manager names it, if the token is for it at all. */
    private String nameOf(LeaseToken token) {
        if (!token.store().equals(engine.gate.describe())) {
            throw new IllegalArgumentException("The lease token on lock '%s' is of another store (%s), not of %s"
                    .formatted(Texts.shown(token.name()), Texts.shown(token.store()), engine.gate.describe()));
        }
        token.requireSignedBy(engine.tokenKey);
        String name = engine.names.given(token.name());
        if (name == null) {
            throw new IllegalArgumentException(
                    "The lease token on lock '%s' is not one of this manager's namePrefix '%s'"
                            .formatted(Texts.shown(token.name()), engine.names.prefix()));
        }
        return name;
    }

    /** What counts is in the row; its answer tells the time, too. */
    private @Nullable LockRow read(String name, LeaseToken token, RetryBudget budget) {
        Answer answer = engine.gate.readForTheTime(
                name,
                budget,
                engine.clock.isReady()
                        ? engine.attemptTimeout(engine.settings.leaseDuration())
                        : engine.questionTimeout(),
                timeouts -> engine.gate.read(name, token.name(), true, timeouts));
        if (answer.row() != null) {
            engine.damagedRows.saw(name, answer.row(), engine.clock.now());
        }
        return answer.row();
    }

    private LockRow resumable(String name, LeaseToken token, @Nullable LockRow row) {
        if (row == null || !row.isHeldBy(token.leaseId()) || row.revoked()) {
            throw refused(name, token, row);
        }
        if (!row.detached()) {
            throw new IllegalStateException(
                    "The lease on lock '%s' is not detached, so that nobody can resume it".formatted(name));
        }
        return row;
    }

    /** The duration that the lease had, if this manager allows it. */
    private Duration leaseOf(String name, LockRow row) {
        Duration inRow = row.leaseDuration();
        if (inRow == null) {
            return engine.settings.leaseDuration();
        }
        Duration lease = inRow.minus(engine.grace.time());
        return engine.settings.leaseOf(LockRequest.of(name).leaseDuration(lease.toMillis() < 1 ? inRow : lease));
    }

    /** Whether nothing is in the way but a higher token, such as the undoing of another's acquisition leaves behind. */
    private static boolean isOutbid(LeaseToken token, Proposal sent, Answer answer) {
        LockRow row = answer.row();
        return !answer.applied()
                && row != null
                && row.isHeldBy(token.leaseId())
                && row.detached()
                && !row.revoked()
                && !row.isClosed()
                && row.highestToken() >= sent.write().token();
    }

    private Proposal proposalOf(LeaseToken token, Duration lease, LockRow row) {
        return proposalOf(
                token,
                lease,
                row.highestToken(),
                owner,
                engine.leaseIds.get(),
                engine.clock.now(),
                engine.tokens,
                engine.grace);
    }

    /** Writes the proposal that makes a new lease of the one that was detached. */
    static Proposal proposalOf(
            LeaseToken token,
            Duration lease,
            long highestToken,
            String owner,
            String leaseId,
            ClockReading now,
            FencingTokens tokens,
            LockDelay grace) {
        LeaseExpiry end = LeaseExpiry.after(now, lease);
        Acquire write = new Acquire(
                token.name(),
                leaseId,
                owner,
                tokens.propose(now, highestToken),
                grace.inRow(lease),
                now.middle(),
                grace.inRow(end),
                now.time(),
                Map.of(),
                new HeldBy(token.leaseId()),
                now.storeAfter(grace.inRow(lease)));
        return new Proposal(write, now, end);
    }

    private Answer send(String name, Proposal sent, Duration lease, RetryBudget budget) {
        try {
            return engine.gate.persistently(
                    name,
                    Operation.ACQUIRE,
                    budget,
                    engine.attemptTimeout(lease),
                    timeouts -> engine.gate.acquire(name, sent.write(), timeouts));
        } catch (RuntimeException failure) {
            if (budget.anyUnanswered()) {
                engine.undo.start(name, sent, lease);
            }
            throw failure;
        }
    }

    private RuntimeException refused(String name, LeaseToken token, @Nullable LockRow row) {
        if (row != null && row.isHeldBy(token.leaseId()) && row.isClosed()) {
            return engine.damagedRows.closed(name, row);
        }
        return new LeaseLostException(name, owner, lossOf(name, token, row));
    }

    private LeaseLost lossOf(String name, LeaseToken token, @Nullable LockRow row) {
        ConditionFailures.Renewal.Gone gone = ConditionFailures.gone(token.leaseId(), row);
        Reason reason = gone.reason() == Reason.UNREACHABLE ? Reason.TAKEN : gone.reason();
        Instant at = Instant.ofEpochMilli(engine.clock.now().wallMillis());
        return new LeaseLost(name, owner, reason, at, gone.newHolder());
    }

    private LeaseGrant grantOf(String name, Proposal sent, Duration lease, @Nullable LockRow row) {
        Acquire write = sent.write();
        Map<String, String> metadata = row == null ? Map.of() : row.metadata();
        return new LeaseGrant(
                name,
                write.name(),
                write.leaseId(),
                owner,
                write.token(),
                metadata,
                lease,
                sent.sent(),
                sent.end(),
                true,
                null,
                null,
                engine.settings.onLost());
    }
}
