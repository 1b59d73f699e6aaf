/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.Lease;
import io.dynamolock.LeaseLost;
import io.dynamolock.LeaseState;
import io.dynamolock.LockManager;
import io.dynamolock.LockStoreException;
import io.dynamolock.ReleaseOutcome;
import io.dynamolock.memory.InMemoryLockStore;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** State that is derived from the events of a lock manager. */
class LockHealthTests {

    private final LockHealth health = new LockHealth();

    @Test
    void forgetsALockWhoseRowIsRepaired() {
        health.onCorruptRow("repaired", List.of("tokenFloor"), true);
        health.onCorruptRow("stuck", List.of("tokenFloor"), true);

        health.onRepairedRow("repaired");
        health.onRepairedRow("another");

        assertThat(health.closedLocks()).containsExactly("stuck");
    }

    @Test
    void remembersSomeOfManyLocks() {
        for (int i = 0; i < 2_000; i++) {
            health.onCorruptRow("stuck-" + i, List.of("tokenFloor"), true);
        }

        assertThat(health.closedLocks()).hasSize(1_000);
    }

    /** Otherwise the set of such leases would grow without limit. */
    @Test
    void forgetsALeaseThatIsOver() {
        List<Consumer<Lease>> ends = List.of(
                lease -> health.onRenewed(lease, Duration.ZERO),
                lease -> health.onLost(
                        lease, new LeaseLost("job", "me", LeaseLost.Reason.TAKEN, Instant.EPOCH, "another")),
                lease -> health.onReleased(lease, ReleaseOutcome.RELEASED, Duration.ZERO),
                lease -> health.onReleaseFailed(
                        lease, new LockStoreException("job", "on purpose", null, true, true), Duration.ZERO));

        assertThat(ends).allSatisfy(end -> {
            Lease lease = atRisk();
            health.onRenewalFailed(lease, new IllegalStateException("on purpose"), Duration.ZERO);
            assertThat(health.atRisk()).containsExactly("id");
            end.accept(lease);
            assertThat(health.atRisk()).isEmpty();
        });
    }

    private static Lease atRisk() {
        Map<String, Object> responses = Map.of("id", "id", "state", LeaseState.AT_RISK, "hashCode", 7, "equals", true);
        return (Lease) Proxy.newProxyInstance(
                Lease.class.getClassLoader(),
                new Class<?>[] {Lease.class},
                (proxy, method, arguments) -> responses.get(method.getName()));
    }

    @Test
    void forgetsALockWhoseRowIsCorruptInAnotherWay() {
        health.onCorruptRow("job", List.of("tokenFloor"), true);

        health.onCorruptRow("job", List.of("owner"), false);

        assertThat(health.closedLocks()).isEmpty();
    }

    @Test
    void remembersAThousandLocksAtMost() {
        for (int i = 0; i < 1_500; i++) {
            health.onCorruptRow("job-" + i, List.of("tokenFloor"), true);
        }

        assertThat(health.closedLocks()).hasSize(1_000);
    }

    @Test
    void forgetsALockThatIsAcquired() {
        health.onCorruptRow("job", List.of("tokenFloor"), true);

        try (LockManager locks = LockManager.builder(new InMemoryLockStore())
                        .listener(health)
                        .build();
                Lease lease = locks.tryAcquire("job").orElseThrow()) {
            assertThat(lease.isHeld()).isTrue();
            assertThat(health.closedLocks()).isEmpty();
        }
    }
}
