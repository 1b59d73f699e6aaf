/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import static java.util.Comparator.comparingLong;
import static java.util.stream.Collectors.toMap;

import io.dynamolock.dynamodb.History.Belief;
import io.dynamolock.dynamodb.History.Outcome;
import io.dynamolock.dynamodb.History.Release;
import io.dynamolock.dynamodb.History.Try;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Whether what the callers saw can be true of locks. Finds no more than what is certain from outside. */
final class HistoryChecker {

    private final History history;
    private final long settleNanos;
    private final Map<String, Long> released;
    private final List<String> violations = new ArrayList<>();

    private HistoryChecker(History history, Duration settle) {
        this.history = history;
        this.settleNanos = settle.toNanos();
        this.released = history.releases().stream().collect(toMap(Release::leaseId, Release::end));
    }

    /**
     * Judges a history.
     *
     * @param history complete
     * @param settle for how long after a failed try its lease may have been in the table
     * @return what is wrong with it, in words
     */
    static List<String> violations(History history, Duration settle) {
        HistoryChecker checker = new HistoryChecker(history, settle);
        checker.exclusion();
        checker.finality();
        checker.tokens();
        checker.busy();
        return checker.violations;
    }

    /** Two leases of one lock are not held at the same time. */
    private void exclusion() {
        List<Belief> beliefs = history.beliefs();
        for (int i = 0; i < beliefs.size(); i++) {
            for (int j = 0; j < i; j++) {
                Belief one = beliefs.get(i);
                Belief other = beliefs.get(j);
                if (one.name().equals(other.name()) && one.overlaps(other)) {
                    violations.add("both held: " + one + " and " + other);
                }
            }
        }
    }

    /** What is lost or released stays so. */
    private void finality() {
        for (Belief belief : history.beliefs()) {
            if (belief.revived()) {
                violations.add("held again: " + belief);
            }
            if (belief.until() > released.getOrDefault(belief.leaseId(), Long.MAX_VALUE)) {
                violations.add("held after its release: " + belief);
            }
        }
    }

    /** Of two grants one after the other, the later one has the higher token. */
    private void tokens() {
        List<Try> grants = history.tries().stream()
                .filter(one -> one.outcome() == Outcome.GRANTED)
                .sorted(comparingLong(Try::start))
                .toList();
        for (int later = 0; later < grants.size(); later++) {
            for (int earlier = 0; earlier < later; earlier++) {
                requireGrowth(grants.get(earlier), grants.get(later));
            }
        }
    }

    private void requireGrowth(Try earlier, Try later) {
        boolean inOrder = earlier.name().equals(later.name()) && earlier.end() < later.start();
        if (inOrder && earlier.token() >= later.token()) {
            violations.add("token went back: " + earlier + " and " + later);
        }
    }

    /** Who was told that the lock is busy had somebody's lease in the way. */
    private void busy() {
        for (Try busy : history.tries()) {
            if (busy.outcome() == Outcome.BUSY
                    && history.tries().stream().noneMatch(other -> mayHaveBeenInTheWay(other, busy))) {
                violations.add("nobody was in the way: " + busy);
            }
        }
    }

    private boolean mayHaveBeenInTheWay(Try other, Try busy) {
        return !other.equals(busy)
                && (other.outcome() != Outcome.BUSY || isUnanswered(other))
                && other.name().equals(busy.name())
                && other.start() <= busy.end()
                && busy.start() <= lastMomentInTheRow(other);
    }

    /** Its request may be applied late, until it is undone. */
    private boolean isUnanswered(Try busy) {
        return history.failures().stream().anyMatch(failure -> failure.isOf(busy));
    }

    private long lastMomentInTheRow(Try other) {
        if (other.outcome() != Outcome.GRANTED) {
            return other.end() + settleNanos;
        }
        Long releasedAt = released.get(other.leaseId());
        return releasedAt == null ? endOfNextGrant(other) : releasedAt;
    }

    /** A lease that was not released is in the row until another one is. */
    private long endOfNextGrant(Try lease) {
        return history.tries().stream()
                .filter(next -> next.outcome() == Outcome.GRANTED
                        && next.name().equals(lease.name())
                        && next.start() > lease.end())
                .mapToLong(Try::end)
                .min()
                .orElse(Long.MAX_VALUE);
    }
}
