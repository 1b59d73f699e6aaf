/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import io.dynamolock.dynamodb.History.Attempt;
import io.dynamolock.dynamodb.History.Release;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Records histories of callers. Thread-safe. */
final class HistoryRecorder {

    private final HeldSampler sampler = new HeldSampler();
    private final Queue<Attempt> attempts = new ConcurrentLinkedQueue<>();
    private final Queue<Release> releases = new ConcurrentLinkedQueue<>();

    HeldSampler sampler() {
        return sampler;
    }

    void add(Attempt one) {
        attempts.add(one);
    }

    void add(Release release) {
        releases.add(release);
    }

    History history() {
        return new History(List.copyOf(attempts), List.copyOf(releases), sampler.heldPeriods());
    }
}
