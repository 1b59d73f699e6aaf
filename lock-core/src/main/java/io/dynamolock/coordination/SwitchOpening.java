/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.coordination;

import io.dynamolock.Lease;
import io.dynamolock.LeaseState;
import io.dynamolock.LockBusyException;
import io.dynamolock.LockManager;
import io.dynamolock.LockRequest;
import io.dynamolock.LockState;
import io.dynamolock.LockStoreException;
import io.dynamolock.ReleaseOutcome;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One call that opens a switch: acquires its lock and releases it for a time, or changes the end of an open one.
 * Another process that is between these two requests is awaited for growing times, by reads; one that stays there has
 * died, and is replaced.
 */
final class SwitchOpening {

    private static final Duration SHORTEST_WAIT = Duration.ofMillis(20);
    private static final Duration LONGEST_WAIT = Duration.ofMillis(640);

    private final LockManager locks;
    private final LockRequest request;
    private final Duration duration;

    /** Who had the lock at the latest attempt; null if it was changed while this process had it. */
    private @Nullable LockState other;

    private boolean hasEffect = true;

    SwitchOpening(LockManager locks, LockRequest request, Duration duration) {
        this.locks = locks;
        this.request = request;
        this.duration = duration;
    }

    /**
     * Opens the switch. An interrupt ends the waits, and is preserved.
     *
     * @return whether it is open; false on a manager that does not lock
     */
    boolean open() {
        boolean opened = attempt(Duration.ZERO);
        String opener = openerFound();
        for (Duration wait = SHORTEST_WAIT; !opened && isWorth(wait); wait = wait.multipliedBy(2)) {
            opened = attempt(wait);
        }
        if (!opened && opener != null && opener.equals(openerFound()) && !isInterrupted()) {
            var unused = locks.forceRelease(request.name(), opener);
            opened = attempt(Duration.ZERO);
        }
        if (!opened) {
            throw notOpened();
        }
        return hasEffect;
    }

    private static boolean isWorth(Duration wait) {
        return wait.compareTo(LONGEST_WAIT) <= 0 && !isInterrupted();
    }

    private static boolean isInterrupted() {
        return Thread.currentThread().isInterrupted();
    }

    /** Makes one attempt; returns false if another process opens or closes the switch at the same time. */
    private boolean attempt(Duration wait) {
        try {
            Lease lease = locks.acquire(request.waitTime(wait));
            other = null;
            hasEffect = lease.state() != LeaseState.UNLOCKED;
            return lease.release(duration) == ReleaseOutcome.RELEASED;
        } catch (LockBusyException busy) {
            LockState state = Kind.SWITCH.requireMark(busy.holder());
            other = state;
            return state.kept() && locks.keep(request.name(), Objects.requireNonNull(state.leaseId()), duration);
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Returns the lease of the process that was between its two requests at the latest attempt; null for none. */
    private @Nullable String openerFound() {
        LockState state = other;
        return state == null || state.kept() ? null : state.leaseId();
    }

    private LockStoreException notOpened() {
        LockState last = other;
        String reason = last == null
                ? "other processes change it all the time"
                : "'%s' is opening or closing it, since %s".formatted(last.owner(), last.acquiredAt());
        String interrupted = isInterrupted() ? ", and this thread was interrupted" : "";
        return new LockStoreException(
                request.name(),
                "Switch '%s' was not opened: %s%s".formatted(request.name(), reason, interrupted),
                null,
                false,
                true);
    }
}
