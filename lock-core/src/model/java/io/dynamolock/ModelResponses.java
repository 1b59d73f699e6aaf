/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.LockGuard.HeldBy;
import io.dynamolock.LockStore.Response;
import io.dynamolock.ModelState.Holder;
import io.dynamolock.ModelState.Machine;
import io.dynamolock.ModelState.Stage;
import io.dynamolock.Proposal.Verdict;

/** Handles the response to an acquire. */
final class ModelResponses {

    private final ModelWrites writes;

    ModelResponses(ModelWrites writes) {
        this.writes = writes;
    }

    Verdict learns(ModelState after, int p, int nth, Response response, boolean unanswered) {
        Machine process = after.processes[p];
        Holder holder = process.leases.get(nth);
        writes.sampled(after, p, writes.sent(after, p, holder), response.date());
        ClockReading now = writes.now(after, p);
        Proposal sent = writes.proposal(after, p, holder, unanswered);
        Verdict verdict = sent.evaluate(response, now);
        if (!(sent.write().onlyIf() instanceof HeldBy)) {
            remembers(process, holder, sent, verdict, response, now);
        }
        holder.acquired = null;
        holder.stage = Stage.DONE;
        holder.dead = verdict == Verdict.RETRY;
        if (verdict == Verdict.CLAIMED) {
            holder.stage = Stage.ACQUIRING;
            holder.write = holder.write.despite(ModelWrites.CLAIM);
        } else if (verdict == Verdict.HELD) {
            isGranted(after, holder, sent);
        } else if (sent.needsUndo(verdict)) {
            undo(holder);
        } else if (verdict == Verdict.BUSY
                && (response.row() == null || response.row().isFree())) {
            after.breaks(Invariants.TRUTH);
        }
        return verdict;
    }

    private void remembers(
            Machine process, Holder holder, Proposal sent, Verdict verdict, Response response, ClockReading now) {
        Observations observations = writes.observations(process);
        writes.proposer(new FencingTokens(process.lastToken), observations, holder.lease)
                .recordResponse(sent, verdict, response.row(), now);
        writes.remember(process, observations);
    }

    private static void isGranted(ModelState after, Holder holder, Proposal sent) {
        holder.stage = Stage.GRANTED;
        holder.validity = new LeaseValidity(sent.end());
        if (sent.write().token() <= after.granted) {
            after.breaks(Invariants.TOKENS);
        }
        after.granted = sent.write().token();
    }

    static void undo(Holder holder) {
        holder.stage = Stage.FREEING;
        holder.acquired = null;
        holder.freeing = true;
    }
}
