/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dynamolock.LeaseTime;
import io.dynamolock.LockManagerBuilder;
import io.dynamolock.Scale;
import io.dynamolock.dynamodb.History.Outcome;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Histories of real threads on a real server over a network that loses, delays and duplicates requests. */
@Tag("scaled")
class HistoryTests {

    private static final int CALLERS = 2;
    private static final Duration AT_MOST = Duration.ofMinutes(3);
    private static final List<String> NAMES = List.of("busy", "busy too", "quiet 1", "quiet 2", "quiet 3", "quiet 4");

    private final String table = LocalDynamoDb.newTable();
    private final List<DynamoDbNode> processes = new ArrayList<>();
    private final Map<String, Integer> faults = new ConcurrentHashMap<>();
    private final HistoryRecorder recorder = new HistoryRecorder();
    private final FencedCounters counters = new FencedCounters();
    private final AtomicBoolean over = new AtomicBoolean();

    @AfterEach
    void close() {
        processes.forEach(DynamoDbNode::close);
    }

    @Test
    void noHistoryViolatesTheGuarantees() throws Exception {
        process(settings -> settings.time(LeaseTime.SYSTEM));
        process(settings -> settings.time(LeaseTime.SYSTEM));
        process(settings -> settings.time(LeaseTime.SERVER));
        process(settings -> settings.time(LeaseTime.OBSERVED));
        processes.forEach(process -> process.http.decide(new RandomFaults(process.http, faults)::next));
        Instant longEnough = Instant.now().plusSeconds(Scale.of(2, 10));

        History history = runUntil(() -> {
            assertThat(Instant.now()).isAfter(longEnough);
            assertRich(recorder.history());
        });

        assertThat(HistoryChecker.violations(history)).isEmpty();
        assertCountersEqualWhatWasAcknowledged();
    }

    /** Asserts that each kind of fault occurred. */
    private void assertRich(History history) {
        assertThat(count(history, Outcome.GRANTED)).as("granted").isGreaterThan(20);
        assertThat(count(history, Outcome.BUSY)).as("busy").isGreaterThan(10);
        assertThat(count(history, Outcome.UNKNOWN)).as("unknown").isPositive();
        assertThat(faults).containsKeys(RandomFaults.KINDS);
    }

    /** If the clock assumption is violated, two holders may overlap, but fencing still holds. */
    @Test
    @Tag("proof")
    void clockOneMinuteAheadBreaksExclusionButNotFencing() throws Exception {
        Clock ahead = Clock.offset(Clock.systemUTC(), Duration.ofMinutes(1));
        process(settings -> settings.time(LeaseTime.SYSTEM));
        process(settings -> settings.time(LeaseTime.SYSTEM).clock(ahead));

        History history = runUntil(() -> {
            assertExclusionIsBroken(recorder.history());
            assertThat(counters.rejected()).as("fenced off").isPositive();
        });

        assertExclusionIsBroken(history);
        assertCountersEqualWhatWasAcknowledged();
    }

    private static void assertExclusionIsBroken(History history) {
        assertThat(HistoryChecker.violations(history)).anyMatch(one -> one.startsWith("both held"));
    }

    private void process(Consumer<LockManagerBuilder> settings) {
        processes.add(DynamoDbNode.on(table, builder -> settings.accept(builder.maxClockSkew(Duration.ofMillis(20)))));
    }

    private History runUntil(ThrowingRunnable enough) throws Exception {
        ExecutorService threads = Executors.newCachedThreadPool();
        recorder.sampler().start();
        try {
            List<Future<Void>> callers = new ArrayList<>();
            for (DynamoDbNode process : processes) {
                for (int i = 0; i < CALLERS; i++) {
                    callers.add(threads.submit(worker(process, i)));
                }
            }
            await().atMost(AT_MOST).pollInterval(Duration.ofMillis(250)).untilAsserted(enough);
            over.set(true);
            for (Future<Void> caller : callers) {
                caller.get();
            }
        } finally {
            threads.shutdownNow();
            recorder.sampler().stop();
        }
        return recorder.history();
    }

    private HistoryWorker worker(DynamoDbNode process, int number) {
        List<String> names = number == 0 ? NAMES : NAMES.subList(0, 2);
        return new HistoryWorker(process.locks, recorder, counters, names, number, over::get);
    }

    private void assertCountersEqualWhatWasAcknowledged() {
        for (String name : NAMES) {
            assertThat(counters.value(name)).as(name).isEqualTo(counters.acknowledged(name));
        }
    }

    private static long count(History history, Outcome outcome) {
        return history.attempts().stream()
                .filter(one -> one.outcome() == outcome)
                .count();
    }
}
