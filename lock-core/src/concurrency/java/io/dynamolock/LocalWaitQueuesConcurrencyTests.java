/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.util.List;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Linearizability of the queue of one name under concurrent leaves and hand-overs. */
@Tag("concurrency")
class LocalWaitQueuesConcurrencyTests {

    @Test
    void leaveAndHandOverAreLinearizable() {
        Interleavings.check(Line.class);
    }

    /** Concurrent operations on a queue of three waiters. */
    @Param(name = "place", gen = IntGen.class, conf = "0:2")
    public static final class Line {

        private static final String NAME = "job";

        private final LocalWaitQueues lines = new LocalWaitQueues();
        private final List<LocalWaitQueues.Waiter> waiters =
                List.of(lines.join(NAME, () -> {}), lines.join(NAME, () -> {}), lines.join(NAME, () -> {}));

        @Operation
        public void leaveServed(@Param(name = "place") int place) {
            waiters.get(place).leave(true);
        }

        @Operation
        public void leaveInVain(@Param(name = "place") int place) {
            waiters.get(place).leave(false);
        }

        @Operation
        public boolean isFirst(@Param(name = "place") int place) {
            return waiters.get(place).isFirst();
        }

        @Operation
        public boolean takeHandOff(@Param(name = "place") int place) {
            return waiters.get(place).takeHandOff();
        }

        @Operation
        public void handOff() {
            lines.handOff(NAME);
        }

        @Operation
        public boolean hasWaiters() {
            return lines.hasWaiters(NAME);
        }
    }
}
