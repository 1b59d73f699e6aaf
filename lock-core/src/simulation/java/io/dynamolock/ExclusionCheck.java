/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Checks that no two leases of one name are held at the same time (1), and that an ended lease stays ended (4). Reads lease
 * states without calling them, because a call may change the next result.
 */
final class ExclusionCheck {

    private record Belief(SimProcess process, HeldLease lease, LeaseValidity validity) {

        boolean isOurs() {
            return validity.state().isOurs();
        }

        boolean couldAnswerTrue() {
            return isOurs() && !validity.end().isPast(process.context.clock.now());
        }
    }

    private final SimVerdict verdict;
    private final SimFaults faults;
    private final TokenCheck bids;
    private final Set<HeldLease> known = new HashSet<>();
    private final Map<String, List<Belief>> open = new HashMap<>();
    private final List<Belief> over = new ArrayList<>();
    private int looks;

    ExclusionCheck(SimVerdict verdict, SimFaults faults, TokenCheck bids) {
        this.verdict = verdict;
        this.faults = faults;
        this.bids = bids;
    }

    /** The observed state of a lease. */
    static LeaseValidity termOf(HeldLease lease) {
        return lease.status().validity;
    }

    /** Checks all leases after each event. */
    void look(List<SimProcess> processes) {
        for (SimProcess process : processes) {
            for (HeldLease lease : process.registry.held) {
                if (!process.isDead() && known.add(lease)) {
                    bids.granted(lease.id());
                    open.computeIfAbsent(lease.name(), unused -> new ArrayList<>())
                            .add(new Belief(process, lease, termOf(lease)));
                }
            }
        }
        open.forEach(this::lookAt);
        if (++looks % 64 == 0) {
            lookBack();
        }
    }

    private void lookAt(String name, List<Belief> beliefs) {
        for (int i = beliefs.size() - 1; i >= 0; i--) {
            Belief one = beliefs.get(i);
            if (!one.isOurs()) {
                over.add(one);
                beliefs.remove(i);
            } else if (one.process.isDead()) {
                beliefs.remove(i);
            }
        }
        if (beliefs.size() > 1 && !faults.brokeAssumption(name)) {
            exclude(beliefs);
        }
    }

    private void exclude(List<Belief> beliefs) {
        Belief believes = null;
        for (Belief one : beliefs) {
            if (one.couldAnswerTrue()) {
                if (believes != null) {
                    verdict.broken(
                            1,
                            "%s and %s both believe to hold %s"
                                    .formatted(believes.lease.id(), one.lease.id(), one.lease.name()));
                    return;
                }
                believes = one;
            }
        }
    }

    /** Returns leases of live processes that were lost before their release, or are known to be lost. */
    List<HeldLease> lost() {
        return over.stream()
                .filter(one -> !one.process.isDead() && one.validity.state() == LeaseState.LOST)
                .filter(one ->
                        one.lease.status().loss() != null || !one.lease.status().isReleaseSent())
                .map(Belief::lease)
                .toList();
    }

    /** Checks all ended leases. */
    void lookBack() {
        for (Belief one : over) {
            if (one.isOurs()) {
                verdict.broken(4, one.lease.id() + " was over and is held again");
            }
        }
    }
}
