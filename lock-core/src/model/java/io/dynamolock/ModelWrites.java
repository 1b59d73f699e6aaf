/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.LockGuard.FreeOrExpired;
import io.dynamolock.LockWrite.Acquire;
import io.dynamolock.LockWrite.RaiseFloor;
import io.dynamolock.LockWrite.Release;
import io.dynamolock.LockWrite.Renew;
import io.dynamolock.ModelState.Extension;
import io.dynamolock.ModelState.Holder;
import io.dynamolock.ModelState.Machine;
import io.dynamolock.Observations.Observation;
import io.dynamolock.time.IntervalClock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Builds the library's own objects from the state of a world. */
final class ModelWrites {

    private static final ClockReading ANY = new ClockReading(0, 0, 0, 0, LeaseTime.SYSTEM);
    private static final Instant NO_END = Instant.ofEpochMilli(ModelClocks.millis(0));

    private final ModelBounds scope;
    /** The claim of a process that only waits. */
    static final TurnClaim CLAIM = TurnClaim.of(1, Duration.ofSeconds(1), "waiter");

    private final ModelClocks clocks;
    private final LockDelay lockDelay;
    private final LockStoreException noResponse =
            new LockStoreException(ModelBounds.LOCK, "no response", null, true, true);

    ModelWrites(ModelBounds scope) {
        this.scope = scope;
        this.clocks = new ModelClocks(scope);
        this.lockDelay = scope.lockDelayInRow();
    }

    LockWrite.Claim claim() {
        return new LockWrite.Claim(ModelBounds.LOCK, CLAIM);
    }

    int mostUnanswered() {
        return scope.unanswered();
    }

    boolean observes() {
        return scope.observes();
    }

    LockDelay lockDelay() {
        return lockDelay;
    }

    ClockReading now(ModelState world, int process) {
        Machine machine = world.processes[process];
        return scope.samples()
                ? clocks.read(process, world.time, machine.paused, known(machine))
                : clocks.read(process, world.time, machine.paused, world.skew);
    }

    // what processes know of the store's time

    private IntervalClock known(Machine process) {
        return Objects.requireNonNull(process.clock);
    }

    /** Returns whether a process knows the time well enough to acquire. */
    boolean isReady(ModelState world, int process) {
        Machine machine = world.processes[process];
        return !scope.samples() || clocks.isReady(process, world.time, machine.paused, known(machine));
    }

    /** Returns the date of a response sent now; null if dates are not used. */
    @Nullable
    Instant date(ModelState world, int process) {
        return scope.samples() ? clocks.date(process, world.time, world.skew) : null;
    }

    /** Lets a process learn the time from a response. */
    void sampled(ModelState world, int process, ClockReading sent, @Nullable Instant date) {
        Machine machine = world.processes[process];
        if (date != null) {
            machine.clock = clocks.sampled(process, world.time, machine.paused, known(machine), sent, date);
        }
    }

    Proposer proposer(FencingTokens tokens, Observations observations, int lease) {
        LockRequest request = LockRequest.of(ModelBounds.LOCK);
        TurnClaims claims = new TurnClaims("another", observations);
        return new Proposer(
                request, "o", ModelBounds.LOCK, Duration.ofMillis(lease), lockDelay, tokens, observations, claims);
    }

    Observations observations(Machine process) {
        Duration unknown = Duration.ofMillis(scope.durations().get(0));
        Observations observations = new Observations(2, lockDelay.inRow(unknown));
        Observation seen = process.seen;
        if (seen != null) {
            observations.observed(ModelBounds.LOCK, seen.row(), seen.sinceNanos());
        }
        return observations;
    }

    /** Keeps what was seen, less what observations never look at. */
    void remember(Machine process, Observations observations) {
        Observation seen = observations.latest(ModelBounds.LOCK);
        if (seen == null) {
            process.seen = null;
        } else if (scope.observes()) {
            process.seen = Observation.first(lessOf(seen.row()), seen.sinceNanos());
        } else {
            process.seen = Observation.first(tokensOf(seen.row()), ModelClocks.nanos(0));
        }
    }

    static LockRow tokensOf(LockRow row) {
        return LockRow.builder()
                .fencingToken(row.fencingToken())
                .tokenFloor(row.tokenFloor())
                .build();
    }

    private static LockRow lessOf(LockRow row) {
        String holder = row.leaseId();
        return LockRow.builder()
                .leaseId(holder)
                .owner(row.owner())
                .fencingToken(row.fencingToken())
                .tokenFloor(row.tokenFloor())
                .leaseDuration(row.leaseDuration())
                .expiresAt(holder == null ? null : NO_END)
                .clock(holder == null ? null : LeaseTime.SYSTEM)
                .renewals(row.renewals())
                .laterFormat(row.laterFormat())
                .claim(row.claim())
                .build();
    }

    Proposal proposal(ModelState world, int process, Holder holder, boolean unanswered) {
        ClockReading sent = sent(world, process, holder);
        Proposal proposal = new Proposal(holder.write, sent, LeaseExpiry.after(sent, Duration.ofMillis(holder.lease)));
        if (unanswered) {
            proposal.failed(noResponse);
        }
        return proposal;
    }

    ClockReading sent(ModelState world, int process, Holder holder) {
        if (!scope.samples()) {
            return clocks.read(process, holder.sentTime, holder.sentPaused, world.skew);
        }
        Acquire write = holder.write;
        ClockReading clock = clocks.read(process, holder.sentTime, holder.sentPaused, clocks.unknown());
        long latest = write.expiresAt().minus(write.leaseDuration()).toEpochMilli();
        long earliest =
                write.onlyIf() instanceof FreeOrExpired guard ? guard.before().toEpochMilli() : latest;
        return new ClockReading(clock.nanos(), clock.wallMillis(), earliest, latest, write.clock());
    }

    LeaseGrant grant(ModelState world, int process, Holder holder) {
        return grant(holder, sent(world, process, holder));
    }

    private LeaseGrant grant(Holder holder, ClockReading sent) {
        Acquire write = holder.write;
        Duration lease = Duration.ofMillis(holder.lease);
        return new LeaseGrant(
                ModelBounds.LOCK,
                ModelBounds.LOCK,
                write.leaseId(),
                "o",
                write.token(),
                Map.of(),
                lease,
                sent,
                LeaseExpiry.after(sent, lease),
                true,
                null,
                scope.minHold() == 0 ? null : Duration.ofMillis(scope.minHold()),
                OnLost.EVENT);
    }

    /** Whether the time at which its proposal was sent still decides anything. */
    boolean needsTimeOfSending(Holder holder) {
        return scope.minHold() > 0 && holder.validity != null && !holder.releaseSent;
    }

    Renew renew(Holder holder, Extension extension) {
        return grant(holder, ANY).renew(extension.renewal, lockDelay, false);
    }

    Release release(Holder holder) {
        return new Release(ModelBounds.LOCK, holder.id(), Instant.EPOCH, holder.rest);
    }

    UndoPlan undo(Holder holder) {
        return new UndoPlan(holder.write);
    }

    Release free(Holder holder) {
        return undo(holder).release(ANY);
    }

    RaiseFloor raise(Holder holder) {
        return undo(holder).raise(ANY);
    }

    LeaseToken token(Holder holder) {
        return LeaseToken.of("s", ModelBounds.LOCK, holder.id(), null);
    }

    /** The row that a response carries: null where an applied write promises none. */
    static LockStore.Response response(boolean applied, @Nullable LockRow row) {
        return new LockStore.Response(applied, row, null);
    }
}
