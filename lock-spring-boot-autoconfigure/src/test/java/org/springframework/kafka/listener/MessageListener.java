/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package org.springframework.kafka.listener;

/** Stands for the interface of Spring for Apache Kafka, which the tests do without. */
public interface MessageListener {

    void onMessage(String message);

    default void onMessage(String message, Object acknowledgment) {
        throw new UnsupportedOperationException("the container should never call this");
    }
}
