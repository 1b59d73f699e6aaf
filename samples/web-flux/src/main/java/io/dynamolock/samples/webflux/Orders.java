/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.webflux;

import io.dynamolock.spring.DistributedLock;
import io.dynamolock.spring.Locks;
import java.time.Duration;
import org.springframework.stereotype.Service;

/** Ships orders, which takes its time. */
@Service
public class Orders {

    /** Is created by Spring. */
    Orders() {}

    /**
     * Ships an order.
     *
     * @param id which one
     * @param time how long it takes
     * @return the fencing token it was shipped under
     * @throws InterruptedException if the application gives up
     */
    @DistributedLock("order-#{#id}")
    public long ship(String id, Duration time) throws InterruptedException {
        Thread.sleep(time.toMillis());
        return Locks.current().orElseThrow().fencingToken();
    }
}
