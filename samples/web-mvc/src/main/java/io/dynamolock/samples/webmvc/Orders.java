/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.webmvc;

import io.dynamolock.spring.DistributedLock;
import io.dynamolock.spring.Locks;
import java.time.Duration;
import org.springframework.stereotype.Service;

/** Ships orders, which takes time. */
@Service
public class Orders {

    /** Created by Spring. */
    Orders() {}

    /**
     * Ships an order.
     *
     * @param id the order
     * @param time how long it takes
     * @return the fencing token it was shipped under
     * @throws InterruptedException if the thread is interrupted
     */
    @DistributedLock("order-#{#id}")
    public long ship(String id, Duration time) throws InterruptedException {
        Thread.sleep(time.toMillis());
        return Locks.current().orElseThrow().fencingToken();
    }
}
