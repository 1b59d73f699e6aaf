/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.health;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a question that is not asked again for a while. Of several who want to know at the same time one asks, and the
 * others wait for the answer.
 */
final class Remembered<T> {

    private final Clock clock;
    private final Duration time;
    private final Supplier<T> question;
    private final AtomicReference<@Nullable Answer<T>> last = new AtomicReference<>();

    /**
     * Creates a question that was not asked yet.
     *
     * @param clock tells when an answer is old
     * @param time for how long it is not
     * @param question never throws
     */
    Remembered(Clock clock, Duration time, Supplier<T> question) {
        this.clock = clock;
        this.time = time;
        this.question = question;
    }

    T get() {
        Answer<T> known = last.get();
        if (known != null && !isOld(known)) {
            return known.value.join();
        }
        Answer<T> mine = new Answer<>();
        if (last.compareAndSet(known, mine)) {
            ask(mine);
            return mine.value.join();
        }
        return get();
    }

    private void ask(Answer<T> answer) {
        try {
            answer.value.complete(question.get());
        } catch (RuntimeException | Error unexpected) {
            answer.value.completeExceptionally(unexpected);
            throw unexpected;
        } finally {
            answer.since = clock.instant();
        }
    }

    private boolean isOld(Answer<T> answer) {
        Instant since = answer.since;
        return since != null && Duration.between(since, clock.instant()).abs().compareTo(time) >= 0;
    }

    private static final class Answer<T> {

        final CompletableFuture<T> value = new CompletableFuture<>();
        volatile @Nullable Instant since;
    }
}
