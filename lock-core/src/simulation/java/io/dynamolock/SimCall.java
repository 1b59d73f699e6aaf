/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import org.jspecify.annotations.Nullable;

/** One request in flight. */
final class SimCall {

    final SimProcess from;
    final SimRequest what;
    final SimThread waiting;

    @Nullable
    Object answer;

    private boolean abandoned;

    SimCall(SimProcess from, SimRequest what, SimThread waiting) {
        this.from = from;
        this.what = what;
        this.waiting = waiting;
    }

    void abandon() {
        abandoned = true;
    }

    /** Returns whether no thread waits for its response any more. */
    boolean isOver() {
        return abandoned || answer != null;
    }
}
