/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The result of one history.
 *
 * @param seed its seed
 * @param violation the first promise that was broken; null if none was
 * @param hash of all that happened
 * @param operations of all users
 * @param requests of all processes
 * @param faults that happened
 * @param reached rare paths, and how often
 * @param lines the events, if they were recorded
 */
record SimResult(
        long seed,
        SimVerdict.@Nullable Violation violation,
        long hash,
        int operations,
        int requests,
        List<SimFaults.Occurrence> faults,
        Map<SimSometimes, Integer> reached,
        List<String> lines) {}
