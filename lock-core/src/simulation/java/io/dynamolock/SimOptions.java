/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Overrides of what the seed of a history would choose.
 *
 * @param time the one time that all processes go by; null to leave it to chance
 * @param leftOut faults not to happen
 * @param readable whether to keep what happened as text
 */
record SimOptions(@Nullable LeaseTime time, Set<SimFaults.Occurrence> leftOut, boolean readable) {

    static final SimOptions DEFAULT = new SimOptions(null, Set.of(), false);

    static SimOptions by(@Nullable LeaseTime time) {
        return new SimOptions(time, Set.of(), false);
    }

    SimOptions without(Set<SimFaults.Occurrence> faults) {
        return new SimOptions(time, faults, readable);
    }

    SimOptions traced() {
        return new SimOptions(time, leftOut, true);
    }
}
