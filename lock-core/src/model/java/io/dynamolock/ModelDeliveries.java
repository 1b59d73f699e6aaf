/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.ConditionFailures.RenewRefusal;
import io.dynamolock.LockGuard.HeldBy;
import io.dynamolock.LockStore.Response;
import io.dynamolock.ModelState.Extension;
import io.dynamolock.ModelState.Holder;
import io.dynamolock.ModelState.Machine;
import io.dynamolock.ModelState.Stage;
import io.dynamolock.Proposal.Verdict;
import io.dynamolock.Transitions.Next;
import io.dynamolock.memory.RowAfter;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Next states by arriving messages: each may arrive at any time, any number of times, or never. Responses arrive or get
 * lost. A copy that would be rejected and whose response is not awaited changes nothing and is skipped.
 */
final class ModelDeliveries {

    private final ModelWrites writes;
    private final ModelResponses responses;

    ModelDeliveries(ModelWrites writes, ModelResponses responses) {
        this.writes = writes;
        this.responses = responses;
    }

    void from(ModelState world, int p, int nth, Next next) {
        Holder holder = world.holder(p, nth);
        if (holder.acquiring) {
            acquire(world, p, nth, next);
        }
        for (int i = 0; i < holder.extensions.size(); i++) {
            if (holder.extensions.get(i).underWay) {
                renewal(world, p, nth, i, next);
            }
        }
        if (holder.releasing) {
            release(world, p, nth, next);
        }
        if (holder.freeing) {
            free(world, p, nth, next);
        }
        if (holder.raising) {
            raise(world, p, nth, next);
        }
    }

    // each kind of message

    private void acquire(ModelState world, int p, int nth, Next next) {
        ModelState after = world.copy();
        Holder holder = after.holder(p, nth);
        LockRow made = RowAfter.acquire(world.row, holder.write);
        if (made != null) {
            after.row = made;
            holder.applied = true;
            if (holder.write.token() <= after.granted) {
                after.breaks(Invariants.TOKENS);
            }
            if (holder.write.onlyIf() instanceof HeldBy old) {
                isReplaced(after, old.leaseId());
            }
        }
        Supplier<String> label = label("acquire", holder, made);
        Response response = new Response(made != null, made == null ? world.row : made, writes.date(world, p));
        if (holder.stage != Stage.ACQUIRING) {
            if (made != null) {
                next.reached(after, label);
            }
        } else if (made != null || isIn(world.row, holder)) {
            holder.acquired = response;
            next.reached(after, label);
        } else {
            rejected(after, p, nth, response, label, next);
        }
    }

    /** An earlier attempt may be unanswered, and must be if it was applied. */
    private void rejected(ModelState after, int p, int nth, Response response, Supplier<String> label, Next next) {
        if (!after.holder(p, nth).applied) {
            ModelState first = after.copy();
            Verdict verdict = responses.learns(first, p, nth, response, false);
            next.reached(first, () -> label.get() + ": " + verdict);
        }
        if (after.unanswered == writes.mostUnanswered()) {
            return;
        }
        after.unanswered++;
        Verdict verdict = responses.learns(after, p, nth, response, true);
        next.reached(after, () -> label.get() + " after an attempt without a response: " + verdict);
    }

    private static void isReplaced(ModelState world, String leaseId) {
        for (Machine process : world.processes) {
            for (Holder holder : process.leases) {
                holder.dead |= holder.id().equals(leaseId);
            }
        }
    }

    private void renewal(ModelState world, int p, int nth, int i, Next next) {
        ModelState after = world.copy();
        Holder holder = after.holder(p, nth);
        Extension extension = holder.extensions.get(i);
        LockWrite.Renew write = writes.renew(holder, extension);
        LockRow made = RowAfter.renew(world.row, write);
        applied(after, holder, made);
        if (made != null && isEnded(world.row, holder)) {
            after.breaks(Invariants.SENT_TOO_LATE);
        }
        RenewRefusal meaning =
                made != null ? new RenewRefusal.Applied() : ConditionFailures.ofRenewal(write, world.row);
        if (meaning instanceof RenewRefusal.Gone && isRenewable(world.row, holder)) {
            after.breaks(Invariants.TRUTH);
        }
        Supplier<String> label = label("renewal " + write.number(), holder, made);
        if (made != null && (!extension.awaited || extension.response != null)) {
            next.reached(after.copy(), () -> label.get() + ", its response is lost");
        }
        if (extension.awaited) {
            extension.response = meaning;
            extension.date = writes.date(world, p);
            next.reached(after, label);
        }
    }

