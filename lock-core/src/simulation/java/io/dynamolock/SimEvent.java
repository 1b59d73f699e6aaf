/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import org.jspecify.annotations.Nullable;

/** A scheduled event: non-blocking code, a resumed thread, or work on its own thread. */
final class SimEvent implements Comparable<SimEvent> {

    enum Kind {
        ACTION,
        GO_ON,
        START
    }

    final Kind kind;
    final @Nullable SimProcess process;
    final @Nullable Runnable action;
    final @Nullable SimThread thread;
    final long ticket;
    final long order;
    long at;

    SimEvent(
            Kind kind,
            long at,
            long order,
            @Nullable SimProcess process,
            @Nullable Runnable action,
            @Nullable SimThread thread,
            long ticket) {
        this.kind = kind;
        this.at = at;
        this.order = order;
        this.process = process;
        this.action = action;
        this.thread = thread;
        this.ticket = ticket;
    }

    @Override
    public int compareTo(SimEvent other) {
        return at != other.at ? Long.compare(at, other.at) : Long.compare(order, other.order);
    }
}
