/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.takeover.show;

import io.dynamolock.LockBusyException;
import io.dynamolock.LockManager;
import io.dynamolock.LockState;
import io.dynamolock.samples.takeover.show.Event.Kind;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import org.springframework.beans.factory.ObjectProvider;

/** Simulated work under a lock: takes time, and records its start and end in the journal. */
public class Work {

    private final Journal journal;
    private final ObjectProvider<LockManager> locks;

    Work(Journal journal, ObjectProvider<LockManager> locks) {
        this.journal = journal;
        this.locks = locks;
    }

    /**
     * Runs simulated work.
     *
     * @param lock the lock that protects this work
     * @param atMost maximum duration; the work takes at least half of it
     */
    public void on(String lock, Duration atMost) {
        long token = tokenOf(lock);
        journal.add(Kind.ENTERED, lock, token, "");
        try {
            Thread.sleep(ThreadLocalRandom.current().nextLong(atMost.toMillis() / 2, atMost.toMillis()));
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        } finally {
            journal.add(Kind.LEFT, lock, token, "");
        }
    }

    /** Returns the token of the lease that protects this work; 0 with locking off, without a lock manager. */
    private long tokenOf(String lock) {
        LockManager manager = locks.getIfAvailable();
        return manager == null
                ? 0
                : manager.held()
                        .filter(lease -> lease.name().equals(lock))
                        .mapToLong(LockState::fencingToken)
                        .findFirst()
                        .orElse(0);
    }

    /**
     * Records that work was given up.
     *
     * @param busy the reason
     */
    public void gaveUp(LockBusyException busy) {
        journal.add(Kind.GAVE_UP, busy.lockName(), 0, "");
    }
}
