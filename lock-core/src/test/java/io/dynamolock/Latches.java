/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Waits for latches where no checked exception may be thrown; never for ever. */
public final class Latches {

    private Latches() {}

    /** Waits until the latch is open, and fails if that takes too long or the thread is interrupted. */
    public static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(TestRun.PATIENCE.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
        } catch (InterruptedException unexpected) {
            throw new AssertionError(unexpected);
        }
    }
}
