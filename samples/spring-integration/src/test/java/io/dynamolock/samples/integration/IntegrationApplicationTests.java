/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dynamolock.spring.test.AutoConfigureTestLocks;
import io.dynamolock.test.LockRecorder;
import io.dynamolock.test.Rival;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.messaging.MessageChannel;
import org.springframework.messaging.support.GenericMessage;

@SpringBootTest(properties = "payments.time=0s")
@AutoConfigureTestLocks
class IntegrationApplicationTests {

    @Autowired
    @Qualifier("booking.input")
    private MessageChannel channel;

    @Autowired
    private Payments payments;

    @Autowired
    private LockRecorder locks;

    @Autowired
    private Rival rival;

    @Test
    void messageWaitsWhileAnotherProcessHandlesOneOfItsAccount() {
        rival.hold("account-7");

        channel.send(new GenericMessage<>("7"));
        channel.send(new GenericMessage<>("8"));
        await().until(() -> locks.waitedFor().contains("account-7") && payments.booked() == 1);
        rival.release("account-7");

        await().until(() -> payments.booked() == 2);
        assertThat(locks.acquired()).extracting(lock -> lock.name()).containsExactly("account-8", "account-7");
    }
}
