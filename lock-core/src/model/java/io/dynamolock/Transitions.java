/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.ConditionFailures.RenewRefusal;
import io.dynamolock.LeaseValidity.PendingRenewal;
import io.dynamolock.LockStore.Response;
import io.dynamolock.ModelState.Extension;
import io.dynamolock.ModelState.Holder;
import io.dynamolock.ModelState.Machine;
import io.dynamolock.ModelState.Stage;
import io.dynamolock.Proposal.Verdict;
import io.dynamolock.memory.RowAfter;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Supplier;

/** Next states by passing time, processes and operators. {@link ModelDeliveries} has those by arriving messages. */
final class Transitions {

    private final ModelBounds scope;
    private final ModelWrites writes;
    private final Invariants rules;
    private final ModelResponses responses;
    private final ModelDeliveries deliveries;

    /** Receives possible next worlds. */
    interface Next {
        void reached(ModelState world, Supplier<String> how);
    }

    Transitions(ModelBounds scope) {
        this.scope = scope;
        this.writes = new ModelWrites(scope);
        this.rules = new Invariants(writes);
        this.responses = new ModelResponses(writes);
        this.deliveries = new ModelDeliveries(writes, responses);
    }

    void from(ModelState world, Next next) {
        Next settled = (after, how) -> {
            if (world.row != null && world.row.laterFormat() && !world.row.equals(after.row)) {
                after.breaks(Invariants.LATER);
            }
            rules.settle(after);
            next.reached(after, how);
        };
        timePasses(world, settled);
        for (int p = 0; p < world.processes.length; p++) {
            ClockReading now = writes.now(world, p);
            proposes(world, p, now, settled);
            readsRow(world, p, now, settled);
            for (int nth = 0; nth < world.processes[p].leases.size(); nth++) {
                decides(world, p, nth, now, settled);
                deliveries.from(world, p, nth, settled);
            }
        }
        isRevoked(world, settled);
        isClaimed(world, settled);
        isForged(world, settled);
    }

    private void timePasses(ModelState world, Next next) {
        if (scope.leapsAt(world.time) < scope.leaps()) {
            ModelState later = world.copy();
            later.time += scope.leap();
            next.reached(later, () -> "a long time");
        }
        if (!scope.goesOnAt(world.time)) {
            return;
        }
        ModelState later = world.copy();
        later.time += scope.step();
        next.reached(later, () -> "a tick");
        for (int p = 0; p < world.processes.length && world.pauses < scope.pauses(); p++) {
            int paused = p;
            ModelState after = world.copy();
            after.time += scope.step();
            after.pauses++;
            after.processes[p].paused += scope.step();
            next.reached(after, () -> "a tick in which the machine of process " + paused + " is paused");
        }
    }

    // acquiring the lock

    private void proposes(ModelState world, int p, ClockReading now, Next next) {
        Machine process = world.processes[p];
        if (process.leases.size() == scope.leases()
                || process.leases.stream().anyMatch(lease -> lease.stage == Stage.ACQUIRING)) {
            return;
        }
        if (!writes.isReady(world, p)) {
            samplesClock(world, p, now, next);
            return;
        }
        for (int lease : scope.durations()) {
            ModelState after = world.copy();
            Machine machine = after.processes[p];
            FencingTokens tokens = new FencingTokens(machine.lastToken);
            Observations observations = writes.observations(machine);
            String id = scope.leaseId(p, machine.leases.size());
            Proposal sent = writes.proposer(tokens, observations, lease).propose(now, id);
            if (sent.write().token() <= observations.highestToken(ModelBounds.LOCK)) {
                after.breaks(Invariants.TOKENS);
            }
            acquires(after, machine, sent, lease, tokens);
            next.reached(after, () -> "process %d sends the %s".formatted(p, StateText.of(sent.write())));
        }
        for (Machine other : world.processes) {
            for (Holder source : other.leases) {
                resumes(world, p, source, now, next);
            }
        }
    }

    private void samplesClock(ModelState world, int p, ClockReading now, Next next) {
        ModelState after = world.copy();
        writes.sampled(after, p, now, writes.date(world, p));
        next.reached(after, () -> "process %d reads the time %s".formatted(p, writes.date(world, p)));
    }

    private void resumes(ModelState world, int p, Holder source, ClockReading now, Next next) {
        if (source.validity == null || !(source.validity.state() == LeaseState.DETACHED || scope.forges())) {
            return;
        }
        ModelState after = world.copy();
        Machine machine = after.processes[p];
        FencingTokens tokens = new FencingTokens(machine.lastToken);
        String id = scope.leaseId(p, machine.leases.size());
        Proposal sent = Resumption.proposalOf(
                writes.token(source),
                Duration.ofMillis(source.lease),
                source.write.token(),
                "o",
                id,
                now,
                tokens,
                writes.lockDelay());
        acquires(after, machine, sent, source.lease, tokens);
        next.reached(after, () -> "process %d resumes with the %s".formatted(p, StateText.of(sent.write())));
    }

    private void acquires(ModelState after, Machine machine, Proposal sent, int lease, FencingTokens tokens) {
        Holder holder = new Holder(sent.write(), lease);
        holder.sentTime = after.time;
        holder.sentPaused = machine.paused;
        holder.acquiring = true;
        machine.lastToken = tokens.last();
        machine.leases.add(holder);
    }

    private void readsRow(ModelState world, int p, ClockReading now, Next next) {
        Machine process = world.processes[p];
        if (!scope.readsRow() || world.row == null || process.leases.size() == scope.leases()) {
            return;
        }
        ModelState after = world.copy();
        Observations observations = writes.observations(process);
        observations.observed(ModelBounds.LOCK, world.row, now.nanos());
        writes.remember(after.processes[p], observations);
        next.reached(after, () -> "process %d reads the row".formatted(p));
    }

