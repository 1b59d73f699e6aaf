/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package com.example;

import io.dynamolock.LockBusyException;
import io.dynamolock.LockManager;
import io.dynamolock.spring.DistributedLock;
import io.dynamolock.spring.Locks;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.http.HttpStatus;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

@SpringBootApplication
@EnableScheduling
public class ShopApplication {

    public static void main(String[] args) {
        SpringApplication.run(ShopApplication.class, args);
    }
}

@RestController
class Shop {

    private final LockManager locks;

    Shop(LockManager locks) {
        this.locks = locks;
    }

    @Scheduled(cron = "0 0 3 * * *")
    @DistributedLock(name = "nightly-report", minHold = "1m") // one instance runs it, the others skip it
    public void nightlyReport() {
        // any duration: the lease is renewed until this returns
    }

    @PostMapping("/orders/{id}")
    @DistributedLock(name = "order-#{#id}", waitTime = "2s") // busy for longer: LockBusyException
    public String ship(@PathVariable String id) {
        long token = Locks.current().orElseThrow().fencingToken(); // UPDATE orders SET ... WHERE fence <= :token
        return "order " + id + " shipped under token " + token;
    }

    @PostMapping("/catalog")
    public String importCatalog() throws InterruptedException {
        boolean here = locks.tryRun("catalog", () -> System.out.println("importing"));
        return here ? "imported" : "another instance imports it";
    }

    @ExceptionHandler
    @ResponseStatus(HttpStatus.CONFLICT)
    String busy(LockBusyException busy) {
        return "busy, try again";
    }
}
