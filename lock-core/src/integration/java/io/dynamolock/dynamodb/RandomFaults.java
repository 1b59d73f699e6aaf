/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import io.dynamolock.dynamodb.FaultyHttpClient.Attempt;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import software.amazon.awssdk.http.HttpExecuteResponse;

/** A network that loses, delays or duplicates one attempt in four. */
final class RandomFaults {

    static final String[] KINDS = {"request lost", "response lost", "request late", "response late", "doubled"};

    private static final int LONGEST_DELAY_MILLIS = 1_500;

    private final FaultyHttpClient http;
    private final Map<String, Integer> happened;

    /** Counts each fault in a shared map. */
    RandomFaults(FaultyHttpClient http, Map<String, Integer> happened) {
        this.http = http;
        this.happened = happened;
    }

    Fault next(Attempt attempt) {
        return switch (ThreadLocalRandom.current().nextInt(24)) {
            case 0 -> count("request lost", Fault.loseRequest());
            case 1, 2 -> count("response lost", Fault.loseResponse());
            case 3 -> count("request late", Fault.delay(delay()));
            case 4 -> count("response late", lateResponse(delay()));
            case 5 -> count("doubled", doubled(attempt, delay()));
            default -> Fault.none();
        };
    }

    private Fault count(String what, Fault fault) {
        happened.merge(what, 1, Integer::sum);
        return fault;
    }

    private static Duration delay() {
        return Duration.ofMillis(ThreadLocalRandom.current().nextInt(LONGEST_DELAY_MILLIS));
    }

    private static Fault lateResponse(Duration time) {
        return exchange -> {
            HttpExecuteResponse response = exchange.send();
            exchange.pause(time);
            return response;
        };
    }

    private Fault doubled(Attempt attempt, Duration time) {
        Executor later = CompletableFuture.delayedExecutor(time.toMillis(), TimeUnit.MILLISECONDS);
        return exchange -> {
            later.execute(() -> resend(attempt));
            return exchange.send();
        };
    }

    private void resend(Attempt attempt) {
        try {
            http.resend(attempt);
        } catch (UncheckedIOException | IllegalStateException closedMeanwhile) {
            // the test has ended
        }
    }
}
