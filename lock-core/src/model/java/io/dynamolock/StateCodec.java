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
import io.dynamolock.ModelState.Stage;
import io.dynamolock.Observations.Observation;
import io.dynamolock.time.Drift;
import io.dynamolock.time.Durations;
import java.time.Duration;
import java.util.Objects;

/** Encodes worlds as bytes: equal worlds have equal bytes, and what can no longer matter is left out. */
final class StateCodec extends RowCodec {

    private static final LeaseState[] STATES = LeaseState.values();
    private static final Stage[] STAGES = Stage.values();

    StateCodec(ModelBounds scope) {
        super(scope);
    }

    void encode(ModelState world) {
        clear();
        offsets = scope.offsets().get(world.skew);
        put(world.time * 2L + (world.broken == null ? 0 : 1));
        put(world.skew + 8L * (world.pauses + 8L * (world.revocations + 8L * world.unanswered)));
        putToken(world.granted);
        putRow(world.row);
        for (int p = 0; p < world.processes.length; p++) {
            ModelState.Machine process = world.processes[p];
            wall = offsets.get(p);
            put(process.paused * 2L + (process.seen == null ? 0 : 1));
            putToken(process.lastToken);
            if (scope.samples()) {
                putClock(Objects.requireNonNull(process.clock));
            }
            if (process.seen != null) {
                putRow(process.seen.row());
                put(ModelClocks.tickOfNanos(process.seen.sinceNanos()));
            }
            put(process.leases.size());
            for (Holder holder : process.leases) {
                putHolder(holder);
            }
        }
    }

    ModelState decode(byte[] from) {
        byte[] mine = replaced(from);
        long time = get();
        long numbers = get();
        ModelState world = new ModelState(scope, (int) (numbers & 7));
        world.time = (int) (time / 2);
        world.pauses = (int) (numbers >> 3 & 7);
        world.revocations = (int) (numbers >> 6 & 7);
        world.unanswered = (int) (numbers >> 9);
        world.granted = getToken();
        world.row = getRow();
        for (ModelState.Machine process : world.processes) {
            long still = get();
            process.paused = (int) (still / 2);
            process.lastToken = getToken();
            process.clock = scope.samples() ? getClock() : null;
            if ((still & 1) == 1) {
                LockRow row = Objects.requireNonNull(getRow());
                process.seen = Observation.first(row, ModelClocks.nanos(get()));
            }
            int leases = (int) get();
            for (int i = 0; i < leases; i++) {
                process.leases.add(getHolder());
            }
        }
        replaced(mine);
        return world;
    }

    // leases

    private void putHolder(Holder holder) {
        boolean acquires = holder.stage == Stage.ACQUIRING || holder.acquiring;
        LeaseValidity validity = holder.validity;
        put(bits(
                holder.applied,
                holder.acquired != null,
                validity != null,
                holder.rest != null,
                holder.releaseSent,
                holder.freed,
                holder.dead,
                holder.over,
                acquires,
                holder.acquiring,
                holder.releasing,
                holder.freeing,
                holder.raising));
        put(holder.stage);
        put(scope.indexOf(holder.id()));
        putToken(ModelTokens.matters(scope, holder) ? holder.write.token() : 0);
        put(isLeaseNeeded(holder) ? holder.lease : 0);
        put(holder.sentTime);
        put(holder.sentPaused);
        if (acquires) {
            putWrite(holder.write);
        }
        if (holder.acquired != null) {
            put(holder.acquired.applied() ? 1 : 0);
            putRow(holder.acquired.row());
            putDate(holder.acquired.date());
        }
        if (validity != null) {
            put(number(validity.state()) + 8 * validity.newestNumber());
            if (validity.state().isHeld()) {
                putEnd(validity.end());
                putEnd(isAwaited(holder, validity.newestNumber()) ? validity.newestEnd() : validity.end());
            }
        }
        if (holder.rest != null) {
            put(holder.rest.leaseDuration().toMillis());
            put(ModelClocks.tickOfMillis(holder.rest.expiresAt().toEpochMilli()));
            put(holder.rest.clock());
        }
        put(holder.extensions.size());
        for (Extension extension : holder.extensions) {
            putExtension(extension);
        }
    }

    private boolean isLeaseNeeded(Holder holder) {
        return holder.stage == Stage.ACQUIRING
                || (scope.detaches()
                        && holder.validity != null
                        && (holder.validity.state().isHeld() || holder.validity.state() == LeaseState.DETACHED));
    }

