/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynamolock.Lease;
import io.dynamolock.LeaseLost;
import io.dynamolock.LeaseLostException;
import io.dynamolock.LeaseState;
import io.dynamolock.spring.Locks;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Code that asserts its lock, in plain unit tests. */
class AssumedLockTests {

    @Test
    void codeRunsAsIfLocked() {
        try (TestLocks lock = TestLocks.assumeHeld("invoice-4711")) {
            Locks.assertHeld();
            Lease lease = Locks.current().orElseThrow();
            assertThat(lease).isSameAs(lock.lease());
            assertThat(lease.name()).isEqualTo("invoice-4711");
            assertThat(lease.fencingToken()).isPositive();
            assertThat(lock).hasToString("TestLocks[invoice-4711, HELD]");
        }
        assertThatIllegalStateException().isThrownBy(Locks::assertHeld);
    }

    @Test
    void assumptionsAreNested() {
        try (TestLocks outer = TestLocks.assumeHeld()) {
            try (TestLocks inner = TestLocks.assumeHeld()) {
                assertThat(Locks.current()).containsSame(inner.lease());
            }
            assertThat(Locks.current()).containsSame(outer.lease());
        }
    }

    @Test
    void assumptionsAreClosedInAnyOrderAndOften() {
        TestLocks outer = TestLocks.assumeHeld("outer");
        TestLocks middle = TestLocks.assumeHeld("middle");
        TestLocks inner = TestLocks.assumeHeld("inner");

        middle.close();
        assertThat(Locks.current()).containsSame(inner.lease());
        outer.close();
        assertThat(Locks.current()).containsSame(inner.lease());
        outer.close();
        middle.close();
        inner.close();
        inner.close();

        assertThat(Locks.current()).isEmpty();
        assertThat(outer.lease().state()).isEqualTo(LeaseState.RELEASED);
    }

    @Test
    void assumptionOfAnotherThreadIsNotClosed() throws Exception {
        try (TestLocks lock = TestLocks.assumeHeld()) {
            assertThatThrownBy(() -> CompletableFuture.runAsync(lock::close).get(60, TimeUnit.SECONDS))
                    .hasRootCauseInstanceOf(IllegalStateException.class);

            Locks.assertHeld();
        }
        assertThat(Locks.current()).isEmpty();
    }

    @Test
    void assumptionHoldsForItsThreadOnly() throws Exception {
        try (TestLocks lock = TestLocks.assumeHeld()) {
            assertThat(CompletableFuture.supplyAsync(Locks::current).get(60, TimeUnit.SECONDS))
                    .isEmpty();
            assertThat(lock.lease().isHeld()).isTrue();
        }
    }

    @Test
    void lockCanBeLost() {
        try (TestLocks lock = TestLocks.assumeHeld("job")) {
            lock.lose();

            assertThatExceptionOfType(LeaseLostException.class)
                    .isThrownBy(Locks::assertHeld)
                    .withMessageContaining("job");
            assertThat(lock.lease().lost().toCompletableFuture().join().reason())
                    .isEqualTo(LeaseLost.Reason.REVOKED);
        }
    }

    @Test
    void closedAssumptionReleasesItsLease() {
        TestLocks lock = TestLocks.assumeHeld();
        lock.close();
        assertThat(lock.lease().state()).isEqualTo(LeaseState.RELEASED);
    }
}
