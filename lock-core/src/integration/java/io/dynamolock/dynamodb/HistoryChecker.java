/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import static java.util.Comparator.comparingLong;
import static java.util.stream.Collectors.toMap;

import io.dynamolock.dynamodb.History.Attempt;
import io.dynamolock.dynamodb.History.HeldPeriod;
import io.dynamolock.dynamodb.History.Outcome;
import io.dynamolock.dynamodb.History.Release;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Checks recorded histories against the guarantees. Finds only violations that are certain from outside. */
final class HistoryChecker {

    private final History history;
    private final Map<String, Long> released;
    private final List<String> violations = new ArrayList<>();

    private HistoryChecker(History history) {
        this.history = history;
        this.released = history.releases().stream().collect(toMap(Release::leaseId, Release::end));
    }

    /**
     * Checks a history.
     *
     * @param history complete
     * @return what is wrong with it, in words
     */
    static List<String> violations(History history) {
        HistoryChecker checker = new HistoryChecker(history);
        checker.exclusion();
        checker.finality();
        checker.tokens();
        return checker.violations;
    }

    /** No two leases of one lock are held at the same time. */
    private void exclusion() {
        List<HeldPeriod> heldPeriods = history.heldPeriods();
        for (int i = 0; i < heldPeriods.size(); i++) {
            for (int j = 0; j < i; j++) {
                HeldPeriod one = heldPeriods.get(i);
                HeldPeriod other = heldPeriods.get(j);
                if (one.name().equals(other.name()) && one.overlaps(other)) {
                    violations.add("both held: " + one + " and " + other);
                }
            }
        }
    }

    /** A lost or released lease is never held again. */
    private void finality() {
        for (HeldPeriod heldPeriod : history.heldPeriods()) {
            if (heldPeriod.revived()) {
                violations.add("held again: " + heldPeriod);
            }
            if (heldPeriod.until() > released.getOrDefault(heldPeriod.leaseId(), Long.MAX_VALUE)) {
                violations.add("held after its release: " + heldPeriod);
            }
        }
    }

    /** Of two consecutive grants, the later one has the higher token. */
    private void tokens() {
        List<Attempt> grants = history.attempts().stream()
                .filter(one -> one.outcome() == Outcome.GRANTED)
                .sorted(comparingLong(Attempt::start))
                .toList();
        for (int later = 0; later < grants.size(); later++) {
            for (int earlier = 0; earlier < later; earlier++) {
                requireGrowth(grants.get(earlier), grants.get(later));
            }
        }
    }

    private void requireGrowth(Attempt earlier, Attempt later) {
        boolean inOrder = earlier.name().equals(later.name()) && earlier.end() < later.start();
        if (inOrder && earlier.token() >= later.token()) {
            violations.add("token went back: " + earlier + " and " + later);
        }
    }
}
