/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.observation;

import io.dynamolock.Lease;
import io.dynamolock.spring.observation.LockObservation.HighKey;
import io.dynamolock.spring.observation.LockObservation.LowKey;
import io.micrometer.common.KeyValues;
import java.util.stream.Collectors;

/**
 * Default names of observations and keys. Extend it to change only some of them.
 *
 * @since 0.1
 */
public class DefaultLockObservationConvention implements LockObservationConvention {

    private static final String NAME = "dynamolock.lock";

    /** Creates the convention. */
    public DefaultLockObservationConvention() {}

    @Override
    public String getName() {
        return NAME;
    }

    @Override
    public String getContextualName(LockObservationContext context) {
        return "lock " + context.getTemplate();
    }

    @Override
    public KeyValues getLowCardinalityKeyValues(LockObservationContext context) {
        return KeyValues.of(
                LowKey.TEMPLATE.withValue(context.getTemplate()),
                LowKey.MANAGER.withValue(context.getManager()),
                LowKey.OUTCOME.withValue(context.getOutcome()));
    }

    @Override
    public KeyValues getHighCardinalityKeyValues(LockObservationContext context) {
        Lease lease = context.getLease();
        return KeyValues.of(
                HighKey.LOCK.withValue(context.getLockName()),
                HighKey.FENCING_TOKEN.withValue(lease == null ? "none" : tokens(lease)));
    }

    private static String tokens(Lease lease) {
        return lease.leases().stream()
                .map(each -> Long.toString(each.fencingToken()))
                .collect(Collectors.joining(", "));
    }
}
