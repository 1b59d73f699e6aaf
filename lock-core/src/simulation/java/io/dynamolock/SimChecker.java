/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.dynamodb.FakeTable.Change;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Observes all events of a history and passes them to the checks. */
final class SimChecker {

    final SimVerdict verdict;
    final SimLedger ledger;
    final TokenCheck tokens;
    final ExclusionCheck exclusion;
    final SimCounters counters;
    final SimWorks works;
    final SimEnds ends;
    final SimCoordinationCheck coordination;
    final SimWaits waits;
    private final SimScheduler scheduler;
    private final SimFaults faults;
    private final SimTrace trace;
    private final List<SimProcess> processes = new ArrayList<>();
    private @Nullable SimCall applying;
    private int requests;

    SimChecker(SimScheduler scheduler, SimVerdict verdict, SimTrace trace, SimLedger ledger, SimFaults faults) {
        this.scheduler = scheduler;
        this.verdict = verdict;
        this.trace = trace;
        this.ledger = ledger;
        this.ends = new SimEnds(verdict, ledger, faults);
        this.tokens = new TokenCheck(verdict, faults, ends);
        this.exclusion = new ExclusionCheck(verdict, faults, tokens);
        this.counters = new SimCounters(verdict);
        this.works = new SimWorks(verdict);
        this.coordination = new SimCoordinationCheck(verdict, faults);
        this.waits = new SimWaits(verdict, ledger, faults);
        this.faults = faults;
    }

    void joins(SimProcess process) {
        processes.add(process);
    }

    LockListener listenerOf(SimProcess process) {
        return new ListenerProbe(process, verdict, trace, works, ends);
    }

    /** Runs the checks after each event. */
    void check() {
        exclusion.check(processes);
        works.check();
        coordination.check();
        waits.check(scheduler.now());
    }

    void changed(Change change) {
        if (SimCounters.owns(change.name())) {
            counters.changed(change);
        } else {
            ledger.changed(change, applying);
        }
    }

    Map<String, AttributeValue> rowAt(String name, long moment) {
        verdict.reached(SimSometimes.OLD_ROW_READ);
        return ledger.rowAt(name, moment);
    }

    void sent(SimCall call) {
        requests++;
        call.waiting.sent++;
        call.waiting.read += call.what.kind() == SimRequest.Kind.READ ? 1 : 0;
        tokens.sent(call);
        ends.sent(call);
        ledger.sent(call);
        if (call.from.hasClosed() && !call.waiting.isUser()) {
            verdict.broken(6, "p" + call.from.number + " sends " + call.what.text() + " after its close has returned");
        }
    }

    void arriving(SimCall call) {
        applying = call;
    }

    void arrived(SimCall call, boolean applied) {
        applying = null;
        tokens.arrived(call, applied);
    }

    void unanswered(SimCall call) {
        troubled(call);
        tokens.unanswered(call);
    }

    void answered(SimCall call) {
        ends.answered(call);
        tokens.answered(call);
    }

    void failed(SimCall call, RuntimeException failure) {
        boolean rejection =
                failure instanceof software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
        if (rejection) {
            ends.rejected(call);
        } else {
            troubled(call);
        }
        tokens.failed(call, failure);
    }

    private void troubled(SimCall call) {
        call.waiting.troubled(scheduler.now());
        waits.troubled(call.from, scheduler.now());
    }

    /** Checks a busy result: it requires a lease of another caller in the row during the call, or the claim of another. */
    void gotBusy(SimProcess process, String name, long start, String owner) {
        trace.note(process.number, "gets", "busy " + name);
        verdict.reached(SimSometimes.WAITED_IN_VAIN);
        long since = faults.has(SimFault.OLD_READ) ? start - 1_000_000_000L : start;
        boolean byAnother = faults.changedRow(name)
                || ledger.wasHeldByAnother(name, since, scheduler.current(), start, owner)
                || ledger.wasReservedForAnother(name, since, process);
        if (!byAnother) {
            verdict.broken(5, "p" + process.number + " got a busy result for " + name);
        }
    }

    int requests() {
        return requests;
    }
}
