/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.ConditionFailures.RenewRefusal;
import io.dynamolock.LockGuard.HeldBy;
import io.dynamolock.LockWrite.Acquire;
import io.dynamolock.LockWrite.Rest;
import io.dynamolock.ModelState.Extension;
import io.dynamolock.ModelState.Holder;
import io.dynamolock.ModelState.Machine;
import io.dynamolock.ModelState.Stage;
import io.dynamolock.memory.RowAfter;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Invariants of every world, and the messages that can have no effect any more. */
final class Invariants {

    static final String EXCLUSION = "1 exclusion: two leases are held at the same time";
    static final String TOKENS = "2 tokens: a token is not above those before it";
    static final String FINALITY = "4 finality: a lease that was over is held again";
    static final String GHOST = "4 finality: a lease that was released is in the row again";
    static final String SENT_TOO_LATE = "4 finality: a lease that was released or revoked is renewed";
    static final String TRUTH = "5 truth: a response says what is not so";
    static final String FOREIGN = "5 truth: a write has changed the row of another lease";
    static final String LATER = "5 truth: a row of a later version was changed";

    private static final String SOMEBODY = "p9.9";

    private final ModelWrites writes;
    private final ModelTokens tokens;

    Invariants(ModelWrites writes) {
        this.writes = writes;
        this.tokens = new ModelTokens(writes);
    }

    /** Checks a world after a move and removes what can no longer matter. */
    void settle(ModelState world) {
        int held = 0;
        for (int p = 0; p < world.processes.length; p++) {
            ClockReading now = writes.now(world, p);
            Machine process = world.processes[p];
            for (int nth = 0; nth < process.leases.size(); nth++) {
                Holder holder = process.leases.get(nth);
                held += isHeld(world, holder, now) ? 1 : 0;
                if (holder.dead && isGhost(world.row, holder)) {
                    world.breaks(GHOST);
                }
                forgetResponses(world, holder, now);
                forgetMessages(world, holder);
            }
        }
        tokens.forget(world);
        forgetLastLease(world);
        if (held > 1) {
            world.broken = EXCLUSION;
        }
    }

    private static boolean isHeld(ModelState world, Holder holder, ClockReading now) {
        if (holder.validity == null) {
            return false;
        }
        boolean held = holder.validity.isHeldAt(now);
        if (held && holder.over) {
            world.breaks(FINALITY);
        }
        holder.over = !held;
        return held;
    }

    /** A minimum hold keeps the row without a holder; nothing else does. */
    private static boolean isGhost(@Nullable LockRow row, Holder holder) {
        return row != null && row.isHeldBy(holder.id()) && (row.renewals() == null || row.renewals() < Rest.FIRST);
    }

    // messages without effect

    /** The last holder matters only to its own release. */
    private static void forgetLastLease(ModelState world) {
        LockRow row = world.row;
        if (row == null || row.lastLeaseId() == null) {
            return;
        }
        for (Machine process : world.processes) {
            for (Holder holder : process.leases) {
                if (holder.releasing && holder.id().equals(row.lastLeaseId())) {
                    return;
                }
            }
        }
        world.row = row.toBuilder().lastLeaseId(null).build();
    }

    /** No response may revive an ended lease, so no response needs to be awaited. */
    private void forgetResponses(ModelState world, Holder holder, ClockReading now) {
        LeaseValidity validity = holder.validity;
        if (validity == null || holder.extensions.isEmpty()) {
            return;
        }
        for (Extension extension : holder.extensions) {
            if (extension.awaited && !validity.state().isHeld()) {
                validity.answered(extension.renewal, new RenewRefusal.Applied(), writes.lockDelay(), now);
                if (validity.isHeldAt(now)) {
                    world.breaks(FINALITY);
                }
                extension.awaited = false;
                extension.response = null;
                extension.date = null;
            }
        }
    }

    private void forgetMessages(ModelState world, Holder holder) {
        LockRow row = world.row;
        boolean acquires = holder.stage == Stage.ACQUIRING;
        holder.acquiring = acquires || (holder.acquiring && !isDead(row, holder.write));
        holder.applied = acquires && holder.applied;
        if (!acquires && !writes.needsTimeOfSending(holder)) {
            holder.sentTime = 0;
            holder.sentPaused = 0;
        }
        boolean inRow = row != null && row.isHeldBy(holder.id());
        boolean mayReturn = inRow || holder.acquiring;
        forgetExtensions(holder, inRow, mayReturn, row);
        if (holder.releasing && !mayReturn && isDeadRelease(holder)) {
            holder.releasing = false;
            if (isFalselyReleased(row, holder)) {
                world.breaks(TRUTH);
            }
        }
        holder.freed = holder.freed && holder.releasing;
        holder.dead = holder.dead && mayReturn;
        if (!mayReturn && isLost(holder) && isDeadRelease(holder)) {
            holder.stage = Stage.DONE;
            holder.validity = null;
            holder.over = false;
            holder.releaseSent = false;
        }
        holder.rest = holder.releasing ? holder.rest : null;
        holder.freeing = holder.freeing && (holder.stage == Stage.FREEING || mayReturn || !isDeadRelease(holder));
        holder.raising = holder.raising
                && (holder.stage == Stage.RAISING || inRow || RowAfter.raise(row, writes.raise(holder)) != null);
    }

    /** Returns whether a rejected release would be reported as one that freed the lock, which it never did. */
    static boolean isFalselyReleased(@Nullable LockRow row, Holder holder) {
        return !holder.freed
                && (ConditionFailures.ofRejectedRelease(holder.id(), row, true) == ReleaseOutcome.RELEASED
                        || ConditionFailures.ofRejectedRelease(holder.id(), row, false) == ReleaseOutcome.RELEASED);
    }

    /** Returns whether a process can only release it any more. */
    private static boolean isLost(Holder holder) {
        return holder.validity != null
                && !holder.validity.state().isHeld()
                && holder.validity.state() != LeaseState.DETACHED
                && holder.extensions.isEmpty();
    }

    private void forgetExtensions(Holder holder, boolean inRow, boolean mayReturn, @Nullable LockRow row) {
        for (int i = holder.extensions.size() - 1; i >= 0; i--) {
            Extension extension = holder.extensions.get(i);
            if (extension.awaited) {
                continue;
            }
            LockRow best = inRow ? row : heldBySomebody();
            boolean dead = inRow || !mayReturn;
            if (dead && RowAfter.renew(best, writes.renew(holder, extension)) == null) {
                holder.extensions.remove(i);
            }
        }
    }

    /** Rejected even by the most favorable future row, since the floor never decreases. */
    private static boolean isDead(@Nullable LockRow row, Acquire write) {
        if (row == null) {
            return false;
        }
        String holder = write.onlyIf() instanceof HeldBy old ? old.leaseId() : null;
        return RowAfter.acquire(row(holder, row.fencingToken(), row.tokenFloor()), write) == null;
    }

    private boolean isDeadRelease(Holder holder) {
        return RowAfter.release(heldBySomebody(), writes.release(holder)) == null;
    }

    private static LockRow heldBySomebody() {
        return row(SOMEBODY, 1L, 1L);
    }

    private static LockRow row(@Nullable String holder, @Nullable Long token, @Nullable Long floor) {
        return LockRow.builder()
                .leaseId(holder)
                .owner(holder)
                .fencingToken(token)
                .tokenFloor(floor)
                .leaseDuration(holder == null ? null : Duration.ofMillis(1))
                .expiresAt(holder == null ? null : Instant.EPOCH)
                .clock(holder == null ? null : LeaseTime.SYSTEM)
                .renewals(holder == null ? null : 0L)
                .build();
    }
}
