/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The end of what executes a locked call besides the threads that subscribe and request: a coroutine, if any. */
interface ExecutionEnd {

    /** Nothing else. */
    ExecutionEnd NONE = new ExecutionEnd() {

        @Override
        public Object follow(Object result) {
            return result;
        }

        @Override
        public CompletionStage<Void> await() {
            return CompletableFuture.completedStage(null);
        }
    };

    /** Returns a result that is the same, and whose execution is followed. */
    Object follow(Object result);

    /** Returns a stage that completes when a cancelled or completed execution has ended. */
    CompletionStage<Void> await();
}
