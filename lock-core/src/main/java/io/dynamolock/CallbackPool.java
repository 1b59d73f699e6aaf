/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * Threads for other people's code: a few, and one more each time that all of them have been busy for a while without ending
 * anything, so that code that hangs does not silence what is reported later.
 */
final class CallbackPool extends ThreadPoolExecutor {

    private static final int USUAL = 4;
    private static final int MOST = 1_000;

    private final Consumer<Runnable> afterAWhile;
    private final AtomicBoolean looking = new AtomicBoolean();

    /** Creates a pool that calls {@code afterAWhile} to have quick code run in about a second. */
    CallbackPool(ThreadFactory factory, Consumer<Runnable> afterAWhile) {
        super(USUAL, USUAL, 2, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), factory);
        this.afterAWhile = afterAWhile;
        allowCoreThreadTimeOut(true);
    }

    @Override
    public void execute(Runnable action) {
        super.execute(action);
        pollLater();
    }

    /** Runs what was left when the pool ended, on a few threads more: whoever registered it relies on it. */
    void finish(List<Runnable> left) {
        Queue<Runnable> queue = new ConcurrentLinkedQueue<>(left);
        for (int i = 0; i < Math.min(USUAL, left.size()); i++) {
            try {
                getThreadFactory().newThread(() -> drain(queue)).start();
            } catch (Throwable noThread) {
                if (i == 0) {
                    drain(queue);
                }
                return;
            }
        }
    }

    private static void drain(Queue<Runnable> queue) {
        for (Runnable next = queue.poll(); next != null; next = queue.poll()) {
            next.run();
        }
    }

    private void pollLater() {
        if (!getQueue().isEmpty() && looking.compareAndSet(false, true)) {
            long done = getCompletedTaskCount();
            try {
                afterAWhile.accept(() -> look(done));
            } catch (Throwable noThread) {
                looking.set(false);
            }
        }
    }

    private void look(long doneBefore) {
        looking.set(false);
        boolean stuck = !getQueue().isEmpty() && getCompletedTaskCount() == doneBefore;
        try {
            if (stuck && getMaximumPoolSize() < MOST) {
                setMaximumPoolSize(getMaximumPoolSize() + 1);
                setCorePoolSize(getMaximumPoolSize());
            }
        } finally {
            pollLater();
        }
    }
}
