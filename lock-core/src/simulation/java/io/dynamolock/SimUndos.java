/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.util.HashMap;
import java.util.Map;

/** Checks that no undo is sent for a lease that is surely over (7), whether or not an attempt to acquire it arrived. */
final class SimUndos {

    private static final long MILLI = 1_000_000;

    private final SimVerdict verdict;
    private final Map<String, Long> overAt = new HashMap<>();

    SimUndos(SimVerdict verdict) {
        this.verdict = verdict;
    }

    /** Records an acquire that is sent. Its lease counts from the first time, unless others observe it. */
    void acquires(SimCall call) {
        if (!call.what.observed()) {
            overAt.putIfAbsent(call.what.leaseId(), over(call.from, call.what));
        }
    }

    /** Returns when a lease that counts from now is over for anybody, by the monotonic clock of the process. */
    private static long over(SimProcess process, SimRequest acquire) {
        long lease = acquire.leaseMillis() * MILLI;
        long skew = process.context.settings.maxClockSkew().toNanos();
        return process.clocks.monotonic() + lease + lease / 1_000 + skew;
    }

    /** Checks a request that undoes an acquire. A process that was paused since then cannot know better. */
    void undoes(SimCall call, SimRequest acquire) {
        SimProcess process = call.from;
        long over = overAt.computeIfAbsent(acquire.leaseId(), any -> over(process, acquire));
        long late = process.clocks.monotonic() - over;
        long now = process.scheduler.now();
        if (late > 0 && !process.hasPausedBetween(now - late, now)) {
            verdict.broken(
                    7,
                    "p%d sends %s, although that lease has been over for %d ms"
                            .formatted(process.number, call.what.text(), late / MILLI));
        }
    }
}
