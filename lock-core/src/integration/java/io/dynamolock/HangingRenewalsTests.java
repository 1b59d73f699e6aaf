/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.LockWrite.Renew;
import io.dynamolock.time.Durations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** More hanging renewals than threads, next to leases whose renewals succeed, in real time. */
@ExtendWith(WithoutWarnings.class)
@Tag("proof")
@Timeout(120)
class HangingRenewalsTests {

    private static final int HEALTHY = 50;
    private static final int HANGING = 60;
    private static final Duration LEASE = Duration.ofSeconds(3);

    private volatile boolean hangs;

    @Test
    void hangingRenewalsCostNoOtherLease() throws InterruptedException {
        try (LockManager locks = LockManager.builder(new HangingStore())
                .leaseDuration(LEASE)
                .attemptTimeout(Duration.ofMillis(500))
                .shutdownGrace(Duration.ZERO)
                .build()) {
            List<Lease> healthy = takeAll(locks, "healthy-", HEALTHY);
            List<Lease> hanging = takeAll(locks, "hanging-", HANGING);
            Thread.sleep(LEASE.toMillis()); // until the concurrency limit is reached
            hangs = true;

            Duration least = LEASE;
            long end = System.nanoTime() + LEASE.toNanos();
            while (System.nanoTime() - end < 0) {
                for (Lease lease : healthy) {
                    least = Durations.min(least, lease.remaining());
                }
                Thread.sleep(10);
            }

            assertThat(healthy).as("with %s left at least", least).allMatch(Lease::isHeld);
            assertThat(hanging).noneMatch(Lease::isHeld);
        }
    }

    private static List<Lease> takeAll(LockManager locks, String prefix, int count) {
        List<Lease> leases = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            leases.add(locks.tryAcquire(prefix + i).orElseThrow());
        }
        return leases;
    }

    private final class HangingStore extends ForwardingStore {

        @Override
        public Response renew(Renew write, Duration timeout) {
            if (hangs && write.name().startsWith("hanging-")) {
                long end = System.nanoTime() + timeout.toNanos();
                while (System.nanoTime() - end < 0) {
                    LockSupport.parkNanos(end - System.nanoTime());
                }
                throw new LockStoreException(write.name(), "no response", null, true, true);
            }
            return super.renew(write, timeout);
        }
    }
}
