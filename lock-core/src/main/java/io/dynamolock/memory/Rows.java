/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.memory;

import io.dynamolock.LeaseTime;
import io.dynamolock.LockRow;
import io.dynamolock.LockStore.Acquire;
import io.dynamolock.LockStore.ForceFree;
import io.dynamolock.LockStore.Free;
import io.dynamolock.LockStore.FreeOrExpired;
import io.dynamolock.LockStore.Guard;
import io.dynamolock.LockStore.HeldBy;
import io.dynamolock.LockStore.RaiseFloor;
import io.dynamolock.LockStore.Release;
import io.dynamolock.LockStore.Renew;
import io.dynamolock.LockStore.Rest;
import io.dynamolock.LockStore.Unchanged;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The conditions of the writes, and their effects on a row. */
final class Rows {

    /** What a condition sees, and a write starts from, if there is no row. */
    static final LockRow EMPTY = free(null, null, null);

    private Rows() {}

    static boolean allows(LockRow row, Acquire write) {
        return !row.laterFormat() && isBelow(row.tokenFloor(), write.token()) && allows(row, write.onlyIf());
    }

    static boolean allows(LockRow row, Renew write) {
        return row.isHeldBy(write.leaseId())
                && !row.revoked()
                && row.renewals() != null
                && row.renewals() < write.number();
    }

    static boolean allows(LockRow row, RaiseFloor write) {
        return !row.laterFormat() && isBelow(row.tokenFloor(), write.token()) && !row.isHeldBy(write.leaseId());
    }

    static boolean allows(LockRow row, ForceFree write) {
        return !row.laterFormat() && write.unchanged().fits(row) && write.hasSuchFloor(row);
    }

    private static boolean allows(LockRow row, Guard guard) {
        if (guard instanceof FreeOrExpired expired) {
            return row.isFree() || isPast(row, expired);
        }
        if (guard instanceof Unchanged seen) {
            return row.isFree() || seen.fits(row);
        }
        if (guard instanceof HeldBy held) {
            return row.isHeldBy(held.leaseId()) && row.detached() && !row.revoked();
        }
        return guard instanceof Free && row.isFree();
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
        return new LockRow(
                write.leaseId(),
                write.owner(),
                write.token(),
                write.token(),
                millis(write.leaseDuration()),
                millis(write.expiresAt()),
                write.clock(),
                0L,
                millis(write.acquiredAt()),
                isCarriedOn(write) ? row.metadata() : write.metadata(),
                false,
                row.lastLeaseId(),
                List.of());
    }

    static LockRow renewed(LockRow row, Renew write) {
        return kept(
                row,
                write.leaseDuration(),
                write.expiresAt(),
                write.clock(),
                write.number(),
                row.lastLeaseId(),
                write.detaches());
    }

    static LockRow released(LockRow row, Release write) {
        Rest rest = write.rest();
        return rest == null
                ? free(row.fencingToken(), row.tokenFloor(), write.leaseId())
                : kept(
                        row,
                        rest.leaseDuration(),
                        rest.expiresAt(),
                        rest.clock(),
                        Rest.RENEWALS,
                        write.leaseId(),
                        false);
    }

    static LockRow freed(LockRow row, ForceFree write) {
        Long token = write.removesToken() ? null : row.fencingToken();
        boolean keepsFloor = row.tokenFloor() != null && !write.lowersFloor();
        String lastLeaseId = row.leaseId() == null ? row.lastLeaseId() : row.leaseId();
        return free(token, keepsFloor ? row.tokenFloor() : (Long) write.floorAfter(), lastLeaseId);
    }

    static LockRow raised(LockRow row, RaiseFloor write) {
        return copy(row, write.token(), row.revoked());
    }

    static LockRow revoked(LockRow row) {
        return copy(row, row.tokenFloor(), true);
    }

    private static LockRow free(@Nullable Long token, @Nullable Long floor, @Nullable String lastLeaseId) {
        return new LockRow(
                null, null, token, floor, null, null, null, null, null, Map.of(), false, lastLeaseId, List.of());
    }

    private static LockRow kept(
            LockRow row,
            Duration leaseDuration,
            Instant expiresAt,
            LeaseTime clock,
            long renewals,
            @Nullable String lastLeaseId,
            boolean detached) {
        return new LockRow(
                row.leaseId(),
                row.owner(),
                row.fencingToken(),
                row.tokenFloor(),
                millis(leaseDuration),
                millis(expiresAt),
                clock,
                renewals,
                row.acquiredAt(),
                row.metadata(),
                row.revoked(),
                lastLeaseId,
                List.of(),
                detached,
                false,
                null);
    }

    private static LockRow copy(LockRow row, @Nullable Long tokenFloor, boolean revoked) {
        return new LockRow(
                row.leaseId(),
                row.owner(),
                row.fencingToken(),
                tokenFloor,
                row.leaseDuration(),
                row.expiresAt(),
                row.clock(),
                row.renewals(),
                row.acquiredAt(),
                row.metadata(),
                revoked,
                row.lastLeaseId(),
                List.of(),
                row.detached(),
                false,
                null);
    }

    /** Rounds up: no process may wait less than the lease duration. */
    private static Duration millis(Duration duration) {
        return Duration.ofMillis(duration.plusNanos(999_999).toMillis());
    }

    private static Instant millis(Instant instant) {
        return instant.truncatedTo(ChronoUnit.MILLIS);
    }
}
