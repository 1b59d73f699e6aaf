/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import io.dynamolock.Lease;
import io.dynamolock.OnLost;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;

/**
 * Result of one call of a method that returns a future. It completes after the lock has been released, on the thread
 * that released it or on one that the manager has for continuations, which may block. Once the caller has completed it,
 * for example by a timeout, the call no longer waits for its lock, and a method that has not started will not. A
 * cancellation cancels the method's own future, too.
 */
final class LockedFuture extends CompletableFuture<@Nullable Object> {

    private final FutureExecutor.Start start;
    private final AsyncCall call;
    private final AtomicBoolean started = new AtomicBoolean(); // or completed before by the caller, or rejected
    private volatile boolean settled;
    private final CompletableFuture<Void> over = new CompletableFuture<>();
    private volatile @Nullable CompletionStage<?> work;

    private LockedFuture(LockSpecification specification, MethodInvocation invocation, FutureExecutor executor) {
        this.start = executor.prepare(this::run, this::rejected);
        this.call = AsyncCall.start(specification, ((ProxyMethodInvocation) invocation).invocableClone());
    }

    /** Starts a call, which continues when its lock is acquired; returns its result. */
    static CompletionStage<@Nullable Object> of(
            LockSpecification specification, MethodInvocation invocation, FutureExecutor executor) {
        LockedFuture result = new LockedFuture(specification, invocation, executor);
        result.start();
        return result;
    }

    /** Calls back when the work of a stage is over: that of a locked method, even a cancelled one, with its release. */
    static void whenOver(CompletionStage<?> stage, BiConsumer<@Nullable Object, @Nullable Throwable> action) {
        CompletionStage<?> unused = stage instanceof LockedFuture locked
                ? locked.over.thenRun(() -> whenDone(locked, action))
                : whenDone(stage, action);
    }

    private static CompletionStage<?> whenDone(
            CompletionStage<?> stage, BiConsumer<@Nullable Object, @Nullable Throwable> action) {
        return stage.whenComplete(action);
    }

    private void start() {
        CompletableFuture<?> unused = whenComplete((value, failure) -> completed());
        start.after(call.acquired());
    }

    private void run() {
        if (!started.compareAndSet(false, true)) {
            return;
        }
        Throwable failure = failureToAcquire();
        if (failure == null) {
            work();
        } else {
            instead(failure);
        }
    }

    private void rejected(Throwable failure) {
        if (!started.compareAndSet(false, true)) {
            return;
        }
        Throwable notAcquired = failureToAcquire();
        if (notAcquired == null) {
            end(null, failure);
        } else {
            failure.addSuppressed(notAcquired);
            settle(null, failure);
        }
    }

    private @Nullable Throwable failureToAcquire() {
        return call.acquired()
                .handle((lease, failure) -> failure == null ? null : AsyncCall.unwrapped(failure))
                .join();
    }

    private void work() {
        Lease lease = call.acquired().join();
        try {
            follow(lease, (CompletionStage<?>) call.run(lease));
        } catch (Throwable failure) {
            end(null, failure);
        }
    }

    private void follow(Lease lease, @Nullable CompletionStage<?> stage) {
        if (stage == null) {
            end(null, null);
            return;
        }
        cancelledWith(stage);
        if (lease.policy() == OnLost.INTERRUPT) {
            lease.onLost(loss -> MethodFuture.cancel(stage));
        }
        whenOver(stage, this::end);
    }

    /** Lets a cancellation of this call cancel its work. */
    private void cancelledWith(CompletionStage<?> stage) {
        work = stage;
        if (isCancelled()) {
            MethodFuture.cancel(stage);
        }
    }

    /** Completes after the release. */
    private void end(@Nullable Object value, @Nullable Throwable failure) {
        CompletionStage<Void> unused = call.end(failure)
                .whenComplete((ended, lost) -> settle(value, lost == null ? failure : AsyncCall.unwrapped(lost)));
    }

    private void instead(Throwable failure) {
        if (!AsyncCall.isNotAcquired(failure)) {
            settle(null, failure);
            return;
        }
        try {
            CompletionStage<?> other = (CompletionStage<?>) call.instead((RuntimeException) failure);
            if (other == null) {
                settle(null, null);
            } else {
                cancelledWith(other);
                whenOver(other, this::settle);
            }
        } catch (Throwable failed) {
            settle(null, failed);
        }
    }

    private void settle(@Nullable Object value, @Nullable Throwable failure) {
        settled = true;
        call.observed().ended(failure);
        over.complete(null); // before the caller's continuations, which may block
        if (failure == null) {
            complete(value);
        } else {
            completeExceptionally(failure);
        }
    }

    /** Ends the call if its caller has completed it. */
    private void completed() {
        if (settled) {
            return;
        }
        call.acquired().cancel(true);
        if (call.acquired().isDone() && started.compareAndSet(false, true)) {
            Throwable notAcquired = failureToAcquire();
            if (notAcquired == null) {
                end(null, null);
            } else {
                settle(null, notAcquired);
            }
        }
        CompletionStage<?> stage = work;
        if (stage != null && isCancelled()) {
            MethodFuture.cancel(stage);
        }
    }
}
