/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.LockGuard.Free;
import io.dynamolock.LockGuard.FreeOrExpired;
import io.dynamolock.LockGuard.HeldBy;
import io.dynamolock.LockGuard.Unchanged;
import io.dynamolock.LockWrite.Acquire;
import io.dynamolock.time.IntervalClock;
import io.dynamolock.time.IntervalClock.Range;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Encodes rows, lease ends and acquires as bytes. */
abstract class RowCodec extends NumberCodec {

    static final LeaseTime[] TIMES = LeaseTime.values();
    static final LeaseExpiry NO_END =
            new LeaseExpiry(ModelClocks.nanos(0), ModelClocks.millis(0), ModelClocks.millis(0), LeaseTime.OBSERVED);

    final ModelBounds scope;

    /** The offsets of the wall clocks in the world that is encoded. */
    List<Integer> offsets = List.of();

    /** That of the process that is encoded. */
    int wall;

    RowCodec(ModelBounds scope) {
        this.scope = scope;
    }

    void putEnd(LeaseExpiry end) {
        put(cut(ModelClocks.tickAtOrAfter(end.nanos()), 0));
        put(cut(ModelClocks.tickOfMillis(end.wallMillis()), wall));
        put(cut(ModelClocks.tickOfMillis(end.commonMillis()), wall + scope.halfWidth()));
        put(end.time());
    }

    /** What is after the horizon is equally far away. */
    long cut(long tick, int ahead) {
        return scope.pauses() > 0 || scope.samples() ? tick : Math.min(tick, scope.horizon() + 1L + ahead);
    }

    LeaseExpiry getEnd() {
        return new LeaseExpiry(
                ModelClocks.nanos(get()), ModelClocks.millis(get()), ModelClocks.millis(get()), get(TIMES));
    }

    // clocks and dates

    void putClock(IntervalClock clock) {
        Long refuted = clock.refutedUntil();
        put(bits(clock.range() != null, clock.candidate() != null, refuted != null, clock.undated()));
        put(clock.confirmations());
        putRange(clock.range());
        putRange(clock.candidate());
        put(refuted == null ? 0 : refuted - ModelClocks.nanos(0));
    }

    private void putRange(@Nullable Range range) {
        if (range != null) {
            put(range.low() - ModelClocks.STORE_OFFSET);
            put(range.high() - ModelClocks.STORE_OFFSET);
            put(range.atNanos() - ModelClocks.nanos(0));
            put(range.wallOffset() - ModelClocks.WALL_OFFSET);
        }
    }

    IntervalClock getClock() {
        long flags = get();
        int confirmations = (int) get();
        Range range = (flags & 1) == 0 ? null : getRange();
        Range candidate = (flags & 2) == 0 ? null : getRange();
        long refuted = get() + ModelClocks.nanos(0);
        return new IntervalClock(
                2_000_000L * scope.halfWidth(),
                range,
                candidate,
                confirmations,
                (flags & 4) == 0 ? null : (Long) refuted,
                (flags & 8) != 0);
    }

    private Range getRange() {
        long low = get() + ModelClocks.STORE_OFFSET;
        long high = get() + ModelClocks.STORE_OFFSET;
        long at = get() + ModelClocks.nanos(0);
        return new Range(low, high, at, get() + ModelClocks.WALL_OFFSET);
    }

    void putDate(@Nullable Instant date) {
        put(date == null ? 0 : 1 + date.getEpochSecond() - ModelClocks.START_SECOND);
    }

    @Nullable
    Instant getDate() {
        long second = get();
        return second == 0 ? null : Instant.ofEpochSecond(second - 1 + ModelClocks.START_SECOND);
    }

    // writes

