/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Checks the reaction to a loss: it interrupts working threads if that is the policy, each once, while they work and not
 * before the lease is lost; or it shuts the application down, once. The caller of work that ended under a lost lease gets
 * no result, unless the loss is only notified.
 */
final class SimWorks {

    private static final VarHandle INTERRUPTED = interrupted();

    /** One thread's work under one lease. */
    static final class Work {

        private final SimThread thread;
        private final HeldLease lease;
        private boolean toBeInterrupted;
        private boolean lostAtEnd;
        private int interrupts;

        Work(SimThread thread, HeldLease lease) {
            this.thread = thread;
            this.lease = lease;
        }
    }

    private final SimVerdict verdict;
    private final List<Work> open = new ArrayList<>();
    private final List<HeldLease> acquired = new ArrayList<>();
    private final Set<SimProcess> ended = new HashSet<>();

    SimWorks(SimVerdict verdict) {
        this.verdict = verdict;
    }

    private static VarHandle interrupted() {
        try {
            return MethodHandles.privateLookupIn(LeasedThreads.class, MethodHandles.lookup())
                    .findVarHandle(LeasedThreads.class, "interrupted", boolean.class);
        } catch (ReflectiveOperationException renamed) {
            throw new IllegalStateException(renamed);
        }
    }

    Work begins(SimThread thread, HeldLease lease) {
        Work work = new Work(thread, lease);
        open.add(work);
        if (Thread.currentThread().isInterrupted()) { // the lease was lost before the work began
            interrupted(thread);
        }
        return work;
    }

    void ends(Work work, boolean noticed) {
        work.lostAtEnd =
                work.lease.state() == LeaseState.LOST; // reads the clock, where the work may still be interrupted
        open.remove(work);
        if (noticed && work.interrupts == 0) {
            verdict.broken(5, "Work under " + work.lease.id() + " found an interrupt that is not for it");
        }
        if (work.toBeInterrupted) {
            verdict.reached(SimSometimes.WORK_INTERRUPTED);
        } else if (work.lostAtEnd) {
            verdict.reached(SimSometimes.WORK_WENT_ON);
        }
    }

    /** Records that the caller got the result of the work. */
    void returned(Work work) {
        if (work.lostAtEnd && work.lease.policy() != OnLost.EVENT) {
            verdict.broken(5, "The caller of work under " + work.lease.id() + " got its result, although it was lost");
        }
    }

    /** Records that the caller got a LeaseLostException instead of the result. */
    void threw(Work work) {
        verdict.reached(SimSometimes.LOSS_THROWN);
        boolean lost = ExclusionCheck.validityOf(work.lease).state() == LeaseState.LOST
                || work.lease.status().lossFoundByRelease() != null;
        if (work.lease.policy() == OnLost.EVENT || !lost) {
            verdict.broken(5, "The caller of work under " + work.lease.id() + " got no result");
        }
    }

    /** Runs the checks after each event. */
    void check() {
        for (Work work : open) {
            if (!work.toBeInterrupted && (boolean) INTERRUPTED.get(work.lease.workers())) {
                work.toBeInterrupted = true;
                if (work.lease.policy() != OnLost.INTERRUPT) {
                    verdict.broken(
                            5,
                            "Work under " + work.lease.id() + " was interrupted, although its request does not say so");
                }
                if (ExclusionCheck.validityOf(work.lease).state() != LeaseState.LOST) {
                    verdict.broken(5, "Work under " + work.lease.id() + " was interrupted before it was lost");
                }
            }
        }
    }

    /** Records that the engine interrupted a waiting thread. */
    void interrupted(SimThread thread) {
        check();
        for (Work work : open) {
            if (work.thread == thread && work.toBeInterrupted && work.interrupts == 0) {
                work.interrupts++;
                return;
            }
        }
        verdict.broken(5, "A thread was interrupted that works under no lost lease, or twice for one");
    }

    // the end of an application

    void acquired(HeldLease lease) {
        acquired.add(lease);
    }

    void shutdown(SimProcess process, LeaseLost loss) {
        verdict.reached(SimSometimes.SHUT_DOWN);
        if (!ended.add(process)) {
            verdict.broken(5, "p" + process.number + " was ended twice");
        }
        List<HeldLease> lost = acquired.stream() // two leases may have been lost at the same time
                .filter(lease -> loss.equals(lease.status().loss()))
                .toList();
        boolean wanted = loss.reason() != LeaseLost.Reason.CLOSED
                && lost.stream().anyMatch(lease -> lease.policy() == OnLost.SHUTDOWN);
        if (!lost.isEmpty() && !wanted) {
            verdict.broken(5, "p" + process.number + " was ended for " + loss);
        }
        process.die();
    }
}
