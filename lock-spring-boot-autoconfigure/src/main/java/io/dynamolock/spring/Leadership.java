/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring;

import io.dynamolock.Lease;
import java.util.Optional;

/**
 * Bean that reports whether this process leads among all processes with the same {@code dynamolock.leader.name}.
 *
 * <p>Two processes never lead at the same time. Limits: a process that is paused after it has asked can still act
 * late; use the fencing token of {@link #lease()} for anything that must not happen twice.
 * Thread-safe.
 *
 * @since 0.1
 */
public interface Leadership {

    /**
     * Returns the name of the lock that the leader holds.
     *
     * @return the value of {@code dynamolock.leader.name}
     */
    String name();

    /**
     * Returns whether this process leads. Reads local clocks only; sends no request.
     *
     * @return true if it leads; false before another process can lead
     */
    boolean isLeader();

    /**
     * Returns the lease of the leader, for example for its fencing token. It must not be released: this process would
     * not lead, nor be a candidate, until the application is started again.
     *
     * @return empty if this process does not lead
     */
    Optional<Lease> lease();
}
