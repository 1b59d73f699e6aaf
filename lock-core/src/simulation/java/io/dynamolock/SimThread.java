/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A real thread that runs only in its turn. It runs task after task, in many histories, and passes its turn on when it has
 * to wait.
 */
final class SimThread {

    private final SimScheduler scheduler;
    private final Thread own;
    private volatile boolean turn;

    @Nullable
    Runnable task;

    @Nullable
    SimProcess process;

    /** Requests sent in its current task, and how many of them failed. */
    int sent;

    int read;

    int troubled;

    /** When a request last failed. */
    long troubledAt;

    boolean blocked;
    long ticket;
    private boolean interrupted;
    private boolean user;

    /** Starts a thread; its first turn brings its first task. */
    SimThread(SimScheduler scheduler, String name) {
        this.scheduler = scheduler;
        this.own = new Thread(this::serve, name);
        own.setDaemon(true);
        own.start();
    }

    /** Makes the calling thread part of the simulation, with the turn. */
    SimThread(SimScheduler scheduler) {
        this.scheduler = scheduler;
        this.own = Thread.currentThread();
    }

    private void serve() {
        boolean unused = awaitTurn();
        while (task != null) {
            try {
                task.run();
            } catch (SimStopped end) {
                // the history is over
            } catch (Throwable unexpected) {
                scheduler.failed(unexpected);
            }
            unused = Thread.interrupted();
            scheduler.finished(this);
        }
    }

    void giveTurn() {
        turn = true;
        LockSupport.unpark(own);
    }

    /** Waits for its turn. Returns whether it was interrupted meanwhile; its flag is not set. */
    boolean awaitTurn() {
        boolean flagged = Thread.interrupted();
        while (!turn) {
            LockSupport.park(this);
            flagged |= Thread.interrupted();
        }
        turn = false;
        return Thread.interrupted() || flagged;
    }

    /** Interrupts it: its flag is set when it continues, which is immediately if it waits. */
    void interrupt() {
        if (task != null) {
            interrupted = true;
            scheduler.wake(this, 0);
        }
    }

    void takeInterrupt() {
        if (interrupted) {
            interrupted = false;
            Thread.currentThread().interrupt();
        }
    }

    String whereabouts() {
        StringBuilder text = new StringBuilder("\n  a thread of p" + (process == null ? 0 : process.number) + ":");
        for (StackTraceElement frame : own.getStackTrace()) {
            if (frame.getClassName().startsWith("io.dynamolock")) {
                text.append("\n    ").append(frame);
            }
        }
        return text.toString();
    }

    void troubled(long now) {
        troubled++;
        troubledAt = now;
    }

    boolean isUser() {
        return user;
    }

    /** Marks that it runs application code until its task ends. */
    void becomeUser() {
        user = true;
    }

    void begin(@Nullable Runnable nextTask, @Nullable SimProcess of) {
        task = nextTask;
        process = of;
        sent = 0;
        troubled = 0;
        user = false;
        interrupted = false;
    }

    boolean isAtWork() {
        return task != null;
    }
}
