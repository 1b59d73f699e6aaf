/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;

/** What becomes of acquisitions and renewals on their way: none takes effect after it was undone or released (4). */
final class TokenCheck {

    private static final long LONGEST_UNDO_GAP = 15_000_000_000L;
    private static final long LONGEST_RETRY_DELAY = 300_000_000L;

    private static final class Attempt {
        final SimProcess process;
        final SimRequest what;
        final SimThread by;
        final long sentAt;
        boolean granted;
        boolean closing;
        long endedAt;
        boolean unanswered;
        boolean won;
        boolean undoing;
        boolean undone;
        long undoSentAt;

        Attempt(SimCall call) {
            this.process = call.from;
            this.what = call.what;
            this.by = call.waiting;
            this.sentAt = process.scheduler.now();
        }

        /** The process stops waiting or has a response: if the lease has ended by then, nothing is left to undo. */
        void ended() {
            endedAt = process.scheduler.now();
            closing = process.isClosing();
        }

        /** Returns whether this read may sample the clock for its acquisition, before the next attempt. */
        boolean isOpenFor(SimCall read) {
            boolean sameDriver = by == read.waiting || !(by.isUser() || read.waiting.isUser());
            return process == read.from
                    && sameDriver
                    && !granted
                    && !undoing
                    && what.name().equals(read.what.name());
        }

        /** Whether its lease may have been over by then, or before its thread could send the next attempt. */
        boolean mayHaveBeenOver() {
            long lease = what.leaseMillis() * 1_000_000
                    - process.context.lockDelay.delay().toNanos();
            return endedAt - sentAt >= lease || process.hasPausedBetween(sentAt, endedAt + LONGEST_RETRY_DELAY);
        }

        /** Whether it got no response during the lease of another, or just before. */
        boolean failedDuring(Attempt other) {
            long lease = other.what.leaseMillis() * 1_000_000;
            return this != other
                    && process == other.process
                    && unanswered
                    && endedAt > other.sentAt - lease
                    && endedAt < other.sentAt + lease;
        }

        /** Returns whether its undo failed and was not repeated although the lease continued. */
        boolean isLeftAlone() {
            long gap = sentAt + what.leaseMillis() * 1_000_000 - undoSentAt;
            return undoing && !undone && gap > LONGEST_UNDO_GAP && !process.hasPausedSince(sentAt);
        }
    }

    private final SimVerdict verdict;
    private final SimFaults faults;
    private final SimEnds ends;
    private final SimUndos undos;
    private final Map<String, Attempt> attempts = new HashMap<>();
    private final Set<String> released = new HashSet<>();

    TokenCheck(SimVerdict verdict, SimFaults faults, SimEnds ends) {
        this.verdict = verdict;
        this.faults = faults;
        this.ends = ends;
        this.undos = new SimUndos(verdict);
    }

    void sent(SimCall call) {
        SimRequest what = call.what;
        if (what.acquires()) {
            attempts.putIfAbsent(what.leaseId(), new Attempt(call));
            undos.acquires(call);
        } else if (what.kind() == SimRequest.Kind.RENEW && released.contains(what.leaseId())) {
            verdict.broken(4, "A renewal of " + what.leaseId() + " was sent after its release returned");
        } else {
            Attempt attempt = attempts.get(what.leaseId());
            if (attempt != null && what.kind() == SimRequest.Kind.REST) {
                attempt.granted = true; // only a holder leaves its lock taken
            }
            if (attempt != null && !attempt.granted) {
                attempt.undoing = true;
                attempt.undoSentAt = call.from.scheduler.now();
            }
            if (attempt != null && undoes(call, attempt)) {
                undos.undoes(call, attempt.what);
            }
        }
    }

    private static boolean undoes(SimCall call, Attempt attempt) {
        boolean frees = call.what.kind() == SimRequest.Kind.RELEASE || call.what.kind() == SimRequest.Kind.RAISE_FLOOR;
        return frees && !attempt.granted;
    }

    void granted(String leaseId) {
        Attempt attempt = attempts.get(leaseId);
        if (attempt != null) {
            attempt.granted = true;
        }
    }

    /** Records that its release or detach returned to the caller. */
    void released(String leaseId) {
        released.add(leaseId);
    }

    void arrived(SimCall call, boolean applied) {
        if (!call.what.acquires()) {
            if (call.what.kind() == SimRequest.Kind.RENEW && !applied && call.isOver()) {
                verdict.reached(SimSometimes.LATE_RENEWAL_REJECTED);
            }
            return;
        }
        Attempt attempt = attempts.get(call.what.leaseId());
        if (!applied && call.isOver()) {
            verdict.reached(SimSometimes.LATE_ACQUIRE_REJECTED);
        }
        if (applied && attempt != null && attempt.undone && !faults.changedRow(call.what.name())) {
            verdict.broken(4, "A late copy of the acquire of " + call.what.leaseId() + " was applied after its undo");
        }
    }

