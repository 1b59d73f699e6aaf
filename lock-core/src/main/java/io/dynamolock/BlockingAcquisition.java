/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

/**
 * Drives an {@link Acquisition} on its caller's thread, which sends every request itself and is parked in between. Nothing of it
 * depends on a thread of the manager's.
 */
final class BlockingAcquisition implements Acquisition.Driver {

    private final EngineContext context;
    private final Acquisition acquisition;
    private final Parker pause;

    BlockingAcquisition(EngineContext context, LockRequest request, String owner) {
        this.context = context;
        this.pause = context.scheduler.callersParker();
        this.acquisition = new Acquisition(context, request, owner, Thread.currentThread(), this);
    }

    @Override
    public void wake() {
        pause.wake();
    }

    /**
     * Runs it to its end. An interrupt gives it up: at once while the thread is parked, else when the client gives the request
     * up, or it is answered.
     *
     * @throws InterruptedException if the thread was interrupted before it was done; nothing stays acquired
     */
    Acquisition awaitInterruptibly() throws InterruptedException {
        try {
            acquisition.advance();
            while (!acquisition.isDone()) {
                park();
                acquisition.advance();
            }
            if (acquisition.hasFailed() && Thread.interrupted()) {
                throw new InterruptedException(); // in its last attempt, which is why that failed
            }
            return acquisition;
        } catch (InterruptedException interrupt) {
            acquisition.abandon();
            acquisition.advance();
            throw interrupt;
        } finally {
            pause.end();
        }
    }

    /**
     * Runs it to its end. An interrupt ends the wait for a busy lock, as if the wait time were over, but no request; the thread's
     * flag, which the client would refuse to send under, is set again at the end.
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
