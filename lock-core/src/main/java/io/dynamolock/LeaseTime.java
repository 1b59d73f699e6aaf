/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import org.jspecify.annotations.Nullable;

/**
 * Which time decides when a lease has ended.
 *
 * @since 0.1
 */
public enum LeaseTime {
    /** The store's time, as its answers tell it; wall clocks do not matter. */
    SERVER("D"),
    /** The wall clocks of the machines, which must agree within the clock skew allowance. */
    SYSTEM("W"),
    /** No common time: a rival watches the row stand still for a whole lease on its own monotonic clock. */
    OBSERVED("O");

    private final String code;

    LeaseTime(String code) {
        this.code = code;
    }

    /**
     * Returns how a row says which time its end is told in.
     *
     * @return one letter
     */
    public String code() {
        return code;
    }

    /**
     * Finds the time that a row names.
     *
     * @param code the letter in the row
     * @return the time it stands for, or null for one that this version does not know
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
