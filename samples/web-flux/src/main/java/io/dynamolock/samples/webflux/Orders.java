/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.webflux;

import io.dynamolock.Lease;
import io.dynamolock.spring.DistributedLock;
import java.time.Duration;
import org.springframework.stereotype.Service;
import reactor.core.publisher.Mono;

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
     */
    @DistributedLock("order-#{#id}")
    public Mono<Long> ship(String id, Duration time) {
        return Mono.delay(time)
                .then(Mono.deferContextual(
                        context -> Mono.just(context.get(Lease.class).fencingToken())));
    }
}
