/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynamolock.FaultyStore.Fault;
import io.dynamolock.LeaseLost.Reason;
import io.dynamolock.LockListener.Operation;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Verifying a lease against its row. */
class VerifyTests {

    private final Node node = Node.alone();
    private final Node rival = node.rival();

    @Test
    void returnsTrueForCurrentLeaseWithOneRead() {
        Lease lease = node.take("job");
        node.store.forget();

        assertThat(lease.verify()).isTrue();
        assertThat(node.store.operations()).containsExactly(Operation.READ);
        assertThat(node.store.sent().get(0).write()).isEqualTo(true); // consistent
    }

    @Test
    void takenLeaseIsLostWithReason() {
        Lease lease = node.take("job");
        rival.locks.forceRelease("job", lease.id());
        rival.take("job");

        assertThat(lease.verify()).isFalse();
        assertThat(lease.state()).isEqualTo(LeaseState.LOST);
        assertThat(node.events.losses).extracting(LeaseLost::reason).containsExactly(Reason.TAKEN);
        assertThat(node.events.losses).extracting(LeaseLost::newHolder).containsExactly("rival");
    }

    @Test
    void revokedLeaseIsLost() {
        Lease lease = node.take("job");
        rival.locks.revoke("job", lease.id());

        assertThat(lease.verify()).isFalse();
        assertThat(node.events.losses).extracting(LeaseLost::reason).containsExactly(Reason.REVOKED);
    }

    @Test
    void leaseWithDeletedRowIsLost() {
        Lease lease = node.take("job");
        node.store.next(request -> new LockStore.Response(true, null, null));

        assertThat(lease.verify()).isFalse();
        assertThat(node.events.losses).extracting(LeaseLost::reason).containsExactly(Reason.DELETED);
    }

    @Test
    void storeFailureChangesNothing() {
        Lease lease = node.take("job");
        node.store.next(Fault.DENY);

        assertThatThrownBy(lease::verify).isInstanceOf(LockStoreException.class);

        assertThat(lease.state()).isEqualTo(LeaseState.HELD);
        assertThat(node.events.losses).isEmpty();
    }

    @Test
    void unheldLeaseIsNotRead() throws InterruptedException {
        Lease released = node.take("released");
        released.release();
        Lease over = node.locks.acquire(LockRequest.of("over").autoRenew(false));
        node.pass(Duration.ofSeconds(31));
        node.store.forget();

        assertThat(released.verify()).isFalse();
        assertThat(over.verify()).isFalse();
        assertThat(node.store.operations()).isEmpty();
    }

    @Test
    void leaseEndingDuringReadIsNotVerified() throws InterruptedException {
        Lease lease = node.locks.acquire(LockRequest.of("job").autoRenew(false));
        node.store.next(Fault.slow(node.time, Duration.ofSeconds(31)));

        assertThat(lease.verify()).isFalse();
    }

    @Test
    void eachHandleOfSharedLeaseIsVerifiedSeparately() throws InterruptedException {
        LockRequest again = LockRequest.of("job").reentrant(true);
        Lease outer = node.locks.acquire(again);
        Lease inner = node.locks.acquire(again);
        inner.close();

        assertThat(inner.verify()).isFalse();
        assertThat(outer.verify()).isTrue();
    }
}
