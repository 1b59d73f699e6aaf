/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.dynamodb.History.Belief;
import io.dynamolock.dynamodb.History.Failure;
import io.dynamolock.dynamodb.History.Outcome;
import io.dynamolock.dynamodb.History.Release;
import io.dynamolock.dynamodb.History.Try;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class HistoryCheckerTests {

    private static final Duration SETTLE = Duration.ofNanos(50);

    @Test
    void hasNothingAgainstLeasesOneAfterTheOther() {
        List<Try> tries = List.of(granted("a", 0, 10, 1), busy(15, 20), granted("b", 31, 40, 2));
        List<Belief> beliefs = List.of(belief("a", 11, 25), belief("b", 41, 60));

        assertThat(check(tries, List.of(new Release("a", 30)), beliefs)).isEmpty();
    }

    @Test
    void findsTwoLeasesHeldAtOneMoment() {
        List<Belief> beliefs = List.of(belief("a", 11, 25), belief("b", 25, 60));

        assertThat(check(List.of(), List.of(), beliefs))
                .singleElement()
                .asString()
                .startsWith("both held");
    }

    @Test
    void letsLeasesOfTwoLocksBeHeldAtOneMoment() {
        List<Belief> beliefs = List.of(belief("a", 11, 25), new Belief("other", "b", 11, 25, false));

        assertThat(check(List.of(), List.of(), beliefs)).isEmpty();
    }

    @Test
    void findsALeaseThatIsHeldAgain() {
        List<Belief> beliefs = List.of(new Belief("job", "a", 11, 25, true));

        assertThat(check(List.of(), List.of(), beliefs))
                .singleElement()
                .asString()
                .startsWith("held again");
    }

    @Test
    void findsALeaseThatIsHeldAfterItsRelease() {
        List<Release> releases = List.of(new Release("a", 24));

        assertThat(check(List.of(), releases, List.of(belief("a", 11, 25))))
                .singleElement()
                .asString()
                .startsWith("held after its release");
    }

    @Test
    void findsATokenThatDoesNotGrow() {
        List<Try> tries = List.of(granted("a", 0, 10, 2), granted("b", 11, 20, 2));

        assertThat(check(tries, List.of(), List.of()))
                .singleElement()
                .asString()
                .startsWith("token went back");
    }

    @Test
    void knowsNoOrderOfGrantsAtTheSameTime() {
        List<Try> tries = List.of(granted("a", 0, 10, 2), granted("b", 9, 20, 1));

        assertThat(check(tries, List.of(), List.of())).isEmpty();
    }

    @Test
    void findsABusyLockThatNobodyHad() {
        List<Try> tries = List.of(granted("a", 0, 10, 1), busy(31, 40), granted("b", 41, 50, 2));

        assertThat(check(tries, List.of(new Release("a", 30)), List.of()))
                .singleElement()
                .asString()
                .startsWith("nobody was in the way");
    }

    @Test
    void takesALeaseThatWasNotReleasedForOneInTheWayUntilTheNext() {
        List<Try> inTheWay = List.of(granted("a", 0, 10, 1), busy(31, 40), granted("b", 39, 50, 2));
        List<Try> gone = List.of(granted("a", 0, 10, 1), granted("b", 39, 50, 2), busy(61, 70));

        assertThat(check(inTheWay, List.of(), List.of())).isEmpty();
        assertThat(check(gone, List.of(new Release("b", 60)), List.of())).hasSize(1);
    }

    @Test
    void takesAFailedTryForOneInTheWayForAWhile() {
        Try failed = new Try("job", 0, 10, Outcome.UNKNOWN, "", 0);

        assertThat(check(List.of(failed, busy(60, 70)), List.of(), List.of())).isEmpty();
        assertThat(check(List.of(failed, busy(61, 70)), List.of(), List.of())).hasSize(1);
    }

    @Test
    void takesABusyTryOfWhichARequestFailedForOneInTheWayForAWhile() {
        List<Try> tries = List.of(granted("a", 0, 5, 1), busy(4, 10), busy(60, 70));

        assertThat(check(tries, List.of(new Failure("job", 8)), List.of(new Release("a", 9)), List.of()))
                .isEmpty();
        assertThat(check(tries, List.of(new Failure("other", 8)), List.of(new Release("a", 9)), List.of()))
                .hasSize(1);
        assertThat(check(tries, List.of(new Failure("job", 11)), List.of(new Release("a", 9)), List.of()))
                .hasSize(1);
    }

    private static List<String> check(List<Try> tries, List<Release> releases, List<Belief> beliefs) {
        return check(tries, List.of(), releases, beliefs);
    }

    private static List<String> check(
            List<Try> tries, List<Failure> failures, List<Release> releases, List<Belief> beliefs) {
        return HistoryChecker.violations(new History(tries, failures, releases, beliefs), SETTLE);
    }

    private static Try granted(String leaseId, long start, long end, long token) {
        return new Try("job", start, end, Outcome.GRANTED, leaseId, token);
    }

    private static Try busy(long start, long end) {
        return new Try("job", start, end, Outcome.BUSY, "", 0);
    }

    private static Belief belief(String leaseId, long from, long until) {
        return new Belief("job", leaseId, from, until, false);
    }
}
