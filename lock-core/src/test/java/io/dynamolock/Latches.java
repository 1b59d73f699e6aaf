/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Bounded waits for latches, without checked exceptions. */
public final class Latches {

    private Latches() {}

    /** Waits for the latch; fails on timeout or interrupt. */
    public static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(TestRun.TIMEOUT.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
        } catch (InterruptedException unexpected) {
            throw new AssertionError(unexpected);
        }
    }
}
