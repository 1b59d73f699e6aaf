/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

/**
 * A lock as a store has it, without the judgement of a manager: whether a lease has expired depends on the clock of the
 * process that asks, see {@link LockManager#inspect}.
 *
 * @param storedName the name of the row: the lock name with the prefix of its manager, not escaped for display
 * @param row its row, with {@linkplain LockRow#defects() defects} if this library did not write it in this form
 * @since 0.1
 */
public record StoredLock(String storedName, LockRow row) {

    /** Escapes the name for display, and omits the lease ids. */
    @Override
    public String toString() {
        return "StoredLock[storedName=%s, row=%s]".formatted(Texts.shown(storedName), row);
    }
}
