/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import io.dynamolock.Lease;
import io.dynamolock.LockManager;
import io.dynamolock.spring.Locking;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.springframework.aop.support.NameMatchMethodPointcutAdvisor;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

/** The work of a cancelled coroutine that goes on has its lock. */
class CancelledCoroutineTests {

    private final ApplicationContextRunner contexts = Locking.inMemory().withBean(KotlinWork.class);
    private final DeafTask task = new DeafTask();

    @FunctionalInterface
    private interface Cancelled {

        void call(KotlinWork work, Runnable task, Runnable until);
    }

    @Test
    void isLockedWhileItBlocksItsDispatcher() {
        isLockedUntilItsEnd(KotlinCalls::cancelledBlocking);
    }

    @Test
    void isLockedWhileItBlocksAnotherDispatcher() {
        isLockedUntilItsEnd(KotlinCalls::cancelledBlockingElsewhere);
    }

    @Test
    void isLockedWhileItCleansUp() {
        isLockedUntilItsEnd(KotlinCalls::cancelledCleaningUp);
    }

    @Test
    void isLockedWhileItsCallOfAnotherBeanBlocks() {
        withAnother(other -> (work, task, until) -> KotlinCalls.cancelledCallingAdvised(work, other, task, until));
    }

    @Test
    void isLockedWhileItsLockedCallOfAnotherBeanBlocks() {
        withAnother(other -> (work, task, until) -> KotlinCalls.cancelledCallingLocked(work, other, task, until));
    }

    @Test
    void isLockedWhileItsLockedCallInAnotherContextBlocks() {
        withAnother(other ->
                (work, task, until) -> KotlinCalls.cancelledCallingLockedInAnotherContext(work, other, task, until));
    }

    @Test
    void isLockedWhileTheFallbackOfItsCallBlocks() {
        contexts.withBean(KotlinHelper.class).run(context -> {
            KotlinHelper other = context.getBean(KotlinHelper.class);
            Lease busy = context.getBean(LockManager.class).tryAcquire("busy").orElseThrow();

            isLockedUntilItsEnd(
                    context, (work, task, until) -> KotlinCalls.cancelledCallingFallback(work, other, task, until));
            busy.release();
        });
    }

    @Test
    void isLockedWhileItsLockedFlowOfAnotherBeanBlocks() {
        withAnother(other -> (work, task, until) -> KotlinCalls.cancelledCallingLockedFlow(work, other, task, until));
    }

    @Test
    void isLockedWhileItsLockedPublisherOfAnotherBeanBlocks() {
        withAnother(other -> (work, task, until) -> KotlinCalls.cancelledCallingLockedMono(work, other, task, until));
    }

    @Test
    void isLockedWhileItsFlowCleansUp() {
        isLockedUntilItsEnd(KotlinCalls::cancelledFlowThatCleansUp);
    }

    @Test
    void isLockedWhileItsFlowBlocksAnotherDispatcher() {
        isLockedUntilItsEnd(KotlinCalls::cancelledBlockingFlow);
    }

    /** The producer of a flow starts even if its collector was cancelled before. */
    @Test
    void isLockedUntilItsFlowOnBusyDispatcherHasRun() {
        Queue<Runnable> queued = new ConcurrentLinkedQueue<>();
        contexts.run(context -> {
            KotlinWork work = context.getBean(KotlinWork.class);
            task.mayEnd();

            KotlinCalls.cancelledFlowOn(
                    work, queued::add, task::run, () -> Awaitility.await().until(() -> !queued.isEmpty()));

            HeldLock.assertHeldUntil(context.getBean(LockManager.class), task::hasLeft, () -> runAll(queued));
        });
    }

    @Test
    void isCancelledAndLockedWhileItsDeferredValueCleansUp() {
        isLockedUntilItsEnd(KotlinCalls::cancelledDeferredThatCleansUp);
    }

    @Test
    void isLockedWhileItsLockedDeferredValueOfAnotherBeanBlocks() {
        withAnother(
                other -> (work, task, until) -> KotlinCalls.cancelledCallingLockedDeferred(work, other, task, until));
    }

    private static void runAll(Queue<Runnable> queued) {
        for (Runnable task = queued.poll(); task != null; task = queued.poll()) {
            task.run();
        }
    }

    private void withAnother(Function<KotlinHelper, Cancelled> call) {
        contexts.withBean(KotlinHelper.class)
                .withBean(NameMatchMethodPointcutAdvisor.class, CancelledCoroutineTests::advisor)
                .run(context -> isLockedUntilItsEnd(context, call.apply(context.getBean(KotlinHelper.class))));
    }

    private static NameMatchMethodPointcutAdvisor advisor() {
        NameMatchMethodPointcutAdvisor advisor =
                new NameMatchMethodPointcutAdvisor((MethodInterceptor) MethodInvocation::proceed);
        advisor.setClassFilter(KotlinHelper.class::isAssignableFrom);
        advisor.setMappedName("advised");
        return advisor;
    }

    private void isLockedUntilItsEnd(Cancelled call) {
        contexts.run(context -> isLockedUntilItsEnd(context, call));
    }

    private void isLockedUntilItsEnd(ApplicationContext context, Cancelled call) {
        KotlinWork work = context.getBean(KotlinWork.class);

        call.call(work, task::run, () -> Awaitility.await().until(() -> work.entered() == 1 || task.isEntered()));

        HeldLock.assertHeldUntil(context.getBean(LockManager.class), task::hasLeft, task::mayEnd);
    }
}
