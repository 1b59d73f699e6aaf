/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.ModelState.Holder;
import io.dynamolock.ModelState.Machine;
import io.dynamolock.ModelState.Stage;
import io.dynamolock.Observations.Observation;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Merges all tokens below every token that can still be written: worlds that differ only by them are equal.
 */
final class ModelTokens {

    static final long LOW = FencingTokens.at(ModelClocks.millis(-9));

    private final ModelWrites writes;

    ModelTokens(ModelWrites writes) {
        this.writes = writes;
    }

    void forget(ModelState world) {
        long lowest = Long.MAX_VALUE;
        for (int p = 0; p < world.processes.length; p++) {
            Machine process = world.processes[p];
            long next = world.scope.samples() // a middle that is learned may go back
                    ? LOW
                    : FencingTokens.at(writes.now(world, p).middleMillis());
            process.lastToken = process.lastToken < next ? 0 : process.lastToken; // the clock alone is above it
            if (process.seen != null && !writes.observes() && process.seen.row().highestToken() < next) {
                process.seen = null;
            }
            lowest = Math.min(lowest, next);
            for (Holder holder : process.leases) {
                lowest = matters(world.scope, holder) ? Math.min(lowest, holder.write.token()) : lowest;
            }
        }
        world.granted = world.granted < lowest ? 0 : world.granted;
        world.row = world.row == null ? null : raised(world.row, lowest);
        for (Machine process : world.processes) {
            Observation seen = process.seen;
            process.seen = seen == null ? null : Observation.first(raised(seen.row(), lowest), seen.sinceNanos());
        }
    }

    /** Whether the token of a holder can still be written, or be compared with one that is. */
    static boolean matters(ModelBounds scope, Holder holder) {
        LeaseValidity validity = holder.validity;
        return holder.acquiring
                || holder.raising
                || (holder.stage != Stage.GRANTED && holder.stage != Stage.DONE)
                || (scope.detaches()
                        && validity != null
                        && (validity.state().isHeld() || validity.state() == LeaseState.DETACHED));
    }

    private static LockRow raised(LockRow row, long lowest) {
        Long token = low(row.fencingToken(), lowest);
        Long floor = low(row.tokenFloor(), lowest);
        if (Objects.equals(token, row.fencingToken()) && Objects.equals(floor, row.tokenFloor())) {
            return row;
        }
        return row.toBuilder().fencingToken(token).tokenFloor(floor).build();
    }

    private static @Nullable Long low(@Nullable Long token, long lowest) {
        return token == null || token >= lowest ? token : (Long) LOW;
    }
}
