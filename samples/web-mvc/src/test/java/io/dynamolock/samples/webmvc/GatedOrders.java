/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.webmvc;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.springframework.context.annotation.Primary;

/** Orders whose shipping a test controls. */
@Primary
class GatedOrders extends Orders {

    private final CountDownLatch gate = new CountDownLatch(1);

    @Override
    public long ship(String id, Duration time) throws InterruptedException {
        if (!time.isZero() && !gate.await(2, TimeUnit.MINUTES)) {
            throw new IllegalStateException("The test has not opened the gate");
        }
        return super.ship(id, Duration.ZERO);
    }

    /** Completes orders that take time. */
    void open() {
        gate.countDown();
    }
}
