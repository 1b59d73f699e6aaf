/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.time.Duration;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Linearizability of one lease under concurrent renewal, reads, release and manager close. */
@Tag("concurrency")
class LeaseConcurrencyTests {

    @Test
    void renewalsAndReleaseAreLinearizable() {
        SimQuiet.quietly(() -> Interleavings.check(Shared.class, 1, 9, 250));
    }

    @Test
    void isHeldIsLinearizable() {
        SimQuiet.quietly(() -> Interleavings.check(Ending.class, 2, 10, 150));
    }

    @Test
    void managerCloseReleasesAndRenewsNothing() {
        SimQuiet.quietly(() -> Interleavings.check(ClosedAway.class, 1, 7, 250));
    }

    @Test
    void shortenedLeaseStaysPlannedDuringRecovery() {
        SimQuiet.quietly(() -> Interleavings.check(Recovering.class, 1, 3, 1_000));
    }

    /** Holder and heartbeat renew a lease while it is released, at constant time. */
    @Param(name = "seconds", gen = IntGen.class, conf = "1:4")
    public static final class Shared {

        private final SharedLease shared = new SharedLease(Duration.ofSeconds(2));

        @Operation
        public boolean renew(@Param(name = "seconds") int seconds) {
            return shared.renew(seconds);
        }

        @Operation
        public void renewInBackground() {
            shared.renewInBackground();
        }

        @Operation
        public ReleaseOutcome release() {
            return shared.release();
        }

        @Validate
        public void storeSawNoViolation() {
            shared.check();
        }
    }

    /**
     * The lease end moves while threads read it and time passes. No renewal takes as long as its lease: its
     * lease would have ended when the response arrives, and is never reported as held.
     */
    @Param(name = "seconds", gen = IntGen.class, conf = "3:4")
    public static final class Ending {

        private final SharedLease shared = new SharedLease(Duration.ofSeconds(1));

        @Operation(nonParallelGroup = "holder")
        public void renew(@Param(name = "seconds") int seconds) {
            shared.renew(seconds);
        }

        @Operation
        public boolean isHeld() {
            return shared.isHeld();
        }

        @Operation(nonParallelGroup = "time")
        public void advanceOneSecond() {
            shared.advanceOneSecond();
        }

        @Validate
        public void storeSawNoViolation() {
            shared.check();
        }
    }

    /** Manager close is not atomic: a lease may still be held for a moment after a call was rejected. */
    public static final class ClosedAway {

        private final SharedLease shared = new SharedLease(Duration.ofSeconds(2));

        @Operation
        public void renew() {
            shared.renew(3);
        }

        @Operation
        public ReleaseOutcome release() {
            return shared.release();
        }

        @Operation(runOnce = true)
        public void close() {
            shared.close();
        }

        @Validate
        public void storeSawNoViolation() {
            shared.check();
        }
    }

    /** The holder shortens a lease while its renewal, which has failed, is moved after an outage. */
    public static final class Recovering {

        private final SharedLease shared = new SharedLease(Duration.ofSeconds(4));

        public Recovering() {
            shared.failRenewalInBackground();
        }

        @Operation
        public void shorten() {
            shared.renew(1);
        }

        @Operation(runOnce = true)
        public void recover() {
            shared.recover();
        }

        @Validate
        public void renewalIsPlanned() {
            shared.requirePlannedRenewal();
        }
    }
}
