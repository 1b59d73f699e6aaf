/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.leader;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Reports which annotation is invalid and how to fix it. */
final class InvalidOnlyOnLeaderFailureAnalyzer extends AbstractFailureAnalyzer<InvalidOnlyOnLeaderException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, InvalidOnlyOnLeaderException cause) {
        return new FailureAnalysis(cause.problem() + ".", cause.remedy() + ".", cause);
    }
}
