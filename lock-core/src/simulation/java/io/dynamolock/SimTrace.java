/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The trace of one history: a hash to compare runs, and optionally readable text. */
final class SimTrace {

    private final SimScheduler time;
    private final long start;
    private final boolean readable;
    private final List<String> lines = new ArrayList<>();
    private long hash = 0xcbf29ce484222325L;

    SimTrace(SimScheduler time, long start, boolean readable) {
        this.time = time;
        this.start = start;
        this.readable = readable;
    }

    void note(int process, String what, String detail) {
        mix(time.now());
        mix(process);
        mix(what.hashCode());
        mix(detail.hashCode());
        if (readable) {
            lines.add(String.format(
                    Locale.ROOT, "%10.4f s  p%-2d %-18s %s", (time.now() - start) / 1e9, process, what, detail));
        }
    }

    private void mix(long value) {
        hash = (hash ^ value) * 0x100000001b3L;
        hash ^= hash >>> 29;
    }

    long hash() {
        return hash;
    }

    List<String> lines() {
        return lines;
    }
}
