/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.LockListener.Operation;
import io.dynamolock.LockStore.Answer;
import io.dynamolock.LockStore.ForceFree;
import io.dynamolock.LockStore.Release;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What operators do to a lock that is not theirs. */
final class ForcedRelease {

    private static final Logger LOG = LoggerFactory.getLogger(ForcedRelease.class);

    private final EngineContext context;
    private final String name;
    private final String stored;
    private final Duration attempt;
    private final Duration patience;
    private final RetryBudget budget;

    ForcedRelease(EngineContext context, String name) {
        this.context = context;
        this.name = name;
        this.stored = context.names.stored(name);
        Duration lease = context.settings.leaseDuration();
        this.attempt = context.attemptTimeout(lease);
        this.patience = context.callTimeout(lease);
        this.budget = context.client.budget(patience);
    }

    /** Frees the lock if this lease holds it; returns whether it did. */
    boolean release(String leaseId) {
        Release write = new Release(stored, leaseId, context.clock.now().storeNow(), null);
        Answer answer = context.client.withRetries(
                name,
                Operation.RELEASE,
                budget,
                attempt,
                timeouts -> context.client.release(name, Operation.RELEASE, write, timeouts));
        boolean freed = answer.applied()
                || ConditionFailures.ofRelease(leaseId, answer.row(), budget.anyUnanswered())
                        == ReleaseOutcome.RELEASED;
        if (freed) {
            LOG.warn("Lock '{}' was released by force; whoever held it may still be at work", name);
            context.waitQueues.handOff(stored);
        }
        return freed;
    }

    /** Frees the lock whatever its row says; returns what it said, or nothing if there was nothing to free. */
    Optional<LockState> free() {
        RetryBudget writing = context.client.budget(patience, context.clock.nanos() + Durations.nanos(patience));
        LockRow seen = context.client
                .readAndSampleClock(
                        name, budget, attempt, timeouts -> context.client.readToFree(name, stored, timeouts))
                .row();
        if (seen == null || (seen.isFree() && !seen.isClosed())) {
            return Optional.empty();
        }
        requireKnownFormat(seen);
        ClockReading now = context.clock.now();
        if (!FencingTokens.canPropose(now)) {
            throw context.implausibleClock(name);
        }
        long last = seen.fencingToken() == null ? 0 : seen.fencingToken();
        ForceFree write = new ForceFree(stored, seen, context.tokens.propose(now, last, 0), now.storeNow());
        Answer answer = context.client.withRetries(
                name, Operation.RELEASE, writing, attempt, timeouts -> context.client.forceFree(name, write, timeouts));
        if (!answer.applied() && !(writing.anyUnanswered() && isFreed(seen, answer.row()))) {
            requireKnownFormat(answer.row());
            throw new LockStoreException(
                    name,
                    "Lock '%s' was not freed: its row has changed meanwhile".formatted(name),
                    null,
                    false,
                    true,
                    true);
        }
        LOG.warn(
                "Lock '{}' was freed by force, from '{}', with tokenFloor {}; whoever held it may still be at work",
                name,
                seen.owner(),
                write.floorAfter());
        context.observations.forget(stored);
        context.corruptRows.forget(name);
        context.waitQueues.handOff(stored);
        return Optional.of(LockState.of(name, seen, false));
    }

    /** Whether the row is as the write makes it, so that an earlier copy of it, of which the answer was lost, was applied. */
    private static boolean isFreed(LockRow seen, @Nullable LockRow row) {
        return row != null
                && row.isFree()
                && !row.isClosed()
                && (seen.leaseId() == null || seen.leaseId().equals(row.lastLeaseId()));
    }

    private void requireKnownFormat(@Nullable LockRow row) {
        if (row != null && row.laterFormat()) {
            throw new IllegalStateException(
                    "Lock '%s' is held by a later version of this library, which must give it back itself"
                            .formatted(name));
        }
    }
}
