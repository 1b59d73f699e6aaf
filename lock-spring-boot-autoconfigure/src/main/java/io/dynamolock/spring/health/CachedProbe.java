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
 * Caches the result of a probe for a limited time. Concurrent callers share one execution of the probe. A probe that is
 * still running is not started again.
 */
final class CachedProbe<T> {

    private final Clock clock;
    private final Duration time;
    private final Supplier<T> question;
    private final Executor asking;
    private final AtomicReference<@Nullable Answer<T>> last = new AtomicReference<>();

    /**
     * Creates a probe without a result.
     *
     * @param clock the clock for the age of results
     * @param time how long a result is valid
     * @param question the probe; must not throw
     * @param asking the executor of the probe
     */
    CachedProbe(Clock clock, Duration time, Supplier<T> question, Executor asking) {
        this.clock = clock;
        this.time = time;
        this.question = question;
        this.asking = asking;
    }

    /** Returns the cached or pending result, or starts the probe. */
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
