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

    /** Whether it was sent to sample the clock, which another response may have set by its own. */
    final boolean samplesClock;

    @Nullable
    Object response;

    private boolean abandoned;

    SimCall(SimProcess from, SimRequest what, SimThread waiting) {
        this.from = from;
        this.what = what;
        this.waiting = waiting;
        this.samplesClock = what.kind() == SimRequest.Kind.READ && !from.context.clock.isReady();
    }

    void abandon() {
        abandoned = true;
    }

    /** Returns whether no thread waits for its response any more. */
    boolean isOver() {
        return abandoned || response != null;
    }
}