    private static boolean isAwaited(Holder holder, long number) {
        for (Extension extension : holder.extensions) {
            if (extension.awaited && extension.renewal.number() == number) {
                return true;
            }
        }
        return false;
    }

    private Holder getHolder() {
        long flags = get();
        Stage stage = get(STAGES);
        String id = scope.leaseIdAt((int) get());
        long token = getToken();
        int lease = (int) get();
        int sentTime = (int) get();
        int sentPaused = (int) get();
        boolean acquires = (flags & 1 << 8) != 0;
        Holder holder = new Holder(acquires ? getWrite(id, token) : write(id, token), lease);
        holder.stage = stage;
        holder.acquiring = (flags & 1 << 9) != 0;
        holder.releasing = (flags & 1 << 10) != 0;
        holder.freeing = (flags & 1 << 11) != 0;
        holder.raising = (flags & 1 << 12) != 0;
        holder.sentTime = sentTime;
        holder.sentPaused = sentPaused;
        holder.applied = (flags & 1) != 0;
        holder.releaseSent = (flags & 1 << 4) != 0;
        holder.freed = (flags & 1 << 5) != 0;
        holder.dead = (flags & 1 << 6) != 0;
        holder.over = (flags & 1 << 7) != 0;
        if ((flags & 1 << 1) != 0) {
            boolean applied = get() == 1;
            holder.acquired = new Response(applied, getRow(), getDate());
        }
        if ((flags & 1 << 2) != 0) {
            holder.validity = getTerm();
        }
        if ((flags & 1 << 3) != 0) {
            Duration rest = Duration.ofMillis(get());
            holder.rest = Writes.rest(rest, getInstant(), get(TIMES));
        }
        int extensions = (int) get();
        for (int i = 0; i < extensions; i++) {
            holder.extensions.add(getExtension());
        }
        return holder;
    }

    private LeaseValidity getTerm() {
        long state = get();
        LeaseState is = STATES[(int) (state & 7)];
        LeaseExpiry end = is.isHeld() ? getEnd() : NO_END;
        return new LeaseValidity(is, end, state >> 3, is.isHeld() ? getEnd() : NO_END);
    }

    private void putExtension(Extension extension) {
        RenewRefusal response = extension.response;
        int kind = response == null ? 0 : response instanceof RenewRefusal.Applied ? 1 : 2;
        kind = response instanceof RenewRefusal.Gone ? 3 : kind;
        put((extension.underWay ? 8 : 0) + (extension.awaited ? 4 : 0) + kind);
        put(extension.renewal.number());
        if (extension.underWay || extension.awaited) {
            put(extension.renewal.leaseDuration().toMillis());
            putEnd(extension.renewal.end());
        }
        if (kind > 0) {
            putDate(extension.date);
        }
        if (response instanceof RenewRefusal.Overtaken overtaken) {
            put(cut(ModelClocks.tickOfMillis(overtaken.endMillis()), wall + scope.halfWidth() + scope.lockDelay()));
        }
    }

    /** The clocks when a renewal was sent, as far as its end depends on them. */
    private static ClockReading sent(LeaseExpiry end, Duration lease) {
        long millis = lease.toMillis();
        long common = end.commonMillis() - millis;
        long nanos = Durations.nanos(lease);
        long sent = ModelClocks.startOfTick(end.nanos() - nanos + Drift.allowance(nanos));
        return new ClockReading(sent, end.wallMillis() - millis, common, common, end.time());
    }

    private Extension getExtension() {
        long head = get();
        long number = get();
        boolean matters = head >= 4;
        Duration lease = matters ? Duration.ofMillis(get()) : Duration.ZERO;
        LeaseExpiry end = matters ? getEnd() : NO_END;
        Extension extension = new Extension(new PendingRenewal(number, sent(end, lease), end, lease));
        extension.underWay = (head & 8) != 0;
        extension.awaited = (head & 4) != 0;
        extension.date = (head & 3) == 0 ? null : getDate();
        extension.response = switch ((int) (head & 3)) {
            case 1 -> new RenewRefusal.Applied();
            case 2 -> new RenewRefusal.Overtaken(ModelClocks.millis(get()));
            case 3 -> new RenewRefusal.Gone(LeaseLost.Reason.TAKEN, null); // whatever the reason
            default -> null;
        };
        return extension;
    }
}
