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

    private record Holder(SimProcess process, HeldLease lease, LeaseValidity validity) {

        boolean isHeld() {
            return validity.state().isHeld();
        }

        boolean mayBeHeld() {
            return isHeld() && !validity.end().isPast(process.context.clock.now());
        }
    }

    private final SimVerdict verdict;
    private final SimFaults faults;
    private final TokenCheck tokens;
    private final Set<HeldLease> known = new HashSet<>();
    private final Map<String, List<Holder>> open = new HashMap<>();
    private final List<Holder> over = new ArrayList<>();
    private int checks;

    ExclusionCheck(SimVerdict verdict, SimFaults faults, TokenCheck tokens) {
        this.verdict = verdict;
        this.faults = faults;
        this.tokens = tokens;
    }

    /** The observed state of a lease. */
    static LeaseValidity validityOf(HeldLease lease) {
        return lease.status().validity;
    }

    /** Checks all leases after each event. */
    void check(List<SimProcess> processes) {
        for (SimProcess process : processes) {
            for (HeldLease lease : process.registry.held) {
                if (!process.isDead() && known.add(lease)) {
                    tokens.granted(lease.id());
                    open.computeIfAbsent(lease.name(), unused -> new ArrayList<>())
                            .add(new Holder(process, lease, validityOf(lease)));
                }
            }
        }
        open.forEach(this::checkName);
        if (++checks % 64 == 0) {
            checkEnded();
        }
    }

    private void checkName(String name, List<Holder> holders) {
        for (int i = holders.size() - 1; i >= 0; i--) {
            Holder one = holders.get(i);
            if (!one.isHeld()) {
                over.add(one);
                holders.remove(i);
            } else if (one.process.isDead()) {
                holders.remove(i);
            }
        }
        if (holders.size() > 1 && !faults.brokeAssumption(name)) {
            exclude(holders);
        }
    }

    private void exclude(List<Holder> holders) {
        Holder first = null;
        for (Holder one : holders) {
            if (one.mayBeHeld()) {
                if (first != null) {
                    verdict.broken(
                            1, "%s and %s both hold %s".formatted(first.lease.id(), one.lease.id(), one.lease.name()));
                    return;
                }
                first = one;
            }
        }
    }

    /** Returns leases of live processes that were lost before their release, or are known to be lost. */
    List<HeldLease> lost() {
        return over.stream()
                .filter(one -> !one.process.isDead() && one.validity.state() == LeaseState.LOST)
                .filter(one ->
                        one.lease.status().loss() != null || !one.lease.status().isReleaseSent())
                .map(Holder::lease)
                .toList();
    }

    /** Checks all ended leases. */
    void checkEnded() {
        for (Holder one : over) {
            if (one.isHeld()) {
                verdict.broken(4, one.lease.id() + " was over and is held again");
            }
        }
    }
}
