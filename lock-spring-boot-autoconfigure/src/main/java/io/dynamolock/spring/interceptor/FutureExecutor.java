/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import io.dynamolock.LockManagerClosedException;
import io.dynamolock.LockManagerDrainingException;
import io.dynamolock.spring.ForeignCode;
import io.dynamolock.spring.LookedUp;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.context.ApplicationContext;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.core.task.TaskDecorator;
import org.springframework.core.task.TaskRejectedException;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;

/**
 * Runs methods that return a future on Spring Boot's {@code applicationTaskExecutor}. If the application has none, or
 * the caller is one of its threads, the caller's thread waits for the lock and runs the method: a thread of a pool that
 * waits for the result must not need another thread of the same pool.
 */
final class FutureExecutor {

    private static final String BEAN = "applicationTaskExecutor";

    private final Supplier<Optional<Executor>> executor;
    private final Supplier<List<TaskDecorator>> decorators;

    FutureExecutor(BeanFactory beans, ApplicationContext application) {
        this.executor = new LookedUp<>(
                application,
                () -> beans.containsBean(BEAN) && beans.isTypeMatch(BEAN, Executor.class)
                        ? Optional.of(beans.getBean(BEAN, Executor.class))
                        : Optional.empty(),
                Optional::empty);
        this.decorators = new LookedUp<>(
                application,
                () -> beans.getBeanProvider(TaskDecorator.class).orderedStream().toList(),
                List::of);
    }

    /** Starts one method once the attempt to acquire its lock has ended. */
    interface Start {

        /**
         * Starts the method.
         *
         * @param acquired the answered request
         */
        void after(CompletableFuture<?> acquired);
    }

    /**
     * Prepares a start with the context of this thread.
     *
     * @param method the method, which throws nothing
     * @param rejected called instead of the method if it cannot run
     */
    Start prepare(Runnable method, Consumer<Throwable> rejected) {
        Executor tasks = executor.get().orElse(null);
        if (tasks != null && !isThreadOf(tasks)) {
            return new Handover(tasks, method, rejected);
        }
        return TransactionHold.isActive()
                ? new Handover(null, method, rejected)
                : acquired -> await(acquired, method, rejected);
    }

    /**
     * Starts a task that would otherwise be in its caller's transaction, which commits after the lock is released. A
     * task that its decorator does not run is cancelled.
     */
    private void startOutside(FutureTask<?> task) {
        Runnable decorated = decorated(task);
        new CallThread(() -> {
                    try {
                        decorated.run();
                    } finally {
                        task.cancel(false);
                    }
                })
                .start();
    }

    private Runnable decorated(Runnable task) {
        Runnable decorated = task;
        for (TaskDecorator decorator : decorators.get()) {
            decorated = decorator.decorate(decorated);
        }
        return decorated;
    }

    /** Thread of one method. */
    private static final class CallThread extends Thread {

        private CallThread(Runnable method) {
            super(method, "dynamolock-call");
            setDaemon(false); // which it would have from the thread of a lock manager
        }
    }

    /** Whether the executor may need this thread, or the one that waits for this thread, for the method. */
    private static boolean isThreadOf(Executor tasks) {
        return Thread.currentThread() instanceof CallThread || isNamedBy(tasks);
    }

    private static boolean isNamedBy(Executor tasks) {
        String name = Thread.currentThread().getName();
        if (tasks instanceof ThreadPoolTaskExecutor pool) {
            return pool.getThreadPoolExecutor().getThreadFactory() == pool // else its threads have other names
                    && isNumbered(name, pool.getThreadNamePrefix());
        }
        return tasks instanceof SimpleAsyncTaskExecutor limited // of virtual threads
                && limited.isThrottleActive()
                && limited.getThreadFactory() == null
                && isNumbered(name, limited.getThreadNamePrefix());
    }

    private static boolean isNumbered(String name, String prefix) {
        return name.startsWith(prefix)
                && name.substring(prefix.length()).chars().allMatch(Character::isDigit);
    }

    private static void await(CompletableFuture<?> acquired, Runnable method, Consumer<Throwable> rejected) {
        try {
            acquired.get();
        } catch (ExecutionException | CancellationException notAcquired) {
            // the method handles it
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            acquired.cancel(true);
            rejected.accept(interrupted);
            return;
        }
        method.run();
    }

    /**
     * Hands a method over to the executor, or to a new thread. The thread that does so has the caller's context meanwhile,
     * because that is where the decorator of the executor captures it.
     */
    private final class Handover implements Start {

        private final CallerContext caller = CallerContext.capture();
        private final Runnable method;
        private final Consumer<Throwable> rejected;
        private final Runnable decorated;
        private boolean accepted;
        private @Nullable Throwable refusal;

        Handover(@Nullable Executor tasks, Runnable method, Consumer<Throwable> rejected) {
            this.method = method;
            this.rejected = rejected;
            Runnable handover = () -> {
                try {
                    if (tasks == null) {
                        startOutside(new Task(this::call));
                    } else {
                        tasks.execute(new Task(this::callOutside));
                    }
                    accepted = true;
                } catch (Throwable failure) {
                    refusal = failure; // which a decorator may catch
                    throw failure;
                }
            };
            this.decorated = decorated(handover);
        }

        @Override
        public void after(CompletableFuture<?> acquired) {
            CompletableFuture<?> unused = acquired.whenComplete((lease, failure) -> {
                if (failure instanceof CancellationException) {
                    call(); // by its caller, so that nothing is left to run
                } else if (failure instanceof LockManagerDrainingException
                        || failure instanceof LockManagerClosedException) {
                    callOutside(); // its failure or its fallback: the executor may be full, or paused as its context
                } else {
                    handOver();
                }
            });
        }

        private void call() {
            ForeignCode.run(() -> caller.run(method), rejected); // the method throws nothing, but its context may
        }

        /** Outside of a transaction of its thread, which is the caller's if the executor does not have its own. */
        private void callOutside() {
            if (TransactionHold.isActive()) {
                ForeignCode.run(() -> startOutside(new Task(this::call)), rejected);
            } else {
                call();
            }
        }

        private void handOver() {
            ForeignCode.run(() -> caller.run(decorated), failure -> refusal = failure);
            if (!accepted) {
                rejected.accept(
                        refusal != null
                                ? refusal
                                : new TaskRejectedException("A TaskDecorator did not run the task that it decorated"));
            }
        }

        /** What the executor runs, or cancels if it is shut down before: Spring's executors cancel what is a future. */
        private final class Task extends FutureTask<Void> {

            Task(Runnable call) {
                super(call, null);
            }

            @Override
            protected void done() {
                if (isCancelled()) {
                    rejected.accept(
                            new TaskRejectedException("The task was cancelled, or a TaskDecorator did not run it"));
                }
            }
        }
    }
}
