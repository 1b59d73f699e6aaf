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
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Carries a detached lease on: one write that makes a new lease of it, on condition that the old one still holds the lock, so
 * that two processes never share a lease id and a token serves once.
 */
final class Resumption {

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
        askTheTime(token, lease);
        ClockReading now = engine.clock.now();
        LeaseEnd end = LeaseEnd.after(now, lease);
        Acquire write = writeOf(token, now, end);
        String name = engine.names.given(token.name());
        Answer answer = send(name, write, lease);
        LockRow row = answer.row();
        boolean ours = answer.applied() || (row != null && row.isHeldBy(write.leaseId()));
        if (!ours) {
            throw new LeaseLostException(name, owner, lossOf(name, token, row));
        }
        if (end.isPast(engine.clock.now())) {
            engine.undo.start(name, write, lease);
            throw new LeaseLostException(name, owner, null);
        }
        HeldLease held = new HeldLease(engine, grantOf(name, write, now, end, lease, row), Thread.currentThread());
        held.begin();
        return held;
    }

    private void askTheTime(LeaseToken token, Duration lease) {
        if (!engine.clock.isReady()) {
            String name = engine.names.given(token.name());
            Duration patience = engine.settings.callTimeoutFor(lease);
            engine.gate.persistently(
                    name, Operation.READ, patience, () -> engine.gate.read(name, token.name(), false, patience));
        }
    }

    private Acquire writeOf(LeaseToken token, ClockReading now, LeaseEnd end) {
        return new Acquire(
                token.name(),
                engine.leaseIds.get(),
                owner,
                engine.tokens.propose(now, token.fencingToken()),
                engine.inRow(token.leaseDuration()),
                now.middle(),
                engine.inRow(end),
                now.time(),
                Map.of(),
                new HeldBy(token.leaseId()));
    }

    private Answer send(String name, Acquire write, Duration lease) {
        try {
            return engine.gate.persistently(
                    name,
                    Operation.ACQUIRE,
                    engine.settings.callTimeoutFor(lease),
                    () -> engine.gate.acquire(name, write, engine.settings.attemptTimeoutFor(lease)));
        } catch (LockStoreException failure) {
            if (failure.isOutcomeUnknown()) {
                engine.undo.start(name, write, lease);
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

    private Grant grantOf(
            String name, Acquire write, ClockReading sent, LeaseEnd end, Duration lease, @Nullable LockRow row) {
        return new Grant(
                name,
                write.name(),
                write.leaseId(),
                owner,
                write.token(),
                row == null ? Map.of() : row.metadata(),
                lease,
                sent,
                end,
                true,
                null,
                null,
                engine.settings.onLost());
    }
}
