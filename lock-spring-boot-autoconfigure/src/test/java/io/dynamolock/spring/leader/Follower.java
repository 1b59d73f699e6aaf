/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.leader;

import io.dynamolock.Lease;
import io.dynamolock.spring.Leadership;
import java.util.Optional;

/** Never leads. */
public record Follower() implements Leadership {

    @Override
    public String name() {
        return "leader";
    }

    @Override
    public boolean isLeader() {
        return false;
    }

    @Override
    public Optional<Lease> lease() {
        return Optional.empty();
    }
}
