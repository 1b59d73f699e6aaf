/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.cli;

import io.dynamolock.LockManager;
import io.dynamolock.LockState;

/** Texts about who holds a lock. */
final class Holder {

    private Holder() {}

    /** The holder of a lock that is held, or has expired; a corrupt row may have none. */
    static String of(LockState state) {
        return state.status() == LockState.Status.FREE
                ? "lock '%s', held by nobody".formatted(state.name())
                : of(state, unlessRenewed(state));
    }

    /** The holder of a lock whose lease is not renewed any more. */
    static String revoked(LockState state) {
        return of(state, "");
    }

    private static String of(LockState state, String end) {
        return state.kept()
                ? "lock '%s', which %s with token %d had released and kept until %s"
                        .formatted(state.name(), owner(state), state.fencingToken(), state.expiresAt())
                : "lock '%s', held by %s with token %d%s"
                        .formatted(state.name(), owner(state), state.fencingToken(), time(state, end));
    }

    /** Why a lock cannot be acquired. */
    static String busy(LockState state) {
        return state.kept()
                ? "lock '%s' is kept until %s, although %s has released it"
                        .formatted(state.name(), state.expiresAt(), owner(state))
                : "lock '%s' is held by %s%s".formatted(state.name(), owner(state), time(state, unlessRenewed(state)));
    }

    private static String unlessRenewed(LockState state) {
        return state.revoked() ? "" : " unless renewed";
    }

    private static String owner(LockState state) {
        return state.owner() == null ? "an unknown owner" : "'" + state.owner() + "'";
    }

    private static String time(LockState state, String end) {
        String since = state.acquiredAt() == null ? "" : " since " + state.acquiredAt();
        String until = state.expiresAt() == null ? "" : ", until " + state.expiresAt() + end;
        return since + until;
    }

    /** Reads the holder of a lock, which must be the given lease. */
    static LockState require(LockManager locks, String name, String leaseId) {
        LockState state = locks.inspect(name);
        if (state.status() == LockState.Status.FREE) {
            throw none(state);
        }
        if (!leaseId.equals(state.leaseId())) {
            throw new FailedException(of(state) + ", is not held by lease '" + leaseId + "'");
        }
        return state;
    }

    /** For a lock that nobody holds; without a trace in its row, perhaps the name is wrong. */
    static FailedException none(LockState state) {
        boolean known =
                state.fencingToken() > 0 || state.closed() || !state.defects().isEmpty();
        String hint = known ? "" : "; check NAME and --name-prefix";
        return new FailedException("lock '" + state.name() + "' is not held" + hint);
    }

    /** For a lease that ended between two requests. */
    static FailedException gone(String name, String leaseId) {
        return new FailedException("lock '" + name + "' is not held by lease '" + leaseId + "' any more");
    }
}
