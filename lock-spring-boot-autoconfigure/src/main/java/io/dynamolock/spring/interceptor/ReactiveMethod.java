/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import io.dynamolock.Lease;
import io.dynamolock.LeaseLostException;
import io.dynamolock.OnLost;
import io.dynamolock.spring.LockScope;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.aop.ProxyMethodInvocation;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * A method that returns a publisher. Each subscription acquires the lock, calls the method, and holds the lock until
 * the returned publisher has completed, failed or been cancelled, and its threads and coroutines have left the method.
 * The subscriber is notified of the end after the release.
 */
final class ReactiveMethod implements LockedMethod {

    private final LockSpecification specification;
    private final ReactiveType type;
    private final @Nullable Consumer<Object> check;

    ReactiveMethod(LockSpecification specification, ReactiveType type) {
        this(specification, type, null);
    }

    /**
     * Creates the method.
     *
     * @param specification the method's lock specification
     * @param type the type of the publisher
     * @param check gets what the method emits, and rejects it by an exception; null accepts all
     */
    ReactiveMethod(LockSpecification specification, ReactiveType type, @Nullable Consumer<Object> check) {
        this.specification = specification;
        this.type = type;
        this.check = check;
    }

    @Override
    public Object invoke(MethodInvocation invocation) {
        ProxyMethodInvocation call = (ProxyMethodInvocation) invocation;
        return type.fromFlux(Flux.deferContextual(context -> locked(new Hold(call.invocableClone(), context))));
    }

    private static Flux<Object> locked(Hold hold) {
        return Flux.usingWhen(Mono.just(hold), Hold::run, held -> held.end(null), Hold::end, held -> held.end(null))
                .concatWith(Mono.defer(() -> Mono.justOrEmpty(hold.lost).flatMap(Mono::error)))
                .onErrorMap(failure -> Objects.requireNonNullElse(hold.lost, failure));
    }

    /** Returns the scheduler on which the method may block: neither the caller nor a thread of the manager. */
    private static Scheduler scheduler() {
        return Schedulers.boundedElastic();
    }

    /** One subscription. Acquires nothing before it is run: an operator hook may discard it on its way there. */
    private final class Hold {

        private final MethodInvocation invocation;
        private final CallerContext subscriber;
        private final @Nullable Occupancy outer; // of the locked method that calls or subscribes
        private final Occupancy method = new Occupancy();
        private final Function<Object, Publisher<Object>> follower;
        private final AtomicBoolean begun = new AtomicBoolean(); // or ended before
        private final CompletableFuture<AsyncCall> begin = new CompletableFuture<>();
        private volatile @Nullable LockScope scope; // of the caller, until the lock is acquired
        private volatile Runnable onEnd = () -> {};
        private volatile boolean cancelled;
        private volatile boolean interrupted; // by the loss of the lease
        private volatile @Nullable Throwable lost; // which the subscriber gets instead of the end

        Hold(MethodInvocation invocation, ContextView context) {
            this.invocation = invocation;
            this.subscriber = CallerContext.of(context);
            this.outer = type.outer(invocation, context);
            this.scope = LockScope.open(context.getOrDefault(LockScope.CONTEXT_KEY, LockScope.current()));
            this.follower = type.follow(invocation, method, () -> scope, this::ensureHeld);
        }

        Flux<Object> run() {
            return type.untilCancelled(Mono.create(this::acquire)
                    .publishOn(scheduler())
                    .map(this::work)
                    .onErrorResume(AsyncCall::isNotAcquired, failure -> Mono.just(instead((RuntimeException) failure)))
                    .flatMapMany(Function.identity()));
        }

        private void acquire(MonoSink<Lease> sink) {
            if (!begun.compareAndSet(false, true)) {
                return;
            }
            try {
                subscriber.run(() -> begin.complete(AsyncCall.start(specification, invocation)));
            } catch (Throwable failure) {
                begin.completeExceptionally(failure); // unless it has begun, and is ended now
                sink.error(failure);
                return;
            }
            CompletableFuture<Lease> unused = call().acquired().whenComplete((lease, failure) -> {
                if (failure == null) {
                    sink.success(lease);
                } else if (!cancelled) {
                    sink.error(failure);
                }
            });
        }

