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
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Writes the proposals of one acquisition: each with a fresh lease id, the token it bids, and the condition it may count on. */
final class Proposer {

    private final Engine engine;
    private final LockRequest request;
    private final String stored;
    private final Duration lease;
    private final String owner;

    Proposer(Engine engine, LockRequest request, String defaultOwner) {
        this.engine = engine;
        this.request = request;
        this.stored = engine.names.stored(request.name());
        this.lease = engine.leaseOf(request);
        this.owner = request.owner() == null ? defaultOwner : request.owner();
    }

    String stored() {
        return stored;
    }

    Duration lease() {
        return lease;
    }

    Proposal propose() {
        ClockReading now = engine.clock.now();
        LeaseEnd end = LeaseEnd.after(now, lease);
        Acquire write = new Acquire(
                stored,
                engine.leaseIds.get(),
                owner,
                engine.tokens.propose(now, engine.observations.highestToken(stored)),
                engine.inRow(lease),
                now.middle(),
                engine.inRow(end),
                now.time(),
                request.metadata(),
                guard(now));
        return new Proposal(write, now, end);
    }

    private Guard guard(ClockReading now) {
        LockRow still = engine.observations.stoodStill(stored, now.nanos());
        if (still != null && still.leaseId() != null) {
            return new Unchanged(still.leaseId(), still.renewals());
        }
        return now.time() == LeaseTime.OBSERVED
                ? new Free()
                : new FreeOrExpired(Instant.ofEpochMilli(now.earliestMillis()), now.time());
    }

    /** Remembers what an answer showed, as far as a later try of this process can use it. */
    void learn(Proposal sent, @Nullable LockRow row, boolean ours, ClockReading now) {
        if (row != null && (!ours || isAhead(sent, now))) {
            engine.observations.saw(stored, row, now.nanos());
            engine.damagedRows.saw(request.name(), row);
        } else {
            engine.observations.forget(stored);
        }
    }

    /** Whether the token is higher than this process's clock would propose soon. */
    private static boolean isAhead(Proposal sent, ClockReading now) {
        return sent.write().token() > Tokens.at(now.latestMillis());
    }

    Grant grantOf(Proposal sent) {
        Acquire write = sent.write();
        return new Grant(
                request.name(),
                stored,
                write.leaseId(),
                owner,
                write.token(),
                write.metadata(),
                lease,
                sent.sent(),
                sent.end(),
                request.autoRenew(),
                request.maxHold(),
                request.minHold(),
                engine.onLostOf(request));
    }
}
