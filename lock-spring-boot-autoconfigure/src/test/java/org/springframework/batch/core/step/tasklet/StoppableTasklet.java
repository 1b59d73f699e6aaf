/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package org.springframework.batch.core.step.tasklet;

/** Stands for the interface of Spring Batch, which the tests do without. */
public interface StoppableTasklet {

    /** Works. */
    String execute();

    /** Ends the work of another thread. */
    void stop();
}
