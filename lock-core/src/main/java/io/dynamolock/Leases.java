/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Operations on several {@link Lease}s.
 *
 * @since 0.1
 */
public final class Leases {

    private Leases() {}

    /**
     * Throws an exception unless all leases are held. A loss takes precedence over the release of another lease.
     *
     * @param leases the leases
     * @throws LeaseLostException if one is lost
     * @throws IllegalStateException if none is lost, but one was released or detached
     */
    public static void ensureAllHeld(List<? extends Lease> leases) {
        leases.stream().filter(lease -> lease.state() == LeaseState.LOST).forEach(Lease::ensureHeld);
        leases.forEach(Lease::ensureHeld);
    }

    /**
     * Releases several leases, whatever fails, the last one first.
     *
     * @param leases the leases, or what holds them, in the order of their acquisition
     * @param release releases one of them
     * @param <L> the type of what is released
     * @return {@code RELEASED} if all were; otherwise the outcome of one that was not
     * @throws RuntimeException the first failure, once each release was attempted; failures of others are suppressed
     */
    public static <L> ReleaseOutcome releaseAll(List<L> leases, Function<? super L, ReleaseOutcome> release) {
        List<ReleaseOutcome> outcomes = new ArrayList<>();
        RuntimeException first = null;
        for (int i = leases.size() - 1; i >= 0; i--) {
            try {
                outcomes.add(release.apply(leases.get(i)));
            } catch (RuntimeException failure) {
                if (first == null) {
                    first = failure;
                } else {
                    first.addSuppressed(failure);
                }
            }
        }
        if (first != null) {
            throw first;
        }
        return outcomes.stream()
                .filter(outcome -> outcome != ReleaseOutcome.RELEASED)
                .findFirst()
                .orElse(ReleaseOutcome.RELEASED);
    }
}
