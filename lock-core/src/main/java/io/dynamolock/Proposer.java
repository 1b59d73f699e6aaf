/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.LockStore.Acquire;
import io.dynamolock.LockStore.Free;
import io.dynamolock.LockStore.FreeOrExpired;
import io.dynamolock.LockStore.Guard;
import io.dynamolock.LockStore.Unchanged;
import io.dynamolock.Proposal.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Writes the proposals of one acquisition: each with the lease id it is given, the token it bids, and the condition it may count
 * on. Pure, as far as tokens and observations are.
 */
final class Proposer {

    private final LockRequest request;
    private final String stored;
    private final Duration lease;
    private final LockDelay lockDelay;
    private final FencingTokens tokens;
    private final Observations observations;
    private @Nullable String replaced;
    private long demanded;

    /**
     * Creates a proposer.
     *
     * @param request what is asked for, with its owner
     * @param stored the name in the store
     * @param lease how long the lease is to last
     * @param lockDelay how much longer the row says
     * @param tokens which tokens this process has used up
     * @param observations what this process has seen of the row
     */
    Proposer(
            LockRequest request,
            String stored,
            Duration lease,
            LockDelay lockDelay,
            FencingTokens tokens,
            Observations observations) {
        this.request = request;
        this.stored = stored;
        this.lease = lease;
        this.lockDelay = lockDelay;
        this.tokens = tokens;
        this.observations = observations;
    }

    /** Writes a proposal for a fresh lease id. */
    Proposal propose(ClockReading now, String leaseId) {
        LeaseExpiry end = LeaseExpiry.after(now, lease);
        long token = tokens.propose(now, observations.highestToken(stored), demanded);
        demanded = 0;
        Acquire write = new Acquire(
                stored,
                leaseId,
                owner(),
                token,
                lockDelay.inRow(lease),
                now.middle(),
                lockDelay.inRow(end),
                now.time(),
                request.metadata(),
                guard(now),
                now.storeAfter(lockDelay.inRow(lease)));
        return new Proposal(write, now, end);
    }

    private String owner() {
        return Objects.requireNonNull(request.owner(), "owner");
    }

    /** From now on its proposals are for a row that holds this lease of its own, which was never held; null for any row. */
    void replaces(@Nullable String leaseId) {
        replaced = leaseId;
    }

    private Guard guard(ClockReading now) {
        if (replaced != null) {
            return new Unchanged(replaced, 0L);
        }
        LockRow still = observations.unchangedRow(stored, now.nanos());
        if (still != null) {
            return new Unchanged(still.leaseId(), still.renewals(), still.stamp());
        }
        return now.time() == LeaseTime.OBSERVED
                ? new Free()
                : new FreeOrExpired(Instant.ofEpochMilli(now.earliestMillis()), now.time());
    }

    /** Remembers what an answer showed, as far as a later try of this process can use it. */
    void learn(Proposal sent, Verdict verdict, @Nullable LockRow row, ClockReading now) {
        demanded = verdict == Verdict.AGAIN && row != null ? row.highestToken() : 0;
        boolean ours = verdict == Verdict.HELD || verdict == Verdict.TOO_LATE;
        if (row != null && (!ours || isAhead(sent, now))) {
            observations.saw(stored, row, now.nanos());
        } else {
            observations.forget(stored);
        }
    }

    /** Whether the token is higher than this process's clock would propose soon. */
    private static boolean isAhead(Proposal sent, ClockReading now) {
        return sent.write().token() > FencingTokens.at(now.latestMillis());
    }

    LeaseGrant grantOf(Proposal sent, OnLost onLost) {
        Acquire write = sent.write();
        return new LeaseGrant(
                request.name(),
                stored,
                write.leaseId(),
                owner(),
                write.token(),
                write.metadata(),
                lease,
                sent.sent(),
                sent.end(),
                request.autoRenew(),
                request.maxHold(),
                request.minHold(),
                onLost);
    }
}