    void unanswered(SimCall call) {
        ends.unanswered(call.what);
        Attempt attempt = attempts.get(call.what.leaseId());
        closingUndo(call, attempt);
        if (attempt != null && call.what.acquires()) {
            attempt.unanswered = true;
            attempt.ended();
        }
        if (call.samplesClock) {
            attempts.values().stream().filter(open -> open.isOpenFor(call)).forEach(Attempt::ended);
        }
    }

    void answered(SimCall call) {
        Attempt attempt = attempts.get(call.what.leaseId());
        if (attempt != null && call.what.acquires()) {
            attempt.won = true;
            attempt.ended();
        }
        if (attempt != null && undoes(call, attempt)) {
            attempt.undone = true;
            verdict.reached(
                    call.what.kind() == SimRequest.Kind.RELEASE
                            ? SimSometimes.UNDONE_BY_RELEASE
                            : SimSometimes.UNDONE_BY_FLOOR);
        }
    }

    /** A manager that closes sends each undo once more, and leaves what fails to the end of the lease. */
    private static void closingUndo(SimCall call, @Nullable Attempt attempt) {
        if (attempt != null && !call.what.acquires() && call.from.isClosing()) {
            attempt.closing = true;
        }
    }

    void failed(SimCall call, RuntimeException failure) {
        boolean rejected = failure instanceof DynamoDbException response && response.statusCode() < 500;
        boolean neverSent = failure instanceof SdkClientException;
        Attempt attempt = attempts.get(call.what.leaseId());
        closingUndo(call, attempt);
        if (!rejected && !neverSent) {
            unanswered(call);
        } else if (attempt != null && call.what.acquires()) {
            attempt.ended();
        }
        if (failure instanceof ConditionalCheckFailedException check) {
            if (attempt != null && call.what.kind() == SimRequest.Kind.RESUME) {
                attempt.undone = true; // what it carries on is gone for good
            }
            recognized(call, check);
        }
    }

    private void recognized(SimCall call, ConditionalCheckFailedException check) {
        SimLedger.Version row = new SimLedger.Version(0, check.item(), null);
        String id = call.what.leaseId();
        if (id.equals(row.leaseId()) && call.what.acquires()) {
            verdict.reached(SimSometimes.OWN_ACQUIRE_RECOGNIZED);
        } else if (id.equals(row.leaseId()) && call.what.kind() == SimRequest.Kind.RENEW) {
            verdict.reached(SimSometimes.OWN_RENEWAL_RECOGNIZED);
        } else if (call.what.kind() == SimRequest.Kind.RELEASE
                && id.equals(SimRequest.text(check.item(), "lastLeaseId"))) {
            verdict.reached(SimSometimes.OWN_RELEASE_RECOGNIZED);
        } else if (call.what.acquires() && SimForger.isLater(row.row())) {
            verdict.reached(SimSometimes.LATER_FORMAT_LEFT_ALONE);
        } else if (call.what.acquires() && row.leaseId() == null) {
            verdict.reached(SimSometimes.OUTBID);
        }
    }

    /** Whether undos of other acquires may have used all threads for them until the lease was over. */
    private boolean mayHaveBeenCrowdedOut(Attempt attempt) {
        return attempts.values().stream()
                        .filter(other -> other.failedDuring(attempt))
                        .count()
                >= attempt.process.pool.undoThreads();
    }

    /** At the end: messages in flight can have no effect any more, and no unknown lease holds a lock. */
    void requireHarmless(SimLedger ledger) {
        for (Attempt attempt : attempts.values()) {
            SimLedger.Version row = ledger.now(attempt.what.name());
            boolean usedUp = row.number("tokenFloor") >= attempt.what.token()
                    && !attempt.what.leaseId().equals(row.leaseId());
            boolean left = !attempt.granted && !attempt.undoing && !attempt.undone && !usedUp;
            boolean excused = attempt.mayHaveBeenOver()
                    || mayHaveBeenCrowdedOut(attempt)
                    || attempt.process.isDead()
                    || faults.changedRow(attempt.what.name());
            if (left && !excused && attempt.won) {
                verdict.broken(4, "Nobody has, and nobody undid, the acquire of " + attempt.what.leaseId());
            }
            boolean unsettled = left || (!attempt.granted && !usedUp && attempt.isLeftAlone());
            if (unsettled && !excused && attempt.unanswered && (left || !attempt.closing)) {
                verdict.broken(4, "Nobody undid the unanswered acquire of " + attempt.what.leaseId());
            }
        }
    }
}
