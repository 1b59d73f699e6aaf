/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.benchmarks.worker;

import java.util.ArrayList;
import java.util.List;

/** Free names, while answers of DynamoDB get lost. */
final class LostAnswers {

    private LostAnswers() {}

    static void play(Run run) throws Exception {
        int count = run.arguments().number("count");
        int wrong = 0;
        int failed = 0;
        List<Double> millis = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            long started = System.nanoTime();
            try {
                HeldLock held = run.locks().tryAcquire("job-" + i);
                millis.add((System.nanoTime() - started) / 1e6);
                if (held == null) {
                    wrong++; // nobody else wants it
                } else {
                    release(held);
                }
            } catch (Exception gaveUp) {
                failed++;
                millis.add((System.nanoTime() - started) / 1e6);
            }
        }
        run.figures().add("wrongPercent", wrong * 100.0 / count);
        run.figures().add("failedPercent", failed * 100.0 / count);
        run.figures()
                .add(
                        "slowestMillis",
                        millis.stream().mapToDouble(Double::doubleValue).max().orElse(0));
    }

    private static void release(HeldLock held) {
        try {
            held.release();
        } catch (RuntimeException lost) {
            // only acquiring is measured
        }
    }
}
