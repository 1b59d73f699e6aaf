/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynamolock.LeaseLostException;
import io.dynamolock.LockManager;
import io.dynamolock.LockState;
import io.dynamolock.OnLost;
import io.dynamolock.spring.DistributedLock;
import io.dynamolock.spring.Locking;
import io.dynamolock.spring.Locks;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Locked methods whose lock is lost while they run. */
class OnLostTests {

    private final ApplicationContextRunner contexts =
            Locking.inMemory().withPropertyValues("dynamolock.heartbeat.interval=20ms");

    @Test
    void annotatedMethodIsInterruptedOnlyWhileItRuns() {
        contexts.withBean(Work.class).run(context -> {
            Work work = context.getBean(Work.class);

            assertLost(work::interruptible);
            assertThat(work.wasInterrupted()).isTrue();
            assertLost(work::deaf);
            assertThat(work.wasInterrupted()).isTrue();
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
        });
    }

    @Test
    void methodWithoutPolicyFollowsTheProperty() {
        contexts.withBean(Work.class).run(context -> {
            assertLost(context.getBean(Work.class)::plain);
            assertThat(context.getBean(Work.class).wasInterrupted()).isFalse();
        });
        contexts.withPropertyValues("dynamolock.on-lost=interrupt")
                .withBean(Work.class)
                .run(context -> {
                    assertLost(context.getBean(Work.class)::plain);
                    assertThat(context.getBean(Work.class).wasInterrupted()).isTrue();
                    assertThat(context.getBean(Work.class).undisturbed()).isFalse();
                });
    }

    /** Asserts that the loss reaches the caller. */
    private static void assertLost(ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOf(LeaseLostException.class);
    }

    static class Work {

        private final LockManager locks;
        private boolean interrupted;

        Work(LockManager locks) {
            this.locks = locks;
        }

        @DistributedLock(name = "interruptible", onLost = OnLost.INTERRUPT)
        public boolean interruptible() {
            return isInterruptedWhenItsLockIsLost("interruptible");
        }

        @DistributedLock(name = "undisturbed", onLost = OnLost.EVENT)
        public boolean undisturbed() {
            return isInterruptedWhenItsLockIsLost("undisturbed");
        }

        @DistributedLock("plain")
        public boolean plain() {
            return isInterruptedWhenItsLockIsLost("plain");
        }

        public boolean wasInterrupted() {
            return interrupted;
        }

        /** Loses its lock, and leaves the interrupt flag of its thread set. */
        @DistributedLock(name = "deaf", onLost = OnLost.INTERRUPT)
        public boolean deaf() {
            lose("deaf");
            long end = System.nanoTime() + Locking.TIMEOUT.toNanos();
            do {
                Thread.onSpinWait();
                interrupted = Thread.currentThread().isInterrupted();
            } while (!interrupted && System.nanoTime() - end < 0);
            return interrupted;
        }

        private boolean isInterruptedWhenItsLockIsLost(String name) {
            CountDownLatch lost = new CountDownLatch(1);
            Locks.current().orElseThrow().onLost(loss -> lost.countDown());
            lose(name);
            try {
                boolean told = lost.await(60, TimeUnit.SECONDS);
                assertThat(told).isTrue();
                interrupted = Thread.interrupted();
            } catch (InterruptedException noticed) {
                interrupted = true;
            }
            return interrupted;
        }

        private void lose(String name) {
            LockState state = locks.inspect(name);
            locks.forceRelease(name, String.valueOf(state.leaseId()));
        }
    }
}
