/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.memory;

import io.dynamolock.LockRow;
import io.dynamolock.LockWrite.Acquire;
import io.dynamolock.LockWrite.Claim;
import io.dynamolock.LockWrite.ForceFree;
import io.dynamolock.LockWrite.RaiseFloor;
import io.dynamolock.LockWrite.Release;
import io.dynamolock.LockWrite.Renew;
import io.dynamolock.LockWrite.WithdrawClaim;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * One conditional write, as a function of the row.
 *
 * @param onlyIf its condition
 * @param effect the row after the write
 */
record Change(Predicate<LockRow> onlyIf, UnaryOperator<LockRow> effect) {

    static Change of(Acquire write) {
        return new Change(row -> Rows.allows(row, write), row -> Rows.acquired(row, write));
    }

    static Change of(Renew write) {
        return new Change(row -> Rows.allows(row, write), row -> Rows.renewed(row, write));
    }

    static Change of(Release write) {
        return new Change(row -> Rows.allows(row, write), row -> Rows.released(row, write));
    }

    static Change of(RaiseFloor write) {
        return new Change(row -> Rows.allows(row, write), row -> Rows.raised(row, write));
    }

    static Change of(ForceFree write) {
        return new Change(row -> Rows.allows(row, write), row -> Rows.freed(row, write));
    }

    static Change of(Claim write) {
        return new Change(row -> Rows.allows(row, write), row -> Rows.claimed(row, write));
    }

    static Change of(WithdrawClaim write) {
        return new Change(row -> Rows.allows(row, write), Rows::unclaimed);
    }

    static Change revocationOf(String leaseId) {
        return new Change(row -> row.isHeldBy(leaseId), Rows::revoked);
    }

    /** The row after the write; null if it is rejected. */
    @Nullable
    LockRow after(@Nullable LockRow before) {
        LockRow row = before == null ? Rows.EMPTY : before;
        return onlyIf.test(row) ? effect.apply(row) : null;
    }
}
