/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.webflux;

import java.time.Duration;
import org.springframework.context.annotation.Primary;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** Orders whose shipping a test controls. */
@Primary
class GatedOrders extends Orders {

    private final Sinks.Empty<Void> gate = Sinks.empty();

    @Override
    public Mono<Long> ship(String id, Duration time) {
        Mono<Long> shipped = super.ship(id, Duration.ZERO);
        return time.isZero() ? shipped : gate.asMono().then(shipped);
    }

    /** Completes orders that take time. */
    void open() {
        gate.tryEmitEmpty().orThrow();
    }
}
