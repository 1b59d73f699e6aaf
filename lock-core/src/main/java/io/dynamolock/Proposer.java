/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.LockGuard.Free;
import io.dynamolock.LockGuard.FreeOrExpired;
import io.dynamolock.LockGuard.Unchanged;
import io.dynamolock.LockWrite.Acquire;
import io.dynamolock.Proposal.Verdict;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Creates the proposals of one acquisition: each with the given lease id, a fencing token, and the condition under
 * which it may be applied. Reads neither clock nor store; its only state are the shared tokens and observations.
 */
final class Proposer {

    private final LockRequest request;
    private final String owner;
    private final String storedName;
    private final Duration leaseDuration;
    private final LockDelay lockDelay;
    private final FencingTokens tokens;
    private final Observations observations;
    private final TurnClaims claims;
    private @Nullable String replacedLeaseId;
    private long demandedToken;

    /**
     * Creates a proposer.
     *
     * @param request the request
     * @param owner the owner of a lease whose request names none
     * @param storedName the name in the store
     * @param leaseDuration the lease duration
     * @param lockDelay how much later the lease ends in the row
     * @param tokens the tokens that this process has used
     * @param observations what this process has observed of the row
     * @param claims decides despite which claim the lock may be acquired
     */
    Proposer(
            LockRequest request,
            String owner,
            String storedName,
            Duration leaseDuration,
            LockDelay lockDelay,
            FencingTokens tokens,
            Observations observations,
            TurnClaims claims) {
        this.request = request;
        this.owner = request.owner() == null ? owner : request.owner();
        this.storedName = storedName;
        this.leaseDuration = leaseDuration;
        this.lockDelay = lockDelay;
        this.tokens = tokens;
        this.observations = observations;
        this.claims = claims;
    }

    /** Creates a proposal for a fresh lease id. */
    Proposal propose(ClockReading now, String leaseId) {
        LeaseExpiry end = LeaseExpiry.after(now, leaseDuration);
        long token = tokens.propose(now, observations.highestToken(storedName), demandedToken);
        demandedToken = 0;
        Acquire write = new Acquire(
                storedName,
                leaseId,
                owner,
                token,
                lockDelay.inRow(leaseDuration),
                now.middle(),
                lockDelay.inRow(end),
                now.time(),
                request.metadata(),
                guard(now),
                now.latestStoreTimeAfter(lockDelay.inRow(leaseDuration)),
                claims.ignorableClaim(storedName, now));
        return new Proposal(write, now, end);
    }

    /**
     * Restricts the next proposals to a row that holds this earlier lease of the acquisition, which was never held;
     * null for any row.
     */
    void replaceOnly(@Nullable String leaseId) {
        replacedLeaseId = leaseId;
    }

    boolean replaces(String leaseId) {
        return leaseId.equals(replacedLeaseId);
    }

    private LockGuard guard(ClockReading now) {
        if (replacedLeaseId != null) {
            return new Unchanged(replacedLeaseId, 0L);
        }
        LockRow unchanged = observations.unchangedRow(storedName, now.nanos());
        if (unchanged != null) {
            return Unchanged.of(unchanged);
        }
        return now.time() == LeaseTime.OBSERVED
                ? new Free()
                : new FreeOrExpired(Instant.ofEpochMilli(now.earliestMillis()), now.time());
    }

    /** Records what a response showed that a later attempt of this process can use. */
    void recordResponse(Proposal sent, Verdict verdict, @Nullable LockRow row, ClockReading now) {
        demandedToken = verdict == Verdict.RETRY && row != null ? row.highestToken() : 0;
        boolean acquired = verdict == Verdict.HELD || verdict == Verdict.TOO_LATE;
        if (!acquired && row != null) {
            observations.observed(storedName, row, now.nanos());
        } else if (acquired && isAheadOfClock(sent, now)) {
            observations.observed(storedName, LockRow.acquiredBy(sent.write()).build(), now.nanos());
        } else {
            observations.forget(storedName);
        }
    }

    /** Whether the token is higher than this process's clock would soon propose. */
    private static boolean isAheadOfClock(Proposal sent, ClockReading now) {
        return sent.write().token() > FencingTokens.at(now.latestMillis());
    }

    LeaseGrant grantOf(Proposal sent, OnLost onLost) {
        Acquire write = sent.write();
        return new LeaseGrant(
                request.name(),
                storedName,
                write.leaseId(),
                owner,
                write.token(),
                write.metadata(),
                leaseDuration,
                sent.sent(),
                sent.end(),
                request.autoRenew(),
                request.maxHold(),
                request.minHold(),
                onLost);
    }
}
