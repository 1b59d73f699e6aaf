/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A rival waits the lock delay longer, so that late writes of a dead holder arrive first; the holder's end is unchanged. */
class LockDelayTests {

    private static final Duration SKEW = LockSettings.DEFAULTS.maxClockSkew();

    private final Node node = Node.alone(withLockDelay(Duration.ofSeconds(5)));
    private final Node rival = node.rival();
    private Lease lease;

    @BeforeEach
    void acquire() throws InterruptedException {
        lease = node.locks.acquire(LockRequest.of("job").autoRenew(false));
    }

    @Test
    void holderStopsAtUnchangedTime() {
        node.scheduler.freeze(Duration.ofSeconds(30).minusMillis(16));
        boolean before = lease.isHeld();
        node.scheduler.freeze(Duration.ofMillis(16));

        assertThat(before).isTrue();
        assertThat(lease.isHeld()).isFalse();
    }

    @Test
    void holderEndExcludesLockDelay() {
        assertThat(lease.remaining()).isEqualTo(Times.heldFor(Duration.ofSeconds(30)));
        assertThat(lease.expiresAt()).isEqualTo(lease.acquiredAt().plus(Times.heldFor(Duration.ofSeconds(30))));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void lateRivalWaitsLockDelayLonger(boolean renewed) {
        if (renewed) {
            node.pass(Duration.ofSeconds(7));
            lease.renew();
        }

        node.scheduler.freeze(Duration.ofSeconds(35).plus(SKEW));
        boolean early = rival.locks.tryAcquire("job").isPresent();
        Node fresh = node.rival();
        node.scheduler.freeze(Duration.ofMillis(16));

        assertThat(early).isFalse();
        assertThat(fresh.locks.tryAcquire("job")).isPresent();
    }

    @Test
    void observingRivalWaitsLockDelayLonger() {
        Node observer = node.rival(node.time, Node.settings(Duration.ofSeconds(30), LeaseTime.OBSERVED));
        observer.locks.tryAcquire("job");

        node.scheduler.freeze(Duration.ofSeconds(35));
        boolean early = observer.locks.tryAcquire("job").isPresent();
        node.scheduler.freeze(Duration.ofMillis(40));

        assertThat(early).isFalse();
        assertThat(observer.locks.tryAcquire("job")).isPresent();
    }

    /** Its holder has released it, and writes nothing more. */
    @Test
    void keptLockEndsWithoutLockDelay() {
        lease.release(Duration.ofSeconds(10));
        LockRow row = node.row("job");

        assertThat(row.leaseDuration()).isEqualTo(Duration.ofSeconds(10));
        node.scheduler.freeze(Duration.ofSeconds(10).plus(SKEW).plusMillis(1));
        assertThat(rival.locks.tryAcquire("job")).isPresent();
    }

    @Test
    void withoutLockDelayRivalWaitsForLeaseAndSkew() throws InterruptedException {
        Node plain = Node.alone();
        plain.locks.acquire(LockRequest.of("job").autoRenew(false));

        plain.scheduler.freeze(Duration.ofSeconds(30).plus(SKEW).plusMillis(1));

        assertThat(plain.rival().locks.tryAcquire("job")).isPresent();
    }

    private static LockSettings withLockDelay(Duration lockDelay) {
        return Node.settingsWith(builder ->
                builder.settings(Node.settings(Duration.ofSeconds(30))).lockDelay(lockDelay));
    }
}
