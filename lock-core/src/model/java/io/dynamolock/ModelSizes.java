/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static io.dynamolock.LeaseTime.OBSERVED;
import static io.dynamolock.LeaseTime.SERVER;
import static io.dynamolock.LeaseTime.SYSTEM;

import java.util.List;
import java.util.stream.Stream;

/**
 * The scopes to explore exhaustively. Together they have two and three processes, two leases of each, two renewals of each
 * lease; each one is small enough to be exhausted.
 */
final class ModelSizes {

    private ModelSizes() {}

    static List<ModelBounds> all() {
        return Stream.concat(byGivenTimes().stream(), byDates().stream()).toList();
    }

    /** Returns the scopes of this build: the small ones, or all. */
    static List<ModelBounds> ofThisBuild() {
        return all().stream().filter(scope -> scope.isSmall() || Scale.isFull()).toList();
    }

    /** Returns the scopes in which processes learn the store's time from response dates, with the library's own clock. */
    private static List<ModelBounds> byDates() {
        return List.of(
                new ModelBounds("dates, and clocks that run apart", SERVER, SERVER)
                        .sampling()
                        .step(333)
                        .horizon(3 * 333)
                        .leaps(2, 1_000_000)
                        .gaining(-500, 500)
                        .durations(2_000_333),
                new ModelBounds("dates, and a response that takes long", SERVER, SERVER)
                        .sampling()
                        .step(333)
                        .horizon(5 * 333)
                        .leaps(1, 1_000_000)
                        .gaining(-500, 500)
                        .renewals(1)
                        .durations(1_001_500)
                        .renewalDurations(700),
                new ModelBounds("dates of front ends that differ", SERVER, SERVER)
                        .small()
                        .sampling()
                        .halfWidth(167)
                        .apart(334)
                        .step(333)
                        .horizon(6 * 333)
                        .durations(667),
                new ModelBounds("dates, and a paused machine", SERVER, SERVER)
                        .sampling()
                        .step(333)
                        .horizon(4 * 333)
                        .renewals(1)
                        .pauses(1)
                        .durations(334)
                        .renewalDurations(334, 667));
    }

    private static List<ModelBounds> byGivenTimes() {
        return List.of(
                new ModelBounds("minimum hold", SYSTEM, SYSTEM)
                        .small()
                        .horizon(6)
                        .renewals(1)
                        .unanswered(1)
                        .renewalDurations(1, 2)
                        .minHold(3),
                new ModelBounds("revocation and lock delay", SYSTEM, SYSTEM)
                        .small()
                        .halfWidth(1)
                        .apart(2)
                        .horizon(7)
                        .renewals(1)
                        .unanswered(1)
                        .renewalDurations(1, 2)
                        .lockDelay(1)
                        .revocations(1),
                new ModelBounds("two renewals", SYSTEM, SYSTEM)
                        .horizon(6)
                        .renewals(2)
                        .unanswered(2)
                        .durations(3)
                        .renewalDurations(1, 3),
                new ModelBounds("clocks that differ", SYSTEM, SYSTEM)
                        .small()
                        .halfWidth(2)
                        .apart(0, 4)
                        .horizon(7)
                        .renewals(1)
                        .unanswered(2)
                        .durations(3)
                        .renewalDurations(1, 3),
                new ModelBounds("observation", OBSERVED, OBSERVED)
                        .small()
                        .looking()
                        .horizon(6)
                        .renewals(2)
                        .durations(3)
                        .renewalDurations(3),
                new ModelBounds("observation after a rejection", OBSERVED, OBSERVED)
                        .observing()
                        .horizon(5)
                        .leases(2),
                new ModelBounds("observation of a longer lease", SYSTEM, OBSERVED)
                        .looking()
                        .halfWidth(1)
                        .apart(2)
                        .horizon(6)
                        .renewals(1)
                        .durations(1, 4),
                new ModelBounds("the store's time, and none", SERVER, OBSERVED)
                        .looking()
                        .apart(-3)
                        .horizon(7)
                        .renewals(1)
                        .unanswered(1),
                new ModelBounds("a paused machine", SYSTEM, SYSTEM)
                        .horizon(6)
                        .renewals(1)
                        .unanswered(1)
                        .renewalDurations(1, 2)
                        .pauses(2),
                new ModelBounds("three processes hand leases on", SYSTEM, SYSTEM, SYSTEM)
                        .detaching()
                        .horizon(5)
                        .renewals(1)
                        .durations(3)
                        .renewalDurations(1, 3),
                new ModelBounds("a later version beside this one", SYSTEM, OBSERVED)
                        .looking()
                        .forging()
                        .horizon(5)
                        .renewals(1)
                        .unanswered(1),
                new ModelBounds("lease tokens that nobody was given", SYSTEM, SYSTEM)
                        .detaching()
                        .forging()
                        .horizon(4)
                        .leases(2)
                        .renewals(1)
                        .renewalDurations(1, 2),
                new ModelBounds("two leases each, two renewals", SYSTEM, SYSTEM)
                        .horizon(4)
                        .leases(2)
                        .renewals(2)
                        .renewalDurations(1, 2),
                new ModelBounds("two leases each, one undone", SYSTEM, SYSTEM)
                        .horizon(4)
                        .leases(2)
                        .renewals(1)
                        .unanswered(1)
                        .renewalDurations(1),
                new ModelBounds("claims of waiting processes", SYSTEM, OBSERVED)
                        .looking()
                        .claiming()
                        .horizon(3)
                        .leases(2));
    }
}