        /** Fails if the method would start in a coroutine that waited for a thread while the lease was lost. */
        private void ensureHeld() {
            CompletableFuture<Lease> acquired = call().acquired();
            try {
                if (!acquired.isCompletedExceptionally()) { // else this is the fallback
                    acquired.join().ensureHeld();
                }
            } catch (LeaseLostException loss) {
                lost = loss;
                throw loss;
            }
        }

        /** Returns the call, which has begun. */
        private AsyncCall call() {
            return begin.join();
        }

        private Flux<Object> work(Lease lease) {
            LockScope locked = new LockScope(lease, scope);
            scope = locked;
            onEnd = locked::end;
            Flux<Object> work = counted(() -> call().run(lease));
            if (check != null) {
                work = work.doOnNext(check);
            }
            if (lease.policy() == OnLost.INTERRUPT) {
                work = work.takeUntilOther(interruption(lease)); // the end of the hold reports the loss
            }
            return work.contextWrite(
                    Context.of(Lease.class, lease, LockScope.CONTEXT_KEY, locked, Occupancy.class, method)
                            .putAllMap(call().observed().reactorContext()));
        }

        private Flux<Object> instead(RuntimeException notAcquired) {
            return counted(() -> call().instead(notAcquired));
        }

        private Flux<Object> counted(Source source) {
            return new ReactiveThreads(method).count(() -> publisher(source));
        }

        private Publisher<Object> publisher(Source source) {
            try {
                Object result = source.get();
                return result == null ? Flux.empty() : follower.apply(result);
            } catch (Throwable failure) {
                return Flux.error(failure);
            }
        }

        /** Completes when the lease is lost. An error instead would not cancel the work. */
        private Mono<Void> interruption(Lease lease) {
            return Mono.create(sink -> lease.onLost(loss -> {
                interrupted = true;
                sink.success();
            }));
        }

        /** Releases the lock, or cancels its acquisition. Keeps a loss of the lock for the subscriber. */
        Mono<Void> end(@Nullable Throwable thrown) {
            Throwable failure =
                    thrown == null && interrupted ? new CancellationException("Interrupted by onLost") : thrown;
            cancelled = true;
            if (begun.compareAndSet(false, true)) {
                return Mono.empty();
            }
            Runnable leaveOuter = enterOuter();
            CompletableFuture<Void> released = begin.thenCompose(call -> release(call, failure))
                    .whenComplete((end, notBegun) -> {
                        scope = null; // of coroutines that the method has detached
                        onEnd.run();
                        leaveOuter.run();
                    });
            if (released.isDone()) {
                return Mono.fromRunnable(() -> ended(failure));
            }
            return Mono.<Void>create(sink -> {
                        CompletionStage<Void> unused = released.whenComplete((end, notBegun) -> sink.success());
                    })
                    .publishOn(scheduler())
                    .onErrorComplete() // the scheduler's
                    .doOnSuccess(nothing -> ended(failure));
        }

        private void ended(@Nullable Throwable failure) {
            if (!begin.isCompletedExceptionally()) {
                call().observed().ended(lost == null ? failure : lost);
            }
        }

        /** Releases the lock when neither a thread nor a coroutine is in the method, or in its fallback, any more. */
        private CompletionStage<Void> release(AsyncCall call, @Nullable Throwable failure) {
            call.acquired().cancel(true);
            return call.acquired()
                    .handle((lease, notAcquired) -> lease != null)
                    .thenCombine(method.close(), (acquired, left) -> acquired)
                    .thenCompose(acquired -> acquired ? call.end(failure) : CompletableFuture.completedStage(null))
                    .exceptionally(loss -> {
                        lost = AsyncCall.unwrapped(loss);
                        return null;
                    });
        }

        /**
         * A cancelled method waits for those that its cancellation has reached by then, but not for a shared or detached
         * subscription, which would keep its lock.
         */
        private Runnable enterOuter() {
            return outer != null && outer.enter() ? outer::leave : () -> {};
        }
    }

    private interface Source {

        @Nullable
        Object get() throws Throwable;
    }
}
