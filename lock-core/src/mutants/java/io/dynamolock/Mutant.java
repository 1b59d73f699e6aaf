/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.util.ArrayList;
import java.util.List;

/**
 * A fault that a lock library can have, put into this one by changing a line or two, and who must notice it.
 *
 * @param fault what is wrong
 * @param judge who looks for it
 * @param proof what the judge must name: an invariant, or a test
 * @param edits the changes
 */
public record Mutant(String fault, Judge judge, String proof, List<Edit> edits) {

    /** Who looks. */
    public enum Judge {
        /** The explorer of small scopes. */
        EXPLORER,
        /** The explorer of those scopes in which the time is learned from dates. */
        DATES,
        /** The simulation, each process going by the time that chance gives it. */
        SIMULATION,
        /** The simulation by the store's time only. */
        SERVER,
        /** The simulation by wall clocks only. */
        SYSTEM,
        /** The simulation by observation only. */
        OBSERVED,
        /** A test of its own. */
        TEST
    }

    /**
     * A change of the production code.
     *
     * @param file below the package
     * @param from text that is there exactly once
     * @param to what stands there instead
     */
    public record Edit(String file, String from, String to) {}

    /** A fault that consists of one change. */
    public static Mutant of(String fault, Judge judge, String proof, String file, String from, String to) {
        return new Mutant(fault, judge, proof, List.of(new Edit(file, from, to)));
    }

    /** The same with one more change, for a fault behind two guards. */
    public Mutant and(String file, String from, String to) {
        List<Edit> all = new ArrayList<>(edits);
        all.add(new Edit(file, from, to));
        return new Mutant(fault, judge, proof, all);
    }

    @Override
    public String toString() {
        return fault;
    }
}
