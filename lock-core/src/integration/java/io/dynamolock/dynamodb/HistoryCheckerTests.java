/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.dynamodb.History.Attempt;
import io.dynamolock.dynamodb.History.HeldPeriod;
import io.dynamolock.dynamodb.History.Outcome;
import io.dynamolock.dynamodb.History.Release;
import java.util.List;
import org.junit.jupiter.api.Test;

class HistoryCheckerTests {

    @Test
    void acceptsConsecutiveLeases() {
        List<Attempt> attempts = List.of(granted("a", 0, 10, 1), granted("b", 31, 40, 2));
        List<HeldPeriod> heldPeriods = List.of(heldPeriod("a", 11, 25), heldPeriod("b", 41, 60));

        assertThat(check(attempts, List.of(new Release("a", 30)), heldPeriods)).isEmpty();
    }

    @Test
    void findsOverlappingLeases() {
        List<HeldPeriod> heldPeriods = List.of(heldPeriod("a", 11, 25), heldPeriod("b", 25, 60));

        assertThat(check(List.of(), List.of(), heldPeriods))
                .singleElement()
                .asString()
                .startsWith("both held");
    }

    @Test
    void acceptsOverlappingLeasesOfDifferentLocks() {
        List<HeldPeriod> heldPeriods = List.of(heldPeriod("a", 11, 25), new HeldPeriod("other", "b", 11, 25, false));

        assertThat(check(List.of(), List.of(), heldPeriods)).isEmpty();
    }

    @Test
    void findsLeaseThatIsHeldAgain() {
        List<HeldPeriod> heldPeriods = List.of(new HeldPeriod("job", "a", 11, 25, true));

        assertThat(check(List.of(), List.of(), heldPeriods))
                .singleElement()
                .asString()
                .startsWith("held again");
    }

    @Test
    void findsLeaseHeldAfterRelease() {
        List<Release> releases = List.of(new Release("a", 24));

        assertThat(check(List.of(), releases, List.of(heldPeriod("a", 11, 25))))
                .singleElement()
                .asString()
                .startsWith("held after its release");
    }

    @Test
    void findsTokenThatDoesNotIncrease() {
        List<Attempt> attempts = List.of(granted("a", 0, 10, 2), granted("b", 11, 20, 2));

        assertThat(check(attempts, List.of(), List.of()))
                .singleElement()
                .asString()
                .startsWith("token went back");
    }

    @Test
    void doesNotOrderConcurrentGrants() {
        List<Attempt> attempts = List.of(granted("a", 0, 10, 2), granted("b", 9, 20, 1));

        assertThat(check(attempts, List.of(), List.of())).isEmpty();
    }

    private static List<String> check(List<Attempt> attempts, List<Release> releases, List<HeldPeriod> heldPeriods) {
        return HistoryChecker.violations(new History(attempts, releases, heldPeriods));
    }

    private static Attempt granted(String leaseId, long start, long end, long token) {
        return new Attempt("job", start, end, Outcome.GRANTED, leaseId, token);
    }

    private static HeldPeriod heldPeriod(String leaseId, long from, long until) {
        return new HeldPeriod("job", leaseId, from, until, false);
    }
}
