/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.benchmarks.worker;

import java.util.Map;

/** What processes under test do. */
final class Scenarios {

    private static final Map<String, Scenario> ALL = Map.ofEntries(
            Map.entry("pairs", Rates::pairs),
            Map.entry("turns", Rates::turns),
            Map.entry("hand-overs", Rates::handOvers),
            Map.entry("crowd", Crowd::play),
            Map.entry("hold", Waiting::hold),
            Map.entry("wait", Waiting::await),
            Map.entry("victim", Takeover::victim),
            Map.entry("rival", Takeover::rival),
            Map.entry("keep", Keeping::play),
            Map.entry("first", FirstLock::play),
            Map.entry("lost-answers", LostAnswers::play));

    /** One of them. */
    interface Scenario {
        void play(Run run) throws Exception;
    }

    private Scenarios() {}

    static Scenario named(String name) {
        Scenario found = ALL.get(name);
        if (found == null) {
            throw new IllegalArgumentException("unknown scenario: " + name);
        }
        return found;
    }
}
