/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import org.jspecify.annotations.Nullable;

/**
 * The time source that decides when a lease has expired.
 *
 * @since 0.1
 */
public enum LeaseTime {
    /**
     * The store's time, taken from its responses: what the wall clocks of the machines show does not matter. A jump of
     * this machine's clock counts as a suspension.
     */
    SERVER("D"),
    /** The wall clocks of the machines, which must agree within the allowed clock skew. */
    SYSTEM("W"),
    /**
     * No common clock: another process must observe the row unchanged for a whole lease duration, on its own monotonic
     * clock. That counts from its own first look: however old the lock of a dead holder is, or one that is kept after
     * its release, as for a minimum hold, the first attempt of another process finds it busy. Fencing tokens are
     * derived from wall clocks: after a row was deleted, the next token may be lower than an earlier one, by as much as
     * these differ.
     */
    OBSERVED("O");

    private final String code;

    LeaseTime(String code) {
        this.code = code;
    }

    /**
     * Returns the code of this time source in a row.
     *
     * @return one letter
     */
    public String code() {
        return code;
    }

    /**
     * Returns the time source with a given code.
     *
     * @param code the letter in the row
     * @return the time source, or null if this version does not know the code
     */
    public static @Nullable LeaseTime ofCode(String code) {
        for (LeaseTime time : values()) {
            if (time.code.equals(code)) {
                return time;
            }
        }
        return null;
    }
}
