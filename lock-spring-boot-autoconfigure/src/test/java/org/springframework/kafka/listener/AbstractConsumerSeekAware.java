/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package org.springframework.kafka.listener;

/** Stands for the class of Spring for Apache Kafka, which the tests do without. */
public abstract class AbstractConsumerSeekAware implements ConsumerSeekAware {

    public void onPartitionsAssigned() {}
}
