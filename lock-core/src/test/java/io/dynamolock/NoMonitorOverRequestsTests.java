/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dynamolock.FaultyStore.Fault;
import io.dynamolock.LockListener.Operation;
import io.dynamolock.memory.InMemoryLockStore;
import java.lang.management.ManagementFactory;
import java.lang.management.MonitorInfo;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;

/** A monitor held during a request pins the carrier of a virtual thread and blocks other threads. */
class NoMonitorOverRequestsTests {

    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private final Queue<String> held = new ConcurrentLinkedQueue<>();
    private final FaultyStore store = new FaultyStore(new InMemoryLockStore());

    @Test
    void noRequestIsSentWhileHoldingAMonitor() throws Exception {
        store.always(Fault.first(this::note));
        try (LockManager locks = LockManager.builder(store)
                        .heartbeatInterval(Duration.ofMillis(20))
                        .build();
                LockManager other =
                        LockManager.builder(store).shutdownGrace(Duration.ZERO).build()) {
            locks.inspect("job");
            store.next(Fault.LOSE_REQUEST, Fault.DENY);
            try {
                locks.tryAcquire("unanswered");
            } catch (LockStoreException expected) {
                assertThat(expected.isOutcomeUnknown()).isTrue();
            }
            Lease lease = locks.tryAcquire("job").orElseThrow();
            CompletableFuture<?> waiting =
                    other.tryAcquireAsync(LockRequest.of("job").waitTime(Duration.ofMinutes(1)));
            lease.renew();
            await().until(() -> store.operations().contains(Operation.UNDO) && renewals() > 5);
            locks.inspect("job");
            LeaseToken token = lease.detach();
            Lease resumed = locks.resume(token);
            await().until(() -> store.operations().contains(Operation.CLAIM));
            locks.revoke("job", resumed.id());
            other.forceRelease("job", resumed.id());
            waiting.join();
            await().until(() -> store.operations().containsAll(List.of(Operation.values())));
        }

        assertThat(held).isEmpty();
        assertThat(store.operations()).contains(Operation.values());
    }

    private int renewals() {
        return Collections.frequency(store.operations(), Operation.RENEW);
    }

    private void note() {
        ThreadInfo info =
                threads.getThreadInfo(new long[] {Thread.currentThread().getId()}, true, false)[0];
        for (MonitorInfo monitor : List.of(info.getLockedMonitors())) {
            if (String.valueOf(monitor.getLockedStackFrame()).contains("io.dynamolock")) {
                held.add(monitor + " at " + monitor.getLockedStackFrame());
            }
        }
    }
}
