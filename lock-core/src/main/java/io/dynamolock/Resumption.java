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
import org.jspecify.annotations.Nullable;

/**
 * Carries a detached lease on: one write that makes a new lease of it, on condition that the old one still holds the lock, so
 * that two processes never share a lease id and a token serves once.
 */
final class Resumption {

    private static final int MOST_BIDS = 5;

    private final Engine engine;
    private final String owner;

    Resumption(Engine engine, String owner) {
        this.engine = engine;
        this.owner = owner;
    }

    Lease resume(LeaseToken token) {
        if (!token.store().equals(engine.gate.describe())) {
            throw new IllegalArgumentException("The lease token on lock '%s' is of another store (%s), not of %s"
                    .formatted(token.name(), token.store(), engine.gate.describe()));
        }
        Duration lease = token.leaseDuration();
        Duration patience = engine.callTimeout(lease);
        RetryBudget budget = engine.gate.budget(patience, engine.clock.nanos() + Durations.nanos(patience));
        askTheTime(token, budget);
        String name = engine.names.given(token.name());
        Proposal sent = proposalOf(token);
        Answer answer = send(name, sent, lease, budget);
        for (int bids = 1; isOutbid(token, sent, answer) && bids < MOST_BIDS; bids++) {
            sent = proposalOf(token.above(answer.row()));
            answer = send(name, sent, lease, budget);
        }
        LockRow row = answer.row();
        Verdict verdict = sent.judge(answer, engine.clock.now());
        if (verdict == Verdict.TOO_LATE) {
            engine.undo.start(name, sent, lease);
            throw new LeaseLostException(name, owner, null);
        }
        if (verdict != Verdict.HELD) {
            throw new LeaseLostException(name, owner, lossOf(name, token, row));
        }
        Proposal won = sent;
        HeldLease held = new HeldLease(engine, grantOf(name, sent, lease, row), Thread.currentThread());
        if (!held.begin(() -> engine.undo.start(name, won, lease))) {
            throw Engine.closedException();
        }
        long sentNanos = sent.sent().nanos();
        engine.listener.onAcquired(held, Duration.ofNanos(engine.clock.nanos() - sentNanos), Duration.ZERO);
        return held;
    }

    private void askTheTime(LeaseToken token, RetryBudget budget) {
        if (!engine.clock.isReady()) {
            String name = engine.names.given(token.name());
            engine.gate.persistently(
                    name,
                    Operation.READ,
                    budget,
                    engine.questionTimeout(),
                    timeouts -> engine.gate.read(name, token.name(), false, timeouts));
        }
    }

    /** Whether nothing is in the way but a higher token, such as the undoing of another's acquisition leaves behind. */
    private static boolean isOutbid(LeaseToken token, Proposal sent, Answer answer) {
        LockRow row = answer.row();
        return !answer.applied()
                && row != null
                && row.isHeldBy(token.leaseId())
                && !row.revoked()
                && row.highestToken() >= sent.write().token();
    }

    private Proposal proposalOf(LeaseToken token) {
        return proposalOf(token, owner, engine.leaseIds.get(), engine.clock.now(), engine.tokens, engine.grace);
    }

    /** Writes the proposal that makes a new lease of the one that was detached. */
    static Proposal proposalOf(
            LeaseToken token, String owner, String leaseId, ClockReading now, Tokens tokens, Grace grace) {
        Duration lease = token.leaseDuration();
        LeaseEnd end = LeaseEnd.after(now, lease);
        Acquire write = new Acquire(
                token.name(),
                leaseId,
                owner,
                tokens.propose(now, token.fencingToken()),
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

    private LeaseLost lossOf(String name, LeaseToken token, @Nullable LockRow row) {
        Refusals.Renewal.Gone gone = Refusals.gone(token.leaseId(), row);
        Reason reason = gone.reason() == Reason.UNREACHABLE ? Reason.TAKEN : gone.reason();
        Instant at = Instant.ofEpochMilli(engine.clock.now().wallMillis());
        return new LeaseLost(name, owner, reason, at, gone.newHolder());
    }

    private Grant grantOf(String name, Proposal sent, Duration lease, @Nullable LockRow row) {
        Acquire write = sent.write();
        Map<String, String> metadata = row == null ? Map.of() : row.metadata();
        return new Grant(
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
