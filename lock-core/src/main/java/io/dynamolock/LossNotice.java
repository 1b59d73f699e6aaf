/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells the loss of one lease: once, with its reason, to everybody who asked, before or after it happened. */
final class LossNotice {

    private static final Logger LOG = LoggerFactory.getLogger(LossNotice.class);

    private final CompletableFuture<LeaseLost> future = new CompletableFuture<>();

    void give(LeaseLost loss) {
        future.complete(loss);
    }

    CompletionStage<LeaseLost> stage() {
        return future.minimalCompletionStage();
    }

    void register(Consumer<LeaseLost> action) {
        Consumer<LeaseLost> guarded = loss -> {
            try {
                action.accept(loss);
            } catch (Throwable harmless) {
                LOG.warn("What was to be done about the loss of lock '{}' failed", loss.name(), harmless);
            }
        };
        CompletableFuture<Void> unused = future.thenAccept(guarded);
    }
}