    // what a process does with a lease

    private void decides(ModelState world, int p, int nth, ClockReading now, Next next) {
        Holder holder = world.holder(p, nth);
        if (holder.stage == Stage.ACQUIRING) {
            if (holder.acquired != null) {
                learns(world, p, nth, next);
            }
            if (world.unanswered == scope.unanswered()) {
                return;
            }
            ModelState after = world.copy();
            after.unanswered++;
            ModelResponses.undo(after.holder(p, nth));
            next.reached(after, () -> "process %d gives up waiting for %s".formatted(p, holder.id()));
        } else if (holder.stage == Stage.GRANTED) {
            renews(world, p, nth, now, next);
            releases(world, p, nth, now, next);
        }
    }

    private void learns(ModelState world, int p, int nth, Next next) {
        ModelState after = world.copy();
        Response response = Objects.requireNonNull(after.holder(p, nth).acquired);
        Verdict verdict = responses.learns(after, p, nth, response, after.holder(p, nth).applied);
        next.reached(
                after,
                () -> "process %d learns of %s: %s"
                        .formatted(p, world.holder(p, nth).id(), verdict));
    }

    private void renews(ModelState world, int p, int nth, ClockReading now, Next next) {
        Holder before = world.holder(p, nth);
        LeaseValidity validity = Objects.requireNonNull(before.validity);
        for (int i = 0; i < before.extensions.size(); i++) {
            if (before.extensions.get(i).response != null) {
                learnsOfRenewal(world, p, nth, i, next);
            }
        }
        if (validity.newestNumber() == scope.renewals() || !validity.isHeldAt(now)) {
            return;
        }
        for (int lease : scope.renewalDurations()) {
            ModelState after = world.copy();
            Holder holder = after.holder(p, nth);
            PendingRenewal renewal =
                    Objects.requireNonNull(holder.validity).startRenewal(now, Duration.ofMillis(lease));
            Extension extension = new Extension(renewal);
            holder.extensions.add(extension);
            next.reached(
                    after, () -> "process %d sends the %s".formatted(p, StateText.of(writes.renew(holder, extension))));
        }
    }

    private void learnsOfRenewal(ModelState world, int p, int nth, int i, Next next) {
        ModelState after = world.copy();
        Holder holder = after.holder(p, nth);
        LeaseValidity validity = Objects.requireNonNull(holder.validity);
        Extension extension = holder.extensions.get(i);
        RenewRefusal meaning = Objects.requireNonNull(extension.response);
        writes.sampled(after, p, extension.renewal.sent(), extension.date);
        extension.response = null;
        extension.date = null;
        extension.awaited = false;
        if (meaning instanceof RenewRefusal.Gone) {
            validity.lose();
        } else {
            validity.answered(extension.renewal, meaning, writes.lockDelay(), writes.now(after, p));
        }
        next.reached(
                after,
                () -> "process %d learns of renewal %d of %s: %s"
                        .formatted(p, extension.renewal.number(), holder.id(), meaning));
    }

    private void releases(ModelState world, int p, int nth, ClockReading now, Next next) {
        Holder before = world.holder(p, nth);
        LeaseValidity validity = Objects.requireNonNull(before.validity);
        if (scope.detaches() && validity.isHeldAt(now)) {
            ModelState after = world.copy();
            LeaseValidity detached = Objects.requireNonNull(after.holder(p, nth).validity);
            detached.detach();
            detached.handOut();
            if (after.row != null && after.row.isHeldBy(before.id())) {
                after.row = after.row.toBuilder()
                        .detached(true)
                        .renewals(validity.newestNumber()
                                + 1) // no renewal under way comes after the one that marks the row
                        .build();
            }
            next.reached(after, () -> "process %d detaches %s".formatted(p, before.id()));
        }
        ModelState after = world.copy();
        Holder holder = after.holder(p, nth);
        boolean lost = validity.state() == LeaseState.LOST;
        if (before.releaseSent || !Objects.requireNonNull(holder.validity).release(now)) {
            return;
        }
        holder.rest = writes.grant(world, p, holder)
                .release(now, lost, false, Duration.ZERO, LockWrite.Rest.FIRST)
                .rest();
        holder.releaseSent = true;
        holder.releasing = true;
        next.reached(after, () -> "process %d sends the %s".formatted(p, StateText.of(writes.release(holder))));
    }

    private void isRevoked(ModelState world, Next next) {
        String holder = world.row == null ? null : world.row.leaseId();
        if (world.revocations < scope.revocations() && holder != null) {
            ModelState after = world.copy();
            after.revocations++;
            after.row = RowAfter.revoke(world.row, holder);
            next.reached(after, () -> "an operator revokes " + holder);
        }
    }

    /** A claim of a process that waits arrives at any time. */
    private void isClaimed(ModelState world, Next next) {
        LockRow claimed = scope.claims() ? RowAfter.claim(world.row, writes.claim()) : null;
        if (claimed != null) {
            ModelState after = world.copy();
            after.row = claimed;
            next.reached(after, () -> "a waiting process claims the next turn");
        }
    }

    /** A row of a later version is never changed, whatever else it contains. */
    private void isForged(ModelState world, Next next) {
        if (scope.forges() && !(world.row != null && world.row.laterFormat())) {
            ModelState after = world.copy();
            LockRow row = world.row == null ? LockRow.ABSENT : world.row;
            after.row = row.toBuilder().laterFormat(true).build();
            next.reached(after, () -> "a later version writes the row");
        }
    }
}
