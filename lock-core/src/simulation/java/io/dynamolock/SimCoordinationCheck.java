/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.coordination.LeaderElection;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What is built on locks, by local validity: never more permits than there are, never a writer with others, never two
 * leaders (invariant 1). If clocks were wrong, one lock may have several holders, and counts once.
 */
final class SimCoordinationCheck {

    enum Kind {
        PERMIT,
        READ,
        WRITE
    }

    private record Use(Kind kind, SimProcess process, Lease lease) {

        /** Returns false, and adds nothing, if one of its locks is among these. */
        boolean addsTo(Set<String> locks) {
            List<String> own = lease.leases().stream().map(Lease::name).toList();
            return own.stream().noneMatch(locks::contains) && locks.addAll(own);
        }

        /** Reads no clock. */
        boolean seemsHeld() {
            return lease.leases().stream()
                    .allMatch(one ->
                            ExclusionCheck.validityOf((HeldLease) one).state().isHeld());
        }

        boolean isHeld() {
            ClockReading now = process.context.clock.now();
            return seemsHeld()
                    && lease.leases().stream()
                            .noneMatch(one -> ExclusionCheck.validityOf((HeldLease) one)
                                    .end()
                                    .isPast(now));
        }
    }

    private record Leadership(SimProcess process, LeaderElection election) {}

    private final SimVerdict verdict;
    private final SimFaults faults;
    private final List<Use> uses = new ArrayList<>();
    private final List<Leadership> leaders = new ArrayList<>();

    SimCoordinationCheck(SimVerdict verdict, SimFaults faults) {
        this.verdict = verdict;
        this.faults = faults;
    }

    void acquired(Kind kind, SimProcess process, Lease lease) {
        uses.add(new Use(kind, process, lease));
    }

    void released(Lease lease) {
        uses.removeIf(use -> use.lease == lease);
    }

    void elected(SimProcess process, LeaderElection election) {
        if (leaders.removeIf(leader -> leader.election == election)) {
            verdict.broken(5, "p" + process.number + " was elected before its revocation");
        }
        leaders.add(new Leadership(process, election));
    }

    void revoked(SimProcess process, LeaderElection election) {
        if (!leaders.removeIf(leader -> leader.election == election)) {
            verdict.broken(5, "p" + process.number + " was revoked before its election");
        }
    }

    /** Runs the checks after each event. */
    void check() {
        if (uses.isEmpty() && leaders.isEmpty()) {
            return;
        }
        uses.removeIf(use -> use.process.isDead());
        leaders.removeIf(leader -> leader.process.isDead());
        if (uses.size() > 1) {
            checkUses();
        }
        if (leaders.size() > 1 && leading() > 1) {
            verdict.broken(1, "Two processes are leaders");
        }
    }

    private long leading() {
        Stream<Lease> leases = leaders.stream().flatMap(leader -> leader.election.lease().stream());
        return faults.brokeTime() ? leases.map(Lease::name).distinct().count() : leases.count();
    }

    private void checkUses() {
        List<Use> seeming = uses.stream().filter(Use::seemsHeld).toList();
        if (isBroken(seeming)) {
            List<Use> held = seeming.stream().filter(Use::isHeld).toList();
            if (isBroken(faults.brokeTime() ? withoutCommonLocks(held) : held)) {
                verdict.broken(
                        1, "Held at once: " + held.stream().map(Use::kind).toList());
            }
        }
    }

    private static List<Use> withoutCommonLocks(List<Use> held) {
        Set<String> locks = new HashSet<>();
        return held.stream().filter(use -> use.addsTo(locks)).toList();
    }

    private static boolean isBroken(List<Use> held) {
        long permits = count(held, Kind.PERMIT);
        long writers = count(held, Kind.WRITE);
        return permits > SimCoordinator.PERMITS || writers > 1 || (writers == 1 && count(held, Kind.READ) > 0);
    }

    private static long count(List<Use> held, Kind kind) {
        return held.stream().filter(use -> use.kind == kind).count();
    }
}
