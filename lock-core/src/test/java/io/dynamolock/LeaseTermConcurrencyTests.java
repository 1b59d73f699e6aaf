/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** One lease's end, looked at while others shorten it, raise it and pass it. */
@Tag("concurrency")
class LeaseTermConcurrencyTests {

    @Test
    void whetherItIsHeldIsTrueOfOnePointInTime() {
        Interleavings.check(Looked.class);
    }

    /** What threads do to a lease that they share, each with the monitor that the engine holds. */
    @Param(name = "second", gen = IntGen.class, conf = "0:4")
    @Param(name = "number", gen = IntGen.class, conf = "0:2")
    public static final class Looked {

        private final List<LeaseTerm.Renewal> sent = new ArrayList<>();
        private final LeaseTerm term = new LeaseTerm(LeaseEnd.after(Moments.at(0), Duration.ofSeconds(3)));

        @Operation
        public boolean isHeld(@Param(name = "second") int second) {
            ClockReading now = at(second);
            synchronized (term) {
                return term.isHeldAt(now);
            }
        }

        @Operation
        public long send(@Param(name = "second") int seconds) {
            ClockReading now = at(1);
            synchronized (term) {
                if (!term.isHeldAt(now)) {
                    return 0;
                }
                LeaseTerm.Renewal renewal = term.startRenewal(now, Duration.ofSeconds(seconds + 1));
                sent.add(renewal);
                return renewal.number();
            }
        }

        @Operation
        public boolean answer(@Param(name = "number") int number) {
            ClockReading now = at(1);
            synchronized (term) {
                if (number < sent.size()) {
                    term.confirmed(sent.get(number), now);
                }
                return term.isHeldAt(now);
            }
        }

        private static ClockReading at(int second) {
            return Moments.at(1_000L * second);
        }
    }
}
