/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The earliest end of each lease in true time, derived from the requests on the network instead of the library's state: the
 * acquisition gives the first end; a later one counts once the newest renewal is answered, an earlier one once it is sent.
 * After a pause of its process or a step of its wall clock, a lease may end at any time.
 */
final class SimTerms {

    /** Part of a lease by which it may end earlier: the drift of two clocks, and the allowance for it, are at most 1/2,000 each. */
    private static final long DRIFT_PART = 500;

    /** How much earlier a loss may be reported, with some milliseconds for rounding. */
    private static final long EARLY = Heartbeat.MARGIN.toNanos() + 5_000_000;

    private record Renewal(long number, long sentAt, long end) {}

    private static final class Term {

        final long acquiredAt;
        long end;

        /** When the request that gave the end was sent. */
        long sentAt;

        /** When that request was answered. */
        long answeredAt;

        Renewal newest;

        Term(long sentAt, long end) {
            this.acquiredAt = sentAt;
            this.sentAt = sentAt;
            this.end = end;
            this.newest = new Renewal(0, sentAt, end);
        }
    }

    private final Map<String, Term> terms = new HashMap<>();

    /** The same request may be sent again, and counts from the first time. */
    void sent(SimCall call) {
        long sentAt = call.from.madeAt();
        long lockDelay = call.from.context.lockDelay.delay().toNanos();
        long end = sentAt + atLeast(call.what.leaseMillis() * 1_000_000) - lockDelay;
        if (call.what.acquires()) {
            terms.putIfAbsent(call.what.leaseId(), new Term(sentAt, end));
            return;
        }
        Term term = renewed(call);
        if (term != null && call.what.number() > term.newest.number()) {
            term.newest = new Renewal(call.what.number(), sentAt, end);
            // made at the moment of the last answer, the library may have counted it before that
            term.end = sentAt <= term.answeredAt ? 0 : Math.min(term.end, end);
        }
    }

    void answered(SimCall call) {
        Term term = renewed(call);
        if (term != null && call.what.number() == term.newest.number() && !mayHaveEnded(term, call.from)) {
            term.end = term.newest.end();
            term.sentAt = term.newest.sentAt();
            term.answeredAt = call.from.scheduler.now();
        }
    }

    /**
     * The lease is not judged any more: the holder may count a renewal that a newer one has overtaken from the earlier moment
     * at which that was sent.
     */
    void rejected(SimCall call) {
        Term term = renewed(call);
        if (term != null) {
            term.end = 0;
        }
    }

    private @Nullable Term renewed(SimCall call) {
        return call.what.kind() == SimRequest.Kind.RENEW ? terms.get(call.what.leaseId()) : null;
    }

    private static long atLeast(long nanos) {
        return nanos - nanos / DRIFT_PART - EARLY;
    }

    /** Returns whether a lease may have ended for its holder. */
    boolean mayHaveEnded(SimProcess process, String leaseId) {
        Term term = terms.get(leaseId);
        return term == null || mayHaveEnded(term, process);
    }

    private static boolean mayHaveEnded(Term term, SimProcess process) {
        return process.scheduler.now() >= term.end
                || process.hasPausedSince(term.sentAt)
                || process.hasSteppedSince(term.sentAt);
    }

    /** Returns whether the maximum hold time of a lease may have passed; no clock can make it shorter. */
    boolean mayHaveReachedMaxHold(SimProcess process, HeldLease lease) {
        Term term = terms.get(lease.id());
        Duration most = lease.grant().maxHold();
        long drift = lease.status().duration().toNanos() / DRIFT_PART;
        return term != null
                && most != null
                && process.scheduler.now() - term.acquiredAt >= atLeast(most.toNanos()) - drift;
    }

    /** Returns whether the wall clock of its process was set during a lease. */
    boolean wasSteppedDuring(SimProcess process, String leaseId) {
        Term term = terms.get(leaseId);
        return term == null || process.hasSteppedSince(term.acquiredAt);
    }
}
