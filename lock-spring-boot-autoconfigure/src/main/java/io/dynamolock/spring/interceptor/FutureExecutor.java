/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.core.task.TaskDecorator;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;
import org.springframework.util.function.SingletonSupplier;

/**
 * Runs methods that return a future on Spring Boot's {@code applicationTaskExecutor}. If the application has none, or
 * the caller is one of its threads, the caller's thread waits for the lock and runs the method: a thread of a pool that
 * waits for the result must not need another thread of the same pool.
 */
final class FutureExecutor {

    private static final String BEAN = "applicationTaskExecutor";

    private final Supplier<@Nullable Executor> executor;
    private final Supplier<List<TaskDecorator>> decorators;

    FutureExecutor(BeanFactory beans) {
        this.executor =
                SingletonSupplier.ofNullable(() -> beans.containsBean(BEAN) && beans.isTypeMatch(BEAN, Executor.class)
                        ? beans.getBean(BEAN, Executor.class)
                        : null);
        this.decorators = SingletonSupplier.of(
                () -> beans.getBeanProvider(TaskDecorator.class).orderedStream().toList());
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
        Executor tasks = executor.get();
        return tasks == null || isThreadOf(tasks)
                ? acquired -> await(acquired, method, rejected)
                : new Handover(tasks, method, rejected);
    }

    private static boolean isThreadOf(Executor tasks) {
        return tasks instanceof ThreadPoolTaskExecutor pool
                && Thread.currentThread().getName().startsWith(pool.getThreadNamePrefix());
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
     * Hands a method over to the executor. The thread that does so has the caller's context meanwhile, because that is
     * where the decorator of the executor captures it.
     */
    private final class Handover implements Start {

        private final CallerContext caller = CallerContext.capture();
        private final Consumer<Throwable> rejected;
        private final Runnable decorated;
        private boolean accepted;

        Handover(Executor tasks, Runnable method, Consumer<Throwable> rejected) {
            this.rejected = rejected;
            Runnable handover = () -> {
                tasks.execute(() -> caller.run(method));
                accepted = true;
            };
            for (TaskDecorator decorator : decorators.get()) {
                handover = decorator.decorate(handover);
            }
            this.decorated = handover;
        }

        @Override
        public void after(CompletableFuture<?> acquired) {
            CompletableFuture<?> unused = acquired.whenComplete((lease, failure) -> handOver());
        }

        private void handOver() {
            try {
                caller.run(decorated);
            } catch (RuntimeException | Error failure) {
                if (!accepted) {
                    rejected.accept(failure);
                }
            }
        }
    }
}
