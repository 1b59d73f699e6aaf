/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import io.dynamolock.Lease;
import io.dynamolock.LeasedWork;
import io.dynamolock.OnLost;
import io.dynamolock.spring.LockScope;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.UnaryOperator;
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

/**
 * A method that returns a publisher. Each subscription acquires the lock, calls the method, and holds the lock until
 * the returned publisher has completed, failed or been cancelled, and its threads and coroutines have left the method.
 * The subscriber is notified of the end after the release.
 */
final class ReactiveMethod implements LockedMethod {

    private final LockSpecification specification;
    private final ReactiveType type;

    ReactiveMethod(LockSpecification specification, ReactiveType type) {
        this.specification = specification;
        this.type = type;
    }

    @Override
    public Object invoke(MethodInvocation invocation) {
        ProxyMethodInvocation call = (ProxyMethodInvocation) invocation;
        return type.fromFlux(Flux.deferContextual(context -> locked(call, CallerContext.of(context))));
    }

    private Flux<Object> locked(ProxyMethodInvocation call, CallerContext subscriber) {
        AtomicReference<@Nullable Throwable> lost = new AtomicReference<>();
        return Flux.usingWhen(
                        Mono.fromSupplier(() -> open(call.invocableClone(), subscriber, lost)),
                        Hold::run,
                        hold -> hold.end(null),
                        Hold::end,
                        hold -> hold.end(null))
                .concatWith(Mono.defer(() -> Mono.justOrEmpty(lost.get()).flatMap(Mono::error)))
                .onErrorMap(failure -> Objects.requireNonNullElse(lost.get(), failure));
    }

    private Hold open(MethodInvocation call, CallerContext subscriber, AtomicReference<@Nullable Throwable> lost) {
        Occupancy method = new Occupancy();
        UnaryOperator<Object> follower = type.follow(call, method);
        AtomicReference<@Nullable Hold> hold = new AtomicReference<>();
        subscriber.run(() -> hold.set(new Hold(AsyncCall.start(specification, call), method, follower, lost)));
        return Objects.requireNonNull(hold.get());
    }

    /** Returns the scheduler on which the method may block: neither the caller nor a thread of the manager. */
    private static Scheduler scheduler() {
        return Schedulers.boundedElastic();
    }

    /** One subscription. */
    private final class Hold {

        private final AsyncCall call;
        private final AtomicReference<@Nullable Throwable> lost;
        private final Occupancy method;
        private final UnaryOperator<Object> follower;

        /**
         * Creates a subscription.
         *
         * @param method counts what is in the method
         * @param follower makes the method's result one whose execution is counted
         * @param lost takes the loss of the lock, which the subscriber gets instead of the end
         */
        Hold(
                AsyncCall call,
                Occupancy method,
                UnaryOperator<Object> follower,
                AtomicReference<@Nullable Throwable> lost) {
            this.call = call;
            this.method = method;
            this.follower = follower;
            this.lost = lost;
        }

        Flux<Object> run() {
            return Mono.create(this::await)
                    .publishOn(scheduler())
                    .map(this::work)
                    .onErrorResume(call::isNotAcquired, failure -> Mono.just(instead((RuntimeException) failure)))
                    .flatMapMany(Function.identity());
        }

        private void await(MonoSink<Lease> sink) {
            CompletableFuture<Lease> unused = call.acquired().whenComplete((lease, failure) -> {
                if (failure == null) {
                    sink.success(lease);
                } else if (!call.acquired().isCancelled()) {
                    sink.error(failure);
                }
            });
        }

        private Flux<Object> work(Lease lease) {
            Flux<Object> work = new ReactiveThreads(method).count(() -> publisher(() -> call.run(lease)));
            if (lease.policy() == OnLost.INTERRUPT) {
                work = work.takeUntilOther(loss(lease)); // the end of the hold reports the loss
            }
            return work.contextWrite(Context.of(Lease.class, lease, LockScope.CONTEXT_KEY, LockScope.with(lease))
                    .putAllMap(call.observed().reactorContext()));
        }

        private Flux<Object> instead(RuntimeException notAcquired) {
            return Flux.defer(() -> publisher(() -> call.instead(notAcquired)));
        }

        private Publisher<Object> publisher(Source source) {
            try {
                Object result = source.get();
                return result == null ? Flux.empty() : type.toPublisher(follower.apply(result));
            } catch (Throwable failure) {
                return Flux.error(failure);
            }
        }

        /**
         * Releases the lock when neither a thread nor a coroutine is in the method any more, or cancels its acquisition. Keeps
         * a loss of the lock for the subscriber. A failed release has been logged, and the lease expires on its own.
         */
        Mono<Void> end(@Nullable Throwable failure) {
            call.acquired().cancel(true);
            if (call.acquired().isCompletedExceptionally()) {
                return Mono.fromRunnable(() -> call.observed().ended(failure));
            }
            return Mono.<Void>create(sink -> {
                        CompletionStage<Void> unused = method.close()
                                .thenCompose(left ->
                                        LeasedWork.endAsync(call.acquired().join(), failure))
                                .whenComplete((ended, loss) -> end(sink, loss));
                    })
                    .publishOn(scheduler())
                    .doOnSuccess(nothing -> call.observed().ended(lost.get() == null ? failure : lost.get()));
        }

        private void end(MonoSink<Void> sink, @Nullable Throwable loss) {
            lost.set(loss == null ? null : AsyncCall.unwrapped(loss));
            sink.success();
        }
    }

    /** Completes when the lease is lost. An error instead would not cancel the work. */
    private static Mono<Void> loss(Lease lease) {
        return Mono.create(sink -> lease.onLost(loss -> sink.success()));
    }

    private interface Source {

        @Nullable
        Object get() throws Throwable;
    }
}
