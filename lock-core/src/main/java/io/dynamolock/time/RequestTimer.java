/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.time;

import java.util.concurrent.Future;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Timer for the timeouts of requests, nearly all of which are cancelled by a response. While requests are sent, a tick
 * is due before their timeouts, so that adding a timeout does not wake the thread; a cancelled one leaves the queue.
 * Its daemon thread starts on demand and ends when it has been idle for a second, so the timer need not be shut down.
 * While a timeout aborts its request, which may block, another thread waits for the next ones.
 *
 * <p>The SDK interrupts the thread of a request to abort it, and then clears the flag, even if somebody else had set it
 * before: the timer remembers that, for each request.
 */
public final class RequestTimer extends ScheduledThreadPoolExecutor {

    private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    /** What the calling thread sends. A request may send another, as for its credentials. */
    private static final ThreadLocal<@Nullable Request> CURRENT = new ThreadLocal<>();

    private volatile boolean ticking;
    private volatile boolean used;
    private int aborting;

    /** Creates a timer without a thread. */
    public RequestTimer() {
        super(1, RequestTimer::thread);
        setKeepAliveTime(1, TimeUnit.SECONDS);
        allowCoreThreadTimeOut(true);
        setRemoveOnCancelPolicy(true);
    }

    /** Returns a daemon that inherits nothing from the thread that happens to start it. */
    private static Thread thread(Runnable action) {
        Thread thread = new Thread(null, action, "dynamolock-request-timer", 0, false);
        thread.setDaemon(true);
        thread.setContextClassLoader(RequestTimer.class.getClassLoader());
        return thread;
    }

    @Override
    public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
        used = true;
        if (!ticking) {
            startTicking();
        }
        Request request = CURRENT.get();
        return super.schedule(() -> abort(task, request), delay, unit);
    }

    /**
     * Sends a request of the calling thread, which is interrupted afterwards if it was before a timeout aborted the
     * request, whether or not a response arrived nevertheless.
     *
     * @param request sends the request
     * @param <T> the type of the response
     * @return the response
     */
    public static <T> T preservingInterrupt(Supplier<T> request) {
        Request outer = CURRENT.get();
        Request current = new Request();
        CURRENT.set(current);
        try {
            return request.get();
        } finally {
            CURRENT.set(outer);
            if (current.wasInterrupted()) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void abort(Runnable timeout, @Nullable Request request) {
        try {
            addAborting(1);
        } finally { // even if no thread can be started
            try {
                if (request != null) {
                    request.aborting();
                }
                timeout.run();
            } finally {
                addAborting(-1);
            }
        }
    }

    /** A request, which has a timeout of the call, and may have one of the attempt. */
    private static final class Request {

        private final Thread caller = Thread.currentThread();
        private boolean aborted;
        private boolean interrupted;

        /** Remembers an interrupt, unless it may be that of a timeout before. */
        synchronized void aborting() {
            interrupted |= !aborted && caller.isInterrupted();
            aborted = true;
        }

        synchronized boolean wasInterrupted() {
            return interrupted;
        }
    }

    private synchronized void addAborting(int change) {
        aborting += change;
        setCorePoolSize(aborting + 1);
    }

    private synchronized void startTicking() {
        if (!ticking) {
            Future<?> unused = super.schedule(this::tick, TICK_NANOS, TimeUnit.NANOSECONDS);
            ticking = true; // last: if the thread cannot be started, the next call tries again
        }
    }

    /** Ends the ticks if there was no request since the last one. */
    private synchronized void tick() {
        ticking = false;
        if (used) {
            used = false;
            startTicking();
        }
    }
}
