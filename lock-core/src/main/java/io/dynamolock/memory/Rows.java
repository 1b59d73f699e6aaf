/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.memory;

import io.dynamolock.LastHold;
import io.dynamolock.LockGuard;
import io.dynamolock.LockGuard.Free;
import io.dynamolock.LockGuard.FreeOrExpired;
import io.dynamolock.LockGuard.HeldBy;
import io.dynamolock.LockGuard.Unchanged;
import io.dynamolock.LockRow;
import io.dynamolock.LockRowBuilder;
import io.dynamolock.LockWrite.Acquire;
import io.dynamolock.LockWrite.Claim;
import io.dynamolock.LockWrite.ForceFree;
import io.dynamolock.LockWrite.RaiseFloor;
import io.dynamolock.LockWrite.Release;
import io.dynamolock.LockWrite.Renew;
import io.dynamolock.LockWrite.Rest;
import io.dynamolock.LockWrite.WithdrawClaim;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/** The conditions of the writes, and their effects on a row. */
final class Rows {

    /** What a condition sees, and a write starts from, if there is no row. */
    static final LockRow EMPTY = LockRow.builder().build();

    private Rows() {}

    static boolean allows(LockRow row, Acquire write) {
        boolean open = row.isFree() && write.acquiresDespite(row.claim());
        return !row.laterFormat() && isBelow(row.tokenFloor(), write.token()) && allows(row, write.onlyIf(), open);
    }

    static boolean allows(LockRow row, Renew write) {
        return row.isHeldBy(write.leaseId())
                && !row.revoked()
                && row.renewals() != null
                && row.renewals() < write.number();
    }

    static boolean allows(LockRow row, Release write) {
        Rest rest = write.rest();
        Long present = row.renewals();
        boolean changes = rest == null || present == null || present < rest.number() || present > Rest.LAST;
        return row.isHeldBy(write.leaseId()) && changes;
    }

    static boolean allows(LockRow row, RaiseFloor write) {
        return !row.laterFormat() && isBelow(row.tokenFloor(), write.token()) && !row.isHeldBy(write.leaseId());
    }

    static boolean allows(LockRow row, ForceFree write) {
        return !row.laterFormat() && write.unchanged().fits(row) && write.floorIsStill(row);
    }

    static boolean allows(LockRow row, Claim write) {
        return write.isPermittedBy(row);
    }

    static boolean allows(LockRow row, WithdrawClaim write) {
        return !row.laterFormat() && write.claim().equals(row.claim());
    }

    private static boolean allows(LockRow row, LockGuard guard, boolean free) {
        if (guard instanceof FreeOrExpired expired) {
            return free || isPast(row, expired);
        }
        if (guard instanceof Unchanged seen) {
            return free || (!row.isFree() && seen.fits(row));
        }
        if (guard instanceof HeldBy held) {
            return row.isHeldBy(held.leaseId()) && row.detached() && !row.revoked();
        }
        return guard instanceof Free && free;
    }

    private static boolean isPast(LockRow row, FreeOrExpired guard) {
        return row.expiresAt() != null
                && row.expiresAt().isBefore(millis(guard.before()))
                && row.clock() == guard.clock();
    }

    private static boolean isBelow(@Nullable Long floor, long token) {
        return floor == null || floor < token;
    }

    /** Whether the metadata of the first holder is kept, because its lease is resumed. */
    private static boolean isCarriedOn(Acquire write) {
        return write.onlyIf() instanceof HeldBy && write.metadata().isEmpty();
    }

    static LockRow acquired(LockRow row, Acquire write) {
        return LockRow.acquiredBy(write)
                .leaseDuration(millis(write.leaseDuration()))
                .expiresAt(millis(write.expiresAt()))
                .acquiredAt(millis(write.acquiredAt()))
                .metadata(isCarriedOn(write) ? row.metadata() : write.metadata())
                .lastLeaseId(row.lastLeaseId())
                .lastHold(row.lastHold())
                .build();
    }

    static LockRow renewed(LockRow row, Renew write) {
        return row.toBuilder()
                .leaseDuration(millis(write.leaseDuration()))
                .expiresAt(millis(write.expiresAt()))
                .clock(write.clock())
                .renewals(write.number())
                .detached(write.detaches())
                .build();
    }

    static LockRow released(LockRow row, Release write) {
        Rest rest = write.rest();
        LastHold hold = write.lastHold() == null ? row.lastHold() : millis(write.lastHold());
        return rest == null
                ? free(row.fencingToken(), row.tokenFloor(), write.leaseId(), hold)
                        .claim(row.claim())
                        .build()
                : row.toBuilder()
                        .leaseDuration(millis(rest.leaseDuration()))
                        .expiresAt(millis(rest.expiresAt()))
                        .clock(rest.clock())
                        .renewals(rest.number())
                        .lastLeaseId(write.leaseId())
                        .lastHold(hold)
                        .detached(false)
                        .build();
    }

    static LockRow freed(LockRow row, ForceFree write) {
        Long token = write.removesToken() ? null : row.fencingToken();
        boolean keepsFloor = row.tokenFloor() != null && !write.lowersFloor();
        String lastLeaseId = row.leaseId() == null ? row.lastLeaseId() : row.leaseId();
        Long floor = keepsFloor ? row.tokenFloor() : (Long) write.floorAfter();
        return free(token, floor, lastLeaseId, row.lastHold()).build();
    }

    static LockRow raised(LockRow row, RaiseFloor write) {
        return row.toBuilder().tokenFloor(write.token()).build();
    }

    static LockRow claimed(LockRow row, Claim write) {
        return row.toBuilder().claim(write.claim()).build();
    }

    static LockRow unclaimed(LockRow row) {
        return row.toBuilder().claim(null).build();
    }

    static LockRow revoked(LockRow row) {
        return row.toBuilder().revoked(true).build();
    }

    private static LockRowBuilder free(
            @Nullable Long token, @Nullable Long floor, @Nullable String lastLeaseId, @Nullable LastHold lastHold) {
        return LockRow.builder()
                .fencingToken(token)
                .tokenFloor(floor)
                .lastLeaseId(lastLeaseId)
                .lastHold(lastHold);
    }

    private static LastHold millis(LastHold hold) {
        return new LastHold(hold.owner(), millis(hold.endedAt()), hold.duration(), hold.failed());
    }

    /** Rounds up: no process may wait less than the lease duration. */
    private static Duration millis(Duration duration) {
        return Duration.ofMillis(duration.plusNanos(999_999).toMillis());
    }

    private static Instant millis(Instant instant) {
        return instant.truncatedTo(ChronoUnit.MILLIS);
    }
}
