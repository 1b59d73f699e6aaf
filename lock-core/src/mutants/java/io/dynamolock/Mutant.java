/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.util.ArrayList;
import java.util.List;

/**
 * A fault of a lock library, seeded by changing a line or two, and the judge that must detect it.
 *
 * @param fault what is wrong
 * @param judge what must detect it
 * @param proof the expected verdict: an invariant or a test
 * @param edits the changes
 * @param firstSeed the seed with which the simulation starts
 */
public record Mutant(String fault, Judge judge, String proof, List<Edit> edits, long firstSeed) {

    public Mutant {
        if (firstSeed != 1 && !judge.simulates()) {
            throw new IllegalArgumentException("A seed is for the simulation, which does not judge '" + fault + "'");
        }
    }

    /** Changes nothing. */
    public static final Mutant NONE = new Mutant("none", Judge.TEST, "", List.of(), 1);

    /** What detects a fault. */
    public enum Judge {
        /** The model checker in the scope that the proof names. */
        EXPLORER,
        /** The simulation with a random kind of time for each process. */
        SIMULATION,
        /** The simulation on the store's time only. */
        SERVER,
        /** The simulation on wall clocks only. */
        SYSTEM,
        /** The simulation with observation only. */
        OBSERVED,
        /** A dedicated test. */
        TEST;

        boolean simulates() {
            return this != EXPLORER && this != TEST;
        }
    }

    /**
     * A change of the production code.
     *
     * @param file below the package
     * @param from text that occurs exactly once
     * @param to its replacement
     */
    public record Edit(String file, String from, String to) {}

    /** Creates a fault of one change. */
    public static Mutant of(String fault, Judge judge, String proof, String file, String from, String to) {
        return new Mutant(fault, judge, proof, List.of(new Edit(file, from, to)), 1);
    }

    /** Returns this fault with one more change, for a fault behind two guards. */
    public Mutant and(String file, String from, String to) {
        List<Edit> all = new ArrayList<>(edits);
        all.add(new Edit(file, from, to));
        return new Mutant(fault, judge, proof, all, firstSeed);
    }

    /** Returns this fault with a seed that shows it, for one that thousands of others do not show. */
    public Mutant fromSeed(long seed) {
        return new Mutant(fault, judge, proof, edits, seed);
    }

    @Override
    public String toString() {
        return fault;
    }
}
