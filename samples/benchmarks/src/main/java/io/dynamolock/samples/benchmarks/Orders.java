/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.benchmarks;

import io.dynamolock.spring.DistributedLock;

/** Work that takes no time, so that what is measured is all that stands around it. */
public class Orders {

    private long shipped;

    /** Is created by Spring, and by hand. */
    Orders() {}

    /**
     * Ships an order under a lock of its own, if this is a bean.
     *
     * @param id which one
     * @return how many there were
     */
    @DistributedLock("order-#{#id}")
    public long ship(String id) {
        return shipped += id.length();
    }
}
