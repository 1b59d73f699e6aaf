/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.quickstart;

import io.dynamolock.spring.DistributedLock;
import io.dynamolock.spring.Locks;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Service;

/** Invoices, of which no two for one order are written at a time. */
@Service
public class Invoices {

    private static final Logger LOG = LoggerFactory.getLogger(Invoices.class);

    /** Fencing token of each invoice, as a database would store it. */
    private final Map<String, Long> fences = new ConcurrentHashMap<>();

    /** Created by Spring. */
    Invoices() {}

    /**
     * Stores the invoice of an order. Waits up to five seconds for another process that does, then throws a {@link
     * io.dynamolock.LockBusyException}.
     *
     * @param order the order
     * @return the fencing token under which it was stored
     */
    @DistributedLock(name = "invoice-#{#order}", waitTime = "5s")
    public long store(String order) {
        long token = Locks.current().orElseThrow().fencingToken();
        // A paused process may write late, so that the database should compare:
        // UPDATE invoices SET ..., fence = :token WHERE id = :order AND fence <= :token
        fences.merge(order, token, Math::max);
        LOG.info("Stored invoice {} under token {}", order, token);
        return token;
    }
}
