/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring;

import static io.dynamolock.Mutant.Judge.TEST;

import io.dynamolock.Mutant;
import java.util.List;

/** Seeded faults in locked methods that return publishers, in coroutines, in late starts, and around executors. */
final class PublisherMutants {

    static final List<Mutant> ALL = List.of(
            Mutant.of(
                    "a lost lock does not reach the caller of a publisher",
                    TEST,
                    "spring.interceptor.ReactiveTests.failIfTheLockWasLostMeanwhile",
                    "spring/interceptor/ReactiveMethod.java",
                    "Mono.justOrEmpty(hold.lost).flatMap(Mono::error)",
                    "Mono.empty()"),
            Mutant.of(
                    "a cancelled publisher keeps its lock",
                    TEST,
                    "spring.interceptor.ReactiveTests.releaseOnErrorAndOnCancellation",
                    "spring/interceptor/ReactiveMethod.java",
                    "Hold::end, held -> held.end(null))",
                    "Hold::end, held -> Mono.empty())"),
            Mutant.of(
                    "a cancelled publisher releases its lock while a thread executes the method",
                    TEST,
                    "spring.interceptor.CancelledPublisherTests.isLockedWhileTheMethodRuns",
                    "spring/interceptor/Occupancy.java",
                    "        leave();\n        return left;",
                    "        leave();\n        left.complete(null);\n        return left;"),
            Mutant.of(
                    "a thread that requests elements of a publisher is not counted",
                    TEST,
                    "spring.interceptor.CancelledPublisherTests.isLockedWhileRequestedElementIsComputed",
                    "spring/interceptor/ReactiveThreads.java",
                    "execute(() -> Objects.requireNonNull(subscription).request(elements));",
                    "Objects.requireNonNull(subscription).request(elements);"),
            Mutant.of(
                    "a publisher that fails keeps its lock",
                    TEST,
                    "spring.interceptor.ReactiveTests.releaseOnErrorAndOnCancellation",
                    "spring/interceptor/ReactiveMethod.java",
                    "Hold::end, held -> held.end(null))",
                    "(held, failure) -> Mono.empty(), held -> held.end(null))"),
            Mutant.of(
                    "a publisher completes before its lock is released",
                    TEST,
                    "spring.interceptor.ReactiveTests.holdUntilTheLastElementAndCompleteAfterTheRelease",
                    "spring/interceptor/ReactiveMethod.java",
                    "Hold::run, held -> held.end(null),",
                    "Hold::run, held -> Mono.fromRunnable(() -> held.end(null)\n                                .delaySubscription(java.time.Duration.ofMillis(500))\n                                .subscribe()),"),
            Mutant.of(
                    "a publisher continues after losing its lock",
                    TEST,
                    "spring.interceptor.ReactiveTests.areCancelledOnLossIfTheySaySo",
                    "spring/interceptor/ReactiveMethod.java",
                    "if (lease.policy() == OnLost.INTERRUPT) {",
                    "if (lease.policy() == OnLost.SHUTDOWN) {"),
            Mutant.of(
                    "a cancelled coroutine releases its lock while it runs",
                    TEST,
                    "spring.interceptor.CancelledCoroutineTests.isLockedWhileItBlocksAnotherDispatcher",
                    "spring/interceptor/CoroutineFollower.java",
                    "        if (method.enter()) {\n            jobs.add(job);",
                    "        if (jobs.add(job) && jobs.isEmpty()) {"),
            Mutant.of(
                    "a cancelled coroutine releases its lock while a coroutine of another bean runs",
                    TEST,
                    "spring.interceptor.CancelledCoroutineTests.isLockedWhileItsCallOfAnotherBeanBlocks",
                    "spring/interceptor/CoroutineFollower.java",
                    "(!started || isRoot(job))",
                    "!started"),
            Mutant.of(
                    "a coroutine starts although its lease was lost while it waited for a thread",
                    TEST,
                    "spring.interceptor.LateStartTests.coroutineFails",
                    "spring/interceptor/CoroutineFollower.java",
                    "            start.run();\n",
                    ""),
            Mutant.of(
                    "a method releases its lock while its locked coroutine of another bean runs",
                    TEST,
                    "spring.interceptor.CancelledCoroutineTests.isLockedWhileItsLockedCallOfAnotherBeanBlocks",
                    "spring/interceptor/ReactiveMethod.java",
                    "outer != null && outer.enter() ? outer::leave : () -> {}",
                    "() -> {}"),
            Mutant.of(
                    "a method releases its lock while its locked publisher of another bean runs",
                    TEST,
                    "spring.interceptor.NestedCallTests.ofPublisher",
                    "spring/interceptor/ReactiveMethod.java",
                    "outer != null && outer.enter() ? outer::leave : () -> {}",
                    "() -> {}"),
            Mutant.of(
                    "a method releases its lock while the fallback of its locked publisher runs",
                    TEST,
                    "spring.interceptor.NestedCallTests.ofPublisherWhoseFallbackRuns",
                    "spring/interceptor/ReactiveMethod.java",
                    "return counted(() -> call().instead(notAcquired));",
                    "return Flux.defer(() -> publisher(() -> call().instead(notAcquired)));"),
            Mutant.of(
                    "an exception that a task decorator does not declare keeps the lock",
                    TEST,
                    "spring.interceptor.FutureExecutorTests.checkedExceptionOfDecoratedTaskReleasesLock",
                    "spring/interceptor/FutureExecutor.java",
                    "ForeignCode.run(() -> caller.run(decorated), failure -> refusal = failure);",
                    "caller.run(decorated);"),
            Mutant.of(
                    "a task that its executor cancels is never answered",
                    TEST,
                    "spring.interceptor.FutureExecutorTests.taskThatExecutorCancelsReleasesLock",
                    "spring/interceptor/FutureExecutor.java",
                    "if (isCancelled()) {",
                    "if (!isCancelled()) {"),
            Mutant.of(
                    "the fallback of a draining manager lacks the context of its caller",
                    TEST,
                    "spring.interceptor.DrainedCallTests.fallbackOfWaitingFutureHasContextOfItsCaller",
                    "spring/interceptor/FutureExecutor.java",
                    "                    callOutside(); // its failure",
                    "                    method.run(); // its failure"),
            Mutant.of(
                    "a method releases its lock while its coroutine in another context runs",
                    TEST,
                    "spring.interceptor.CancelledCoroutineTests.isLockedWhileItsLockedCallInAnotherContextBlocks",
                    "spring/interceptor/ReactiveType.java",
                    "adapter == null ? CoroutineFollower.methodOfCaller(call) : null",
                    "null"),
            Mutant.of(
                    "the thread of a coroutine does not know its lock",
                    TEST,
                    "spring.interceptor.KotlinTests.knowTheirLockOnEachThread",
                    "spring/interceptor/CoroutineFollower.java",
                    "        LockScope.restore(scope.get());\n",
                    ""),
            Mutant.of(
                    "a flow does not know its lock after it has waited for its collector",
                    TEST,
                    "spring.interceptor.KotlinTests.knowTheirLockOnEachThread",
                    "spring/interceptor/ReactiveFlow.java",
                    "(Flow<Object>) flow, follower)",
                    "kotlinx.coroutines.flow.FlowKt.flowOn((Flow<Object>) flow, follower))"),
            Mutant.of(
                    "a coroutine forgets the lock that it is nested in",
                    TEST,
                    "spring.interceptor.KotlinTests.knowTheirLockOnEachThread",
                    "spring/interceptor/ReactiveMethod.java",
                    "new LockScope(lease, scope)",
                    "new LockScope(lease, null)"),
            Mutant.of(
                    "a detached coroutine calls others under a lock that has ended",
                    TEST,
                    "spring.interceptor.KotlinTests.knowTheirLockOnEachThread",
                    "spring/interceptor/ReactiveMethod.java",
                    "            onEnd = locked::end;\n",
                    ""),
            Mutant.of(
                    "a method waits for a part of its coroutine that cannot be cancelled",
                    TEST,
                    "spring.interceptor.CoroutineFollowerTests.doesNotWaitForPartThatCannotBeCancelled",
                    "spring/interceptor/CoroutineFollower.java",
                    " && job != NonCancellable.INSTANCE",
                    ""),
            Mutant.of(
                    "a thread knows the lock of a coroutine that it has left",
                    TEST,
                    "spring.interceptor.KotlinTests.knowTheirLockOnEachThread",
                    "spring/interceptor/CoroutineFollower.java",
                    "        LockScope.restore(before);\n",
                    ""),
            Mutant.of(
                    "a cancelled flow releases its lock before its producer starts",
                    TEST,
                    "spring.interceptor.CancelledCoroutineTests.isLockedUntilItsFlowOnBusyDispatcherHasRun",
                    "spring/interceptor/ReactiveFlow.java",
                    "(Flow<Object>) flow, follower)",
                    "(Flow<Object>) flow)"),
            Mutant.of(
                    "a coroutine that runs after the end of its method is kept",
                    TEST,
                    "spring.interceptor.CoroutineFollowerTests.keepsNoCoroutineThatRunsAfterTheEnd",
                    "spring/interceptor/CoroutineFollower.java",
                    "        if (method.enter()) {\n            jobs.add(job);",
                    "        if (jobs.add(job) && method.enter()) {"),
            Mutant.of(
                    "a method releases its lock while the fallback of its call runs",
                    TEST,
                    "spring.interceptor.CancelledCoroutineTests.isLockedWhileTheFallbackOfItsCallBlocks",
                    "spring/interceptor/ReactiveMethod.java",
                    ".thenCombine(method.close(), (acquired, left) -> acquired)",
                    ".thenCombine(call.acquired().isCompletedExceptionally() ? CompletableFuture.<Void>completedFuture(null) : method.close(), (acquired, left) -> acquired)"),
            Mutant.of(
                    "a lock is kept if its subscription is cancelled while it begins",
                    TEST,
                    "spring.interceptor.OperatorHookTests.keepNoLockIfCancelledWhileItsNameIsEvaluated",
                    "spring/interceptor/ReactiveMethod.java",
                    "begin.thenCompose(call -> release(call, failure))",
                    "(begin.isDone()\n                    ? begin.thenCompose(call -> release(call, failure))\n                    : CompletableFuture.<Void>completedFuture(null))"),
            Mutant.of(
                    "a name that throws a CancellationException leaves its subscriber without an answer",
                    TEST,
                    "spring.interceptor.PublisherEndTests.cancellationInTheNameReachesTheSubscriber",
                    "spring/interceptor/ReactiveMethod.java",
                    "} else if (!cancelled) {",
                    "} else if (!cancelled && !call().acquired().isCancelled()) {"),
            Mutant.of(
                    "a context that cannot be restored keeps the lock of a publisher",
                    TEST,
                    "spring.interceptor.PropagationFailureTests.onTheThreadThatSubscribes",
                    "spring/interceptor/ReactiveMethod.java",
                    "                sink.error(failure);\n                return;\n",
                    "                return;\n"),
            Mutant.of(
                    "a publisher that is cancelled before its start keeps its lock for the minimum hold",
                    TEST,
                    "spring.interceptor.UnusedLockTests.ofPublisherThatIsCancelledInTheQueue",
                    "spring/interceptor/AsyncCall.java",
                    "return entered ? LeasedWork.endAsync(lease, failure) : LeasedWork.endUnusedAsync(lease);",
                    "return LeasedWork.endAsync(lease, failure);"),
            Mutant.of(
                    "a publisher whose cancellation fails keeps its lock",
                    TEST,
                    "spring.interceptor.PublisherEndTests.failingCancellationReleases",
                    "spring/interceptor/ReactiveThreads.java",
                    "ForeignCode.run(\n                    () -> Objects.requireNonNull(subscription).cancel(),\n                    failure ->",
                    "Objects.requireNonNull(subscription).cancel();\n            ForeignCode.run(() -> {}, failure ->"),
            Mutant.of(
                    "an error of the thread that executes a publisher ends no subscription",
                    TEST,
                    "spring.interceptor.PublisherEndTests.errorOfTheThreadReachesTheSubscriber",
                    "spring/interceptor/ReactiveThreads.java",
                    "                fail(failure);",
                    "                throw failure;"),
            Mutant.of(
                    "a publisher that has completed releases its lock while its thread works",
                    TEST,
                    "spring.interceptor.CancelledPublisherTests.isLockedWhileRequestedElementIsComputedAfterCompletion",
                    "spring/interceptor/ReactiveThreads.java",
                    "                actual.onComplete();",
                    "                method.leave();\n                actual.onComplete();"),
            Mutant.of(
                    "a method starts although its lease was lost while it waited for a thread",
                    TEST,
                    "spring.interceptor.LateStartTests.futureFails",
                    "spring/interceptor/LockedBody.java",
                    "        lease.ensureHeld(); //",
                    "        //"),
            Mutant.of(
                    "a list of names is one lock with its text",
                    TEST,
                    "spring.interceptor.SeveralNamesTests.expressionGivesOneLockPerElement",
                    "spring/interceptor/LockRequestFactory.java",
                    "name.allForCall(call).stream()",
                    "List.of(name.forCall(call)).stream()"),
            Mutant.of(
                    "a circuit switch is closed for all processes when a bean of it ends",
                    TEST,
                    "spring.boot.CircuitSwitchBeanTests.staysOpenForOthersWhenItsContextFailsOrCloses",
                    "spring/boot/CircuitSwitchPostProcessor.java",
                    "type == CircuitSwitch.class",
                    "type == null"),
            Mutant.of(
                    "a circuit switch that an advisor needs is closed for all processes by a failed start",
                    TEST,
                    "spring.boot.CircuitSwitchBeanTests.staysOpenIfAnAdvisorNeedsIt",
                    "spring/boot/CircuitSwitchPostProcessor.java",
                    ", PriorityOrdered {\n\n    @Override\n    public int getOrder() {\n        return HIGHEST_PRECEDENCE;",
                    " {\n\n    public int order() {\n        return 0;"),
            Mutant.of(
                    "a condition that fails takes the list of locks away",
                    TEST,
                    "spring.interceptor.ConditionTests.lockWhoseConditionFailsIsListedWithoutIt",
                    "spring/interceptor/AttributeTemplate.java",
                    "catch (RuntimeException failure)",
                    "catch (IllegalArgumentException failure)"),
            Mutant.of(
                    "a client for locks loses its configuration to that of a customizer",
                    TEST,
                    "spring.boot.ReplacementTests.theClientIsWhatACustomizerMakesOfItAndStillForLocks",
                    "spring/boot/DynamoDbClientFactory.java",
                    ".addPlugin(DynamoDbLockStore::configureClient)",
                    ".addPlugin(unused -> DynamoDbLockStore.DEFAULT_TABLE_NAME.length())"),
            Mutant.of(
                    "the health of a child is up while the store of its parent's manager is down",
                    TEST,
                    "spring.ChildContextTests.managerOfParentIsShownInTheChildThatObservesIt",
                    "spring/boot/DynamolockHealthAutoConfiguration.java",
                    "BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, LockManager.class, false, false)",
                    "beans.getBeanNamesForType(LockManager.class, false, false)"));

    private PublisherMutants() {}
}
