/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.health;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a question that is not asked again for a while. Of several who want to know at the same time one asks, and the
 * others get the same answer. A question that is still open is not asked again.
 */
final class CachedProbe<T> {

    private final Clock clock;
    private final Duration time;
    private final Supplier<T> question;
    private final Executor asking;
    private final AtomicReference<@Nullable Answer<T>> last = new AtomicReference<>();

    /**
     * Creates a question that was not asked yet.
     *
     * @param clock tells when an answer is old
     * @param time for how long it is not
     * @param question never throws
     * @param asking runs the question
     */
    CachedProbe(Clock clock, Duration time, Supplier<T> question, Executor asking) {
        this.clock = clock;
        this.time = time;
        this.question = question;
        this.asking = asking;
    }

    /** Asks, unless the answer is known or on its way. */
    CompletableFuture<T> ask() {
        Answer<T> known = last.get();
        if (known != null && !isOld(known)) {
            return known.value;
        }
        Answer<T> mine = new Answer<>();
        if (!last.compareAndSet(known, mine)) {
            return ask();
        }
        asking.execute(() -> answer(mine));
        return mine.value;
    }

    private void answer(Answer<T> answer) {
        try {
            T value = question.get();
            answer.since = clock.instant();
            answer.value.complete(value);
        } catch (RuntimeException | Error unexpected) {
            answer.since = clock.instant();
            answer.value.completeExceptionally(unexpected);
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
