/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.dynamodb.CapturedLogs;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Warnings about leases that stay open. */
class LeakDetectorTests {

    private final Node node = Node.alone(Node.settingsWith(
            builder -> builder.settings(Node.settings(Duration.ofSeconds(30))).warnAfter(Duration.ofMinutes(10))));

    @Test
    void warnsOnceAboutUnclosedLease() {
        Lease lease = node.take("job");

        assertThat(warningsIn(Duration.ofMinutes(9))).isEmpty();
        assertThat(warningsIn(Duration.ofHours(1)))
                .singleElement()
                .asString()
                .contains("'job'", "'node'", lease.acquiredAt().toString(), "(10m)")
                .contains(Thread.currentThread().getName());
    }

    @Test
    void doesNotWarnAboutEndedLease() throws InterruptedException {
        node.take("released").release();
        node.take("detached").detach();
        node.locks.acquire(LockRequest.of("over").autoRenew(false));
        node.pass(Duration.ofMinutes(1));

        assertThat(warningsIn(Duration.ofHours(1))).isEmpty();
        assertThat(node.scheduler.scheduled()).isZero();
    }

    @Test
    void doesNotWarnByDefault() {
        Node silent = Node.alone();
        silent.take("job");

        try (CapturedLogs logs = new CapturedLogs()) {
            silent.pass(Duration.ofHours(5));
            assertThat(logs.warnings()).isEmpty();
        }
    }

    private List<String> warningsIn(Duration time) {
        try (CapturedLogs logs = new CapturedLogs()) {
            node.pass(time);
            return logs.warnings();
        }
    }
}
