/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.LeaseLost.Reason;
import io.dynamolock.SimLedger.Version;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Checks that reported lease ends match the history of the row and are reported once (5). */
final class SimEnds {

    private final SimVerdict verdict;
    private final SimLedger ledger;
    private final SimFaults faults;
    private final SimTerms terms = new SimTerms();
    private final Set<HeldLease> acquired = new HashSet<>();
    private final Set<HeldLease> lost = new HashSet<>();
    private final Set<HeldLease> ending = new HashSet<>();
    private final Set<String> unanswered = new HashSet<>();
    private final Set<String> doubled = new HashSet<>();

    SimEnds(SimVerdict verdict, SimLedger ledger, SimFaults faults) {
        this.verdict = verdict;
        this.ledger = ledger;
        this.faults = faults;
    }

    /** Records that a listener was notified of an acquire. */
    void acquired(HeldLease lease) {
        acquired.add(lease);
    }

    /** Records that a listener was notified of a loss. */
    void lost(SimProcess process, HeldLease lease, Reason reason) {
        if (!lost.add(lease)) {
            verdict.broken(5, "The loss of " + lease.id() + " was reported twice");
        }
        if (!isTrue(process, lease, reason)) {
            verdict.broken(5, "The loss of " + lease.id() + " was reported as " + reason);
        }
    }

    private boolean isTrue(SimProcess process, HeldLease lease, Reason reason) {
        String name = lease.name();
        String id = lease.id();
        return switch (reason) {
            case TAKEN -> ledger.wasTaken(name, id);
            case REVOKED -> ledger.wasRevoked(name, id);
            case DELETED -> ledger.wasDeleted(name, id);
            case EXPIRED ->
                isAtItsEnd(process, lease)
                        && (!lease.grant().autoRenew() || lease.status().isReleaseSent());
            case UNREACHABLE -> isAtItsEnd(process, lease) && lease.grant().autoRenew();
            case MAX_HOLD -> isAtItsEnd(process, lease) && terms.mayHaveReachedMaxHold(process, lease);
            case CLOSED -> process.isClosing();
        };
    }

    /**
     * A lease lasts as long as its requests say, and until the end that the library knows. A loss is reported a little before the
     * end that it waits for, by a wall clock that may be set back again, or by a common time that may be contradicted since.
     */
    private boolean isAtItsEnd(SimProcess process, HeldLease lease) {
        boolean untrusted =
                process.mode == LeaseTime.SERVER && process.context.clock.now().time() == LeaseTime.OBSERVED;
        boolean mayHaveEnded = terms.mayHaveEnded(process, lease.id()) || ledger.wasForged(lease.name(), lease.id());
        return mayHaveEnded
                && (untrusted
                        || terms.wasSteppedDuring(process, lease.id())
                        || ending.contains(lease)
                        || isNearItsEnd(process, lease));
    }

    private static boolean isNearItsEnd(SimProcess process, HeldLease lease) {
        ClockReading now = process.context.clock.now();
        return ExclusionCheck.validityOf(lease).end().remaining(now).compareTo(Heartbeat.MARGIN) <= 0;
    }

    /** At the end: every loss was reported. */
    void requireReported(Collection<HeldLease> losses) {
        for (HeldLease lease : losses) {
            if (acquired.contains(lease) && !lost.contains(lease)) {
                verdict.broken(5, "The loss of " + lease.id() + " was never reported");
            }
        }
    }

    /**
     * A read may search for the reason of a lease end, and the release of a lost lease cleans up; the response of either may
     * move the known time.
     */
    void sent(SimCall call) {
        terms.sent(call);
        Stream<HeldLease> ended = Stream.empty();
        if (call.what.kind() == SimRequest.Kind.READ) {
            ended = List.copyOf(call.from.registry.held).stream()
                    .filter(lease -> lease.name().equals(call.what.name()));
        } else if (releases(call.what)) {
            ended = acquired.stream().filter(lease -> lease.id().equals(call.what.leaseId()));
        }
        ended.filter(lease -> isNearItsEnd(call.from, lease)).forEach(ending::add);
    }

    void answered(SimCall call) {
        terms.answered(call);
    }

    void rejected(SimCall call) {
        terms.rejected(call);
    }

    /** A request may have been applied without a response. */
    void unanswered(SimRequest request) {
        if (releases(request)) {
            unanswered.add(request.leaseId());
        }
    }

    /** A request arrives twice: the response may belong to its second copy. */
    void doubled(SimRequest request) {
        if (releases(request)) {
            doubled.add(request.leaseId());
        }
    }

    private static boolean releases(SimRequest request) {
        return request.kind() == SimRequest.Kind.RELEASE || request.kind() == SimRequest.Kind.REST;
    }

    /**
     * A holder learns what its release found. A first response that is the one to a second copy cannot be recognized; behind a
     * successor, a lease that was lost before does not know who has freed it; nor does one whose detach failed and whose
     * release got no response, when it was resumed by a forged token, as the true one was never returned.
     */
    void released(Lease lease, ReleaseOutcome outcome) {
        String name = lease.name();
        String id = lease.id();
        boolean lost = isLost(lease); // reads the clock, where a suspension may let others change the row
        boolean freed = ledger.wasFreed(id);
        boolean promised = !faults.brokeAssumption(name);
        boolean recognizable = (unanswered.contains(id) || !doubled.contains(id)) && !lost;
        boolean isTrue = switch (outcome) {
            case RELEASED -> freed || (unanswered.contains(id) && ledger.wasResumed(name, id));
            case NOT_OWNED -> !(freed && recognizable) && ledger.hasSince(name, id, SimEnds::isHeld);
            case ALREADY_GONE -> !(freed && recognizable) && ledger.hasSince(name, id, version -> !isHeld(version));
            case LOST -> true;
        };
        if ((outcome == ReleaseOutcome.LOST || outcome == ReleaseOutcome.RELEASED)
                && (outcome == ReleaseOutcome.LOST) != (lease.state() == LeaseState.LOST)) {
            verdict.broken(5, "The release of " + id + ", which is " + lease.state() + ", was reported as " + outcome);
        }
        if (promised && !isTrue) {
            verdict.broken(5, "The release of " + id + " was reported as " + outcome);
        }
    }

    private static boolean isLost(Lease lease) {
        return lease.state() == LeaseState.LOST || ((HeldLease) lease).status().isPastItsEnd();
    }

    private static boolean isHeld(Version version) {
        return version.leaseId() != null || SimForger.isLater(version.row());
    }
}
