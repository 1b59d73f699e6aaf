/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package org.springframework.kafka.listener;

/** Stands for a class of Spring that tells its name, such as a reader of Spring Batch. */
public class NamedContainer {

    public String getContainerName() {
        return "container";
    }
}
