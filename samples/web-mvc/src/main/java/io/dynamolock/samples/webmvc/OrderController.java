/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.webmvc;

import io.dynamolock.LockBusyException;
import java.time.Duration;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Orders over HTTP. */
@RestController
class OrderController {

    private final Orders orders;

    OrderController(Orders orders) {
        this.orders = orders;
    }

    /** The time simulates work. Real clients must not choose it, because it holds the lock that long. */
    @PostMapping("/orders/{id}")
    String ship(@PathVariable String id, @RequestParam(defaultValue = "PT0S") Duration time)
            throws InterruptedException {
        return "shipped under token " + orders.ship(id, time);
    }

    /** Hides the holder from clients: {@code busy.holder()} contains host and process id, which are for operators. */
    @ExceptionHandler
    @ResponseStatus(HttpStatus.CONFLICT)
    String busy(LockBusyException busy) {
        return "another request is shipping this order";
    }
}
