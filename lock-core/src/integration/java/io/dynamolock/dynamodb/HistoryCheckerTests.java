/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.dynamodb.History.Belief;
import io.dynamolock.dynamodb.History.Outcome;
import io.dynamolock.dynamodb.History.Release;
import io.dynamolock.dynamodb.History.Try;
import java.util.List;
import org.junit.jupiter.api.Test;

class HistoryCheckerTests {

    @Test
    void acceptsConsecutiveLeases() {
        List<Try> tries = List.of(granted("a", 0, 10, 1), granted("b", 31, 40, 2));
        List<Belief> beliefs = List.of(belief("a", 11, 25), belief("b", 41, 60));

        assertThat(check(tries, List.of(new Release("a", 30)), beliefs)).isEmpty();
    }

    @Test
    void findsOverlappingLeases() {
        List<Belief> beliefs = List.of(belief("a", 11, 25), belief("b", 25, 60));

        assertThat(check(List.of(), List.of(), beliefs))
                .singleElement()
                .asString()
                .startsWith("both held");
    }

    @Test
    void acceptsOverlappingLeasesOfDifferentLocks() {
        List<Belief> beliefs = List.of(belief("a", 11, 25), new Belief("other", "b", 11, 25, false));

        assertThat(check(List.of(), List.of(), beliefs)).isEmpty();
    }

    @Test
    void findsLeaseThatIsHeldAgain() {
        List<Belief> beliefs = List.of(new Belief("job", "a", 11, 25, true));

        assertThat(check(List.of(), List.of(), beliefs))
                .singleElement()
                .asString()
                .startsWith("held again");
    }

    @Test
    void findsLeaseHeldAfterRelease() {
        List<Release> releases = List.of(new Release("a", 24));

        assertThat(check(List.of(), releases, List.of(belief("a", 11, 25))))
                .singleElement()
                .asString()
                .startsWith("held after its release");
    }

    @Test
    void findsTokenThatDoesNotIncrease() {
        List<Try> tries = List.of(granted("a", 0, 10, 2), granted("b", 11, 20, 2));

        assertThat(check(tries, List.of(), List.of()))
                .singleElement()
                .asString()
                .startsWith("token went back");
    }

    @Test
    void doesNotOrderConcurrentGrants() {
        List<Try> tries = List.of(granted("a", 0, 10, 2), granted("b", 9, 20, 1));

        assertThat(check(tries, List.of(), List.of())).isEmpty();
    }

    private static List<String> check(List<Try> tries, List<Release> releases, List<Belief> beliefs) {
        return HistoryChecker.violations(new History(tries, releases, beliefs));
    }

    private static Try granted(String leaseId, long start, long end, long token) {
        return new Try("job", start, end, Outcome.GRANTED, leaseId, token);
    }

    private static Belief belief(String leaseId, long from, long until) {
        return new Belief("job", leaseId, from, until, false);
    }
}
