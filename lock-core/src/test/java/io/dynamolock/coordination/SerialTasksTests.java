/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.coordination;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class SerialTasksTests {

    private final Queue<String> events = new ConcurrentLinkedQueue<>();
    private final CompletableFuture<CompletableFuture<Void>> second = new CompletableFuture<>();
    private final AtomicInteger threads = new AtomicInteger();
    private final SerialTasks tasks = new SerialTasks(this::execute, FutureAwaiter.ofThread());

    /** The first thread cannot be started; meanwhile another task comes. */
    private void execute(Runnable action) {
        if (threads.incrementAndGet() > 1) {
            new Thread(action).start();
            return;
        }
        Thread other = new Thread(() -> second.complete(tasks.run(() -> events.add("second"))));
        other.start();
        await().until(() -> second.isDone() || other.getState() == Thread.State.BLOCKED);
        throw new IllegalStateException("no thread");
    }

    @Test
    void taskThatComesWhileNoThreadCanBeStartedRuns() {
        assertThatIllegalStateException().isThrownBy(() -> tasks.run(() -> events.add("first")));

        assertThat(second.thenCompose(end -> end)).succeedsWithin(Duration.ofMinutes(1));
        assertThat(events).containsExactly("first", "second");
        assertThat(tasks.isIdle()).isTrue();
    }
}
