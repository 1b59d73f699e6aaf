/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.spring.LogCapture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;

/** A lease that leaves DynamoDB too little time for a response. */
@ExtendWith(LogCapture.class)
class ShortLeaseTests {

    @Test
    void startWarnsOfLeaseTooShortForDynamoDb(CapturedOutput output) {
        TestClients.contexts(TestClients.http())
                .withPropertyValues(
                        "dynamolock.lease.duration=150ms", "dynamolock.managers.billing.lease.duration=120ms")
                .run(context -> assertThat(context).hasNotFailed());

        assertThat(output.getOut().lines().filter(line -> line.startsWith("WARN") && line.contains("lease.duration")))
                .satisfiesExactlyInAnyOrder(
                        line -> assertThat(line)
                                .contains(
                                        "dynamolock.lease.duration (150 ms)",
                                        "75 ms to respond",
                                        "Set it to at least 200ms"),
                        line -> assertThat(line)
                                .contains("dynamolock.managers.billing.lease.duration (120 ms)", "60 ms to respond"));
    }

    @Test
    void longerLeaseAndMemoryGiveNoWarning(CapturedOutput output) {
        TestClients.contexts(TestClients.http())
                .withPropertyValues(
                        "dynamolock.lease.duration=200ms",
                        "dynamolock.managers.local.store=memory",
                        "dynamolock.managers.local.lease.duration=10ms")
                .run(context -> assertThat(context).hasNotFailed());

        assertThat(output.getOut()).doesNotContain("lease.duration");
    }
}
