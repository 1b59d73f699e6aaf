/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import io.dynamolock.dynamodb.History.Release;
import io.dynamolock.dynamodb.History.Try;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Records histories of callers. Thread-safe. */
final class HistoryRecorder {

    private final BeliefSampler sampler = new BeliefSampler();
    private final Queue<Try> tries = new ConcurrentLinkedQueue<>();
    private final Queue<Release> releases = new ConcurrentLinkedQueue<>();

    BeliefSampler sampler() {
        return sampler;
    }

    void add(Try one) {
        tries.add(one);
    }

    void add(Release release) {
        releases.add(release);
    }

    History history() {
        return new History(List.copyOf(tries), List.copyOf(releases), sampler.beliefs());
    }
}
