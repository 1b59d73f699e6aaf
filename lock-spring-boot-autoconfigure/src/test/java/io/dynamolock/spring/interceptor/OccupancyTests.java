/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class OccupancyTests {

    private final Occupancy method = new Occupancy();

    @Test
    void endsWhenAllHaveLeft() {
        int count = 100_000; // coroutines: more than a Phaser can count
        for (int i = 0; i < count; i++) {
            assertThat(method.enter()).isTrue();
        }

        CompletableFuture<Void> left = method.close().toCompletableFuture();

        for (int i = 0; i < count; i++) {
            assertThat(left).isNotDone();
            method.leave();
        }
        assertThat(left).isCompleted();
    }

    @Test
    void admitsMoreUntilAllHaveLeft() {
        assertThat(method.enter()).isTrue();
        CompletableFuture<Void> left = method.close().toCompletableFuture();

        assertThat(method.enter()).isTrue();
        method.leave();
        assertThat(left).isNotDone();
        method.leave();

        assertThat(left).isCompleted();
        assertThat(method.enter()).isFalse();
        assertThat(method.enter()).isFalse();
    }
}
