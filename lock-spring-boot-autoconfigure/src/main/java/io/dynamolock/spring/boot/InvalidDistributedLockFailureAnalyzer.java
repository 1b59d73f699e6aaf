/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import io.dynamolock.spring.InvalidDistributedLockException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Reports which annotation is invalid and how to fix it. */
final class InvalidDistributedLockFailureAnalyzer extends AbstractFailureAnalyzer<InvalidDistributedLockException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, InvalidDistributedLockException cause) {
        return new FailureAnalysis(cause.problem() + ".", cause.remedy() + ".", cause);
    }
}
