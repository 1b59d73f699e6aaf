/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.dynamolock.FaultyStore.Fault;
import io.dynamolock.dynamodb.CapturedLogs;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Callbacks for leases at risk. */
class AtRiskTests {

    private final Node node = Node.alone();
    private final List<LeaseState> states = new ArrayList<>();

    @Test
    void runsEachTimeTheLeaseBecomesAtRisk() {
        Lease lease = node.take("job");
        lease.onAtRisk(risky -> states.add(risky.state()));

        node.store.always(Fault.LOSE_REQUEST);
        node.pass(Duration.ofSeconds(14));
        int first = states.size();
        node.store.heal();
        node.pass(Duration.ofSeconds(20));
        node.store.always(Fault.LOSE_REQUEST);
        node.pass(Duration.ofSeconds(14));

        assertThat(first).isEqualTo(1);
        assertThat(states).containsExactly(LeaseState.AT_RISK, LeaseState.AT_RISK);
    }

    @Test
    void recoveryIsLoggedOnceEachTime() {
        try (CapturedLogs logs = new CapturedLogs(Level.INFO)) {
            Lease lease = node.take("job");
            for (int times = 0; times < 2; times++) {
                node.store.always(Fault.LOSE_REQUEST);
                node.pass(Duration.ofSeconds(14));
                node.store.heal();
                node.pass(Duration.ofMinutes(5));
            }
            lease.release();

            assertThat(logs.everything())
                    .extracting(line -> line.replaceFirst(" failed, .*", " failed"))
                    .containsExactly(
                            "A renewal of lock 'job' failed",
                            "Lock 'job' is renewed again",
                            "A renewal of lock 'job' failed",
                            "Lock 'job' is renewed again");
        }
    }

    @Test
    void lossIsNoRecovery() {
        try (CapturedLogs logs = new CapturedLogs(Level.INFO)) {
            Lease revoked = node.take("job");
            node.store.always(Fault.LOSE_REQUEST);
            node.pass(Duration.ofSeconds(14));
            node.store.heal();
            node.locks.revoke("job", revoked.id());

            node.pass(Duration.ofMinutes(5));

            assertThat(revoked.isHeld()).isFalse();
            assertThat(logs.everything()).noneMatch(line -> line.contains("renewed again"));
        }
    }

    @Test
    void runsBeforeTheLoss() {
        Lease lease = node.take("job");
        List<String> order = new ArrayList<>();
        lease.onLost(loss -> order.add("lost"));
        lease.onAtRisk(risky -> order.add("at risk"));
        node.store.always(Fault.LOSE_REQUEST);

        node.pass(Duration.ofSeconds(31));

        assertThat(order).containsExactly("at risk", "lost");
    }

    @Test
    void runsWhenRenewalFindsNoThread() {
        Lease lease = node.take("job");
        lease.onAtRisk(risky -> states.add(LeaseState.AT_RISK));
        node.scheduler.keepThreadsBusy();

        node.pass(Duration.ofSeconds(30));

        assertThat(states).hasSize(1);
    }

    @Test
    void callbackRegisteredWhileAtRiskRunsImmediately() {
        Lease lease = node.take("job");
        node.store.always(Fault.LOSE_REQUEST);
        node.pass(Duration.ofSeconds(14));

        lease.onAtRisk(risky -> states.add(risky.state()));

        assertThat(states).containsExactly(LeaseState.AT_RISK);
    }

    @Test
    void doesNotRunForHealthyLease() {
        Lease lease = node.take("job");
        lease.onAtRisk(risky -> states.add(risky.state()));

        node.pass(Duration.ofMinutes(5));
        lease.release();
        node.pass(Duration.ofMinutes(5));

        assertThat(states).isEmpty();
    }

    @Test
    void throwingCallbackDoesNotAffectOthers() {
        Lease lease = node.take("job");
        lease.onAtRisk(risky -> {
            throw new IllegalStateException("callback");
        });
        lease.onAtRisk(risky -> states.add(risky.state()));
        node.store.always(Fault.LOSE_REQUEST);

        node.pass(Duration.ofSeconds(14));

        assertThat(states).containsExactly(LeaseState.AT_RISK);
    }

    @Test
    void callbackGetsTheHandleItWasRegisteredOn() throws InterruptedException {
        Lease handle = node.locks.acquire(LockRequest.of("job").reentrant(true));
        List<Lease> shown = new ArrayList<>();
        handle.onAtRisk(shown::add);
        node.store.always(Fault.LOSE_REQUEST);

        node.pass(Duration.ofSeconds(14));

        assertThat(shown).containsExactly(handle);
    }

    @Test
    void doesNotRunForHandleThatWasReleasedBefore() throws InterruptedException {
        LockRequest job = LockRequest.of("job").reentrant(true);
        Lease outer = node.locks.acquire(job);
        Lease inner = node.locks.acquire(job);
        List<Lease> shown = new ArrayList<>();
        inner.onAtRisk(shown::add);
        outer.onAtRisk(shown::add);
        inner.release();
        node.store.always(Fault.LOSE_REQUEST);

        node.pass(Duration.ofSeconds(14));
        inner.onAtRisk(shown::add);

        assertThat(shown).containsExactly(outer);
    }
}
