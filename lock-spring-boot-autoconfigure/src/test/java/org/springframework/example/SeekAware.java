/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package org.springframework.example;

/** Stands for a callback of a Spring project that the tests do without, such as one of Spring for Apache Kafka. */
public interface SeekAware {

    void onPartitionsAssigned();
}
