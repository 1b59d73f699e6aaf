/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.benchmarks;

import io.dynamolock.spring.DistributedLock;

/** Work that takes no time, so that only the locking is measured. */
public class Orders {

    private long shipped;

    /** Created by Spring, and by hand. */
    Orders() {}

    /**
     * Ships an order, under its lock if this is a bean.
     *
     * @param id the order
     * @return the number shipped
     */
    @DistributedLock("order-#{#id}")
    public long ship(String id) {
        return shipped += id.length();
    }
}
