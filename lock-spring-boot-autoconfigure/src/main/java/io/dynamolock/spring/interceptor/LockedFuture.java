/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import io.dynamolock.Lease;
import io.dynamolock.LeasedWork;
import io.dynamolock.OnLost;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/**
 * Result of one call of a method that returns a future. It completes after the lock has been released, on the thread
 * that released it or on one that the manager has for continuations, which may block. Cancelling it cancels the
 * acquisition or the method's own future.
 */
final class LockedFuture extends CompletableFuture<@Nullable Object> {

    private final FutureExecutor.Start start;
    private final AsyncCall call;
    private final AtomicBoolean started = new AtomicBoolean(); // or cancelled before, or rejected
    private volatile @Nullable CompletionStage<?> work;

    LockedFuture(LockSpecification specification, MethodInvocation invocation, FutureExecutor executor) {
        this.start = executor.prepare(this::run, this::rejected);
        this.call = AsyncCall.start(specification, invocation);
    }

    /** Continues when the lock is acquired. */
    void start() {
        start.after(call.acquired());
    }

    private void run() {
        Throwable failure = failureToAcquire();
        if (failure == null) {
            work(call.acquired().join());
        } else {
            instead(failure);
        }
    }

    private void rejected(Throwable failure) {
        if (failureToAcquire() != null) {
            settle(null, failure);
        } else if (started.compareAndSet(false, true)) {
            end(call.acquired().join(), null, failure);
        }
    }

    private @Nullable Throwable failureToAcquire() {
        return call.acquired()
                .handle((lease, failure) -> failure == null ? null : AsyncCall.unwrapped(failure))
                .join();
    }

    private boolean isAcquired() {
        return call.acquired().isDone() && !call.acquired().isCompletedExceptionally();
    }

    private void work(Lease lease) {
        if (!started.compareAndSet(false, true)) {
            return;
        }
        if (isDone()) {
            end(lease, null, null);
            return;
        }
        try {
            follow(lease, (CompletionStage<?>) call.run(lease));
        } catch (Throwable failure) {
            end(lease, null, failure);
        }
    }

    private void follow(Lease lease, @Nullable CompletionStage<?> stage) {
        if (stage == null) {
            end(lease, null, null);
            return;
        }
        work = stage;
        if (isCancelled()) {
            MethodFuture.cancel(stage);
        }
        if (lease.policy() == OnLost.INTERRUPT) {
            lease.onLost(loss -> MethodFuture.cancel(stage));
        }
        CompletionStage<?> unused = stage.whenComplete((value, failure) -> end(lease, value, failure));
    }

    /** Completes after the release, even if it fails: the failure has been logged, and the lease expires on its own. */
    private void end(Lease lease, @Nullable Object value, @Nullable Throwable failure) {
        CompletionStage<Void> unused = LeasedWork.endAsync(lease, failure)
                .whenComplete((ended, lost) -> settle(value, lost == null ? failure : AsyncCall.unwrapped(lost)));
    }

    private void instead(Throwable failure) {
        if (!call.isNotAcquired(failure)) {
            settle(null, failure);
            return;
        }
        try {
            CompletionStage<?> other = (CompletionStage<?>) call.instead((RuntimeException) failure);
            if (other == null) {
                settle(null, null);
            } else {
                CompletionStage<?> unused = other.whenComplete(this::settle);
            }
        } catch (Throwable failed) {
            settle(null, failed);
        }
    }

    private void settle(@Nullable Object value, @Nullable Throwable failure) {
        call.observed().ended(failure);
        if (failure == null) {
            complete(value);
        } else {
            completeExceptionally(failure);
        }
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        boolean cancelled = super.cancel(mayInterruptIfRunning);
        call.acquired().cancel(mayInterruptIfRunning);
        if (cancelled && isAcquired() && started.compareAndSet(false, true)) {
            end(call.acquired().join(), null, null);
        }
        CompletionStage<?> stage = work;
        if (cancelled && stage != null) {
            MethodFuture.cancel(stage);
        }
        return cancelled;
    }
}