    private void release(ModelState world, int p, int nth, Next next) {
        ModelState after = world.copy();
        Holder holder = after.holder(p, nth);
        LockRow made = RowAfter.release(world.row, writes.release(holder));
        freed(after, holder, made, holder.rest == null);
        if (made == null && Invariants.isFalselyReleased(world.row, holder)) {
            after.breaks(Invariants.TRUTH);
        }
        if (made != null || after.broken != null) {
            next.reached(after, label("release", holder, made));
        }
    }

    private void free(ModelState world, int p, int nth, Next next) {
        ModelState after = world.copy();
        Holder holder = after.holder(p, nth);
        LockRow made = RowAfter.release(world.row, writes.free(holder));
        freed(after, holder, made, false);
        Supplier<String> label = label("undo by release", holder, made);
        if (made != null) {
            next.reached(after.copy(), () -> label.get() + ", its response is lost");
        }
        if (holder.stage == Stage.FREEING) {
            if (made == null) {
                holder.stage = Stage.RAISING;
                holder.raising = true;
            } else {
                isUndone(holder);
            }
            next.reached(after, label);
        }
    }

    private void raise(ModelState world, int p, int nth, Next next) {
        ModelState after = world.copy();
        Holder holder = after.holder(p, nth);
        LockRow made = RowAfter.raise(world.row, writes.raise(holder));
        if (made != null) {
            if (world.row != null && !isSameLease(world.row, made)) {
                after.breaks(Invariants.FOREIGN);
            }
            after.row = made;
        }
        Supplier<String> label = label("undo by using up the token", holder, made);
        if (made != null) {
            next.reached(after.copy(), () -> label.get() + ", its response is lost");
        }
        if (holder.stage == Stage.RAISING) {
            Response response = new Response(made != null, made == null ? world.row : null, null);
            if (writes.undo(holder).isDone(response)) {
                isUndone(holder);
            } else {
                holder.stage = Stage.FREEING;
                holder.freeing = true;
            }
            next.reached(after, label);
        }
    }

    private static void isUndone(Holder holder) {
        holder.stage = Stage.DONE;
        holder.dead = true;
    }

    // what a write has done

    private static void freed(ModelState after, Holder holder, @Nullable LockRow made, boolean forGood) {
        applied(after, holder, made);
        if (made != null) {
            holder.freed = true;
            holder.dead |= forGood;
        }
    }

    private static void applied(ModelState after, Holder holder, @Nullable LockRow made) {
        if (made != null) {
            if (!isIn(after.row, holder)) {
                after.breaks(Invariants.FOREIGN);
            }
            after.row = made;
        }
    }

    private static boolean isIn(@Nullable LockRow row, Holder holder) {
        return row != null && row.isHeldBy(holder.id());
    }

    private static boolean isRenewable(@Nullable LockRow row, Holder holder) {
        return row != null && row.isHeldBy(holder.id()) && !row.revoked();
    }

    /** Returns whether nothing may extend the lease in the row, because of a minimum hold or a revocation. */
    private static boolean isEnded(@Nullable LockRow row, Holder holder) {
        return row != null && (row.revoked() || holder.id().equals(row.lastLeaseId()));
    }

    private static boolean isSameLease(LockRow one, LockRow other) {
        return Objects.equals(one.leaseId(), other.leaseId())
                && Objects.equals(one.expiresAt(), other.expiresAt())
                && Objects.equals(one.renewals(), other.renewals());
    }

    private static Supplier<String> label(String what, Holder holder, @Nullable LockRow made) {
        return () -> "%s of %s arrives and is %s".formatted(what, holder.id(), made == null ? "rejected" : "applied");
    }
}