    void putWrite(Acquire write) {
        put(write.leaseDuration().toMillis());
        long end = ModelClocks.tickOfMillis(write.expiresAt().toEpochMilli());
        put(cut(end, wall + scope.halfWidth() + scope.lockDelay()));
        put(write.clock());
        if (scope.claims()) {
            put(bits(write.acquiresDespite(ModelWrites.CLAIM)));
        }
        LockGuard guard = write.onlyIf();
        if (guard instanceof FreeOrExpired expired) {
            put(1);
            put(ModelClocks.tickOfMillis(expired.before().toEpochMilli()));
            put(expired.clock());
        } else if (guard instanceof Unchanged unchanged) {
            put(2);
            put(scope.indexOf(Objects.requireNonNull(unchanged.leaseId())));
            put(unchanged.renewals() == null ? -1 : unchanged.renewals());
        } else if (guard instanceof HeldBy heldBy) {
            put(3);
            put(scope.indexOf(heldBy.leaseId()));
        } else {
            put(0);
        }
    }

    Acquire getWrite(String id, long token) {
        Duration lease = Duration.ofMillis(get());
        Instant end = getInstant();
        LeaseTime time = get(TIMES);
        String claim = scope.claims() && get() != 0 ? ModelWrites.CLAIM.text() : "";
        LockGuard guard = getGuard();
        return new Acquire(
                ModelBounds.LOCK, id, id, token, lease, Instant.EPOCH, end, time, Map.of(), guard, null, claim);
    }

    private LockGuard getGuard() {
        return switch ((int) get()) {
            case 1 -> new FreeOrExpired(getInstant(), get(TIMES));
            case 2 -> {
                String id = scope.leaseIdAt((int) get());
                long renewals = get();
                yield new Unchanged(id, renewals < 0 ? null : (Long) renewals);
            }
            case 3 -> new HeldBy(scope.leaseIdAt((int) get()));
            default -> new Free();
        };
    }

    /** A write that will never be sent again: only whose it was still matters. */
    static Acquire write(String id, long token) {
        return Writes.acquire(
                ModelBounds.LOCK,
                id,
                id,
                token,
                Duration.ZERO,
                Instant.EPOCH,
                Instant.EPOCH,
                LeaseTime.OBSERVED,
                Map.of(),
                new Free());
    }

    // rows

    void putRow(@Nullable LockRow row) {
        if (row == null) {
            put(0);
            return;
        }
        String holder = row.leaseId();
        put(1
                + bits(
                        holder != null,
                        row.lastLeaseId() != null,
                        row.revoked(),
                        row.detached(),
                        row.laterFormat(),
                        row.claim() != null));
        putToken(row.fencingToken() == null ? 0 : row.fencingToken());
        putToken(row.tokenFloor() == null ? 0 : row.tokenFloor());
        if (row.lastLeaseId() != null) {
            put(scope.indexOf(row.lastLeaseId()));
        }
        if (holder != null) {
            put(scope.indexOf(holder));
            put(Objects.requireNonNull(row.leaseDuration()).toMillis());
            long end = ModelClocks.tickOfMillis(
                    Objects.requireNonNull(row.expiresAt()).toEpochMilli());
            put(cut(end, offsets.get(scope.processOf(holder)) + scope.halfWidth() + scope.lockDelay()));
            put(Objects.requireNonNull(row.clock()));
            put(row.renewals() == null ? -1 : row.renewals());
        }
    }

    @Nullable
    LockRow getRow() {
        long head = get() - 1;
        if (head < 0) {
            return null;
        }
        long token = getToken();
        long floor = getToken();
        String last = (head & 2) == 0 ? null : scope.leaseIdAt((int) get());
        LockRowBuilder row = LockRow.builder()
                .fencingToken(known(token))
                .tokenFloor(known(floor))
                .lastLeaseId(last)
                .laterFormat((head & 16) != 0)
                .claim((head & 32) == 0 ? null : ModelWrites.CLAIM);
        if ((head & 1) == 0) {
            return row.build();
        }
        String holder = scope.leaseIdAt((int) get());
        row.leaseId(holder)
                .owner(holder)
                .leaseDuration(Duration.ofMillis(get()))
                .expiresAt(getInstant())
                .clock(get(TIMES));
        long renewals = get();
        return row.renewals(renewals < 0 ? null : (Long) renewals)
                .acquiredAt(Instant.EPOCH)
                .revoked((head & 4) != 0)
                .detached((head & 8) != 0)
                .build();
    }

    private static @Nullable Long known(long token) {
        return token == 0 ? null : (Long) token;
    }
}
