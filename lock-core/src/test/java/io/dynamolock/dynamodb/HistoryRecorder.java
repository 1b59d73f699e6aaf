/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import io.dynamolock.LockListener;
import io.dynamolock.dynamodb.History.Failure;
import io.dynamolock.dynamodb.History.Release;
import io.dynamolock.dynamodb.History.Try;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Collects what callers saw. Safe for use by many threads. */
final class HistoryRecorder {

    private final BeliefSampler sampler = new BeliefSampler();
    private final Queue<Try> tries = new ConcurrentLinkedQueue<>();
    private final Queue<Failure> failures = new ConcurrentLinkedQueue<>();
    private final Queue<Release> releases = new ConcurrentLinkedQueue<>();

    BeliefSampler sampler() {
        return sampler;
    }

    void add(Try one) {
        tries.add(one);
    }

    /** For each process that takes part. */
    LockListener listener() {
        return new LockListener() {
            @Override
            public void onRequest(String name, Operation operation, RequestOutcome outcome) {
                if (operation == Operation.ACQUIRE && outcome == RequestOutcome.FAILED) {
                    failures.add(new Failure(name, System.nanoTime()));
                }
            }
        };
    }

    /** A copy of a request about this name may be applied later, whatever the answer to it was. */
    void doubled(String name) {
        failures.add(new Failure(name, System.nanoTime()));
    }

    void add(Release release) {
        releases.add(release);
    }

    History history() {
        return new History(List.copyOf(tries), List.copyOf(failures), List.copyOf(releases), sampler.beliefs());
    }
}
