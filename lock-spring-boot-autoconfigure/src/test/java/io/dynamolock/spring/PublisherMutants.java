/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring;

import static io.dynamolock.Mutant.Judge.TEST;

import io.dynamolock.Mutant;
import java.util.List;

/** Seeded faults in locked methods that return publishers, in coroutines, and in late starts. */
final class PublisherMutants {

    static final List<Mutant> ALL = List.of(
            Mutant.of(
                    "a lost lock does not reach the caller of a publisher",
                    TEST,
                    "spring.interceptor.ReactiveTests.failIfTheLockWasLostMeanwhile",
                    "spring/interceptor/ReactiveMethod.java",
                    "Mono.justOrEmpty(lost.get()).flatMap(Mono::error)",
                    "Mono.empty()"),
            Mutant.of(
                    "a cancelled publisher keeps its lock",
                    TEST,
                    "spring.interceptor.ReactiveTests.releaseOnErrorAndOnCancellation",
                    "spring/interceptor/ReactiveMethod.java",
                    "                        Hold::end,\n                        hold -> hold.end(null))",
                    "                        Hold::end,\n                        hold -> Mono.empty())"),
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
                    "                        Hold::end,\n                        hold -> hold.end(null))",
                    "                        (hold, failure) -> Mono.empty(),\n                        hold -> hold.end(null))"),
            Mutant.of(
                    "a publisher completes before its lock is released",
                    TEST,
                    "spring.interceptor.ReactiveTests.holdUntilTheLastElementAndCompleteAfterTheRelease",
                    "spring/interceptor/ReactiveMethod.java",
                    "hold -> hold.end(null),\n                        Hold::end,",
                    "hold -> Mono.fromRunnable(() -> hold.end(null)\n                                .delaySubscription(java.time.Duration.ofMillis(500))\n                                .subscribe()),\n                        Hold::end,"),
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
                    "jobs.add(job) && method.enter()",
                    "jobs.add(job) && jobs.isEmpty()"),
            Mutant.of(
                    "a cancelled coroutine releases its lock while a coroutine of another bean runs",
                    TEST,
                    "spring.interceptor.CancelledCoroutineTests.isLockedWhileItsCallOfAnotherBeanBlocks",
                    "spring/interceptor/CoroutineFollower.java",
                    "(!started || job.getParent() == null)",
                    "!started"),
            Mutant.of(
                    "a publisher whose cancellation fails keeps its lock",
                    TEST,
                    "spring.interceptor.PublisherEndTests.failingCancellationReleases",
                    "spring/interceptor/ReactiveThreads.java",
                    "LOG.warn(\"The publisher of a locked method failed on its cancellation\", failure);",
                    "throw failure;"),
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
                    "        //"));

    private PublisherMutants() {}
}
