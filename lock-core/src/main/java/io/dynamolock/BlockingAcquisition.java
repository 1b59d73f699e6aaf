/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.time.Parker;

/**
 * Drives an {@link Acquisition} on the caller's thread, which sends every request itself and parks in between. Depends
 * on no manager thread.
 */
final class BlockingAcquisition implements AcquisitionDriver {

    private final EngineContext context;
    private final Acquisition acquisition;
    private final Parker pause;
    private final Thread thread = Thread.currentThread();

    BlockingAcquisition(AcquireContext acquire, LockRequest request) {
        this.context = acquire.engine();
        this.pause = context.scheduler.callersParker();
        this.acquisition = new Acquisition(acquire, request, Thread.currentThread(), this);
    }

    @Override
    public void wake() {
        pause.wake();
    }

    @Override
    public boolean isOnThisThread() {
        return thread == Thread.currentThread();
    }

    /**
     * Runs the acquisition to its end. An interrupt abandons it: immediately while the thread is parked, otherwise when
     * the client aborts the request or the response arrives.
     *
     * @throws InterruptedException if the thread was interrupted before the acquisition was done; nothing stays
     *     acquired
     */
    Acquisition awaitInterruptibly() throws InterruptedException {
        try {
            acquisition.advance();
            while (!acquisition.isDone()) {
                park();
                acquisition.advance();
            }
            if (acquisition.hasFailed() && Thread.interrupted()) {
                throw new InterruptedException(); // the interrupt made the last attempt fail
            }
            return acquisition;
        } catch (InterruptedException | RuntimeException | Error ended) {
            acquisition.abandon();
            acquisition.advance();
            throw ended;
        } finally {
            pause.end();
        }
    }

    /**
     * Runs the acquisition to its end. An interrupt ends the wait for a busy lock, as if the wait time had elapsed, but
     * aborts no request. The thread's interrupt flag is cleared meanwhile, as the client sends nothing while it is set,
     * and is restored at the end.
     */
    Acquisition await() {
        boolean interrupted = false;
        try {
            while (true) {
                if (Thread.interrupted()) {
                    interrupted = true;
                }
                if (interrupted) {
                    acquisition.endWait();
                }
                acquisition.advance();
                if (acquisition.isDone()) {
                    return acquisition;
                }
                interrupted |= parkInterrupted();
            }
        } catch (RuntimeException | Error ended) {
            acquisition.abandon();
            acquisition.advance();
            throw ended;
        } finally {
            pause.end();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private boolean parkInterrupted() {
        try {
            park();
            return false;
        } catch (InterruptedException interrupt) {
            return true;
        }
    }

    private void park() throws InterruptedException {
        pause.await(acquisition.wakeNanos() - context.clock.nanos());
    }
}
