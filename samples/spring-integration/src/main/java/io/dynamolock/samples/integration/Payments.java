/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.integration;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;

/** Books payments, which takes time. */
@Component
public class Payments {

    private static final Logger LOG = LoggerFactory.getLogger(Payments.class);

    private final Semaphore booked = new Semaphore(0);
    private final Duration time;

    Payments(@Value("${payments.time}") Duration time) {
        this.time = time;
    }

    /**
     * Books a payment.
     *
     * @param account the account, the payload of a message
     * @throws InterruptedException if the thread is interrupted
     */
    public void book(String account) throws InterruptedException {
        LOG.info("books a payment of account {}", account);
        Thread.sleep(time.toMillis());
        LOG.info("has booked a payment of account {}", account);
        booked.release();
    }

    boolean awaitBooked(int payments, TimeUnit unit) throws InterruptedException {
        return booked.tryAcquire(payments, 1, unit);
    }

    int booked() {
        return booked.availablePermits();
    }
}
