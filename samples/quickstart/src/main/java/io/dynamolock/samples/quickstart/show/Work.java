/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.quickstart.show;

import io.dynamolock.LockBusyException;
import io.dynamolock.LockManager;
import io.dynamolock.LockState;
import io.dynamolock.samples.quickstart.show.Event.Kind;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import org.springframework.beans.factory.ObjectProvider;

/** Stands for what an application does under a lock: takes time, and notes in the journal when it begins and ends. */
public class Work {

    private final Journal journal;
    private final ObjectProvider<LockManager> locks;

    Work(Journal journal, ObjectProvider<LockManager> locks) {
        this.journal = journal;
        this.locks = locks;
    }

    /**
     * Works.
     *
     * @param lock the lock that protects this work
     * @param atMost how long it may take; it takes half of this at least
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

    /** Finds the token of the lease that protects this work; 0 without locks, when there is no lock manager. */
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
     * Notes that some work was not done.
     *
     * @param busy who was in the way
     */
    public void gaveUp(LockBusyException busy) {
        journal.add(Kind.GAVE_UP, busy.lockName(), 0, "");
    }
}
