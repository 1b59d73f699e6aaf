/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.dynamolock.Lease;
import io.dynamolock.LockManager;
import io.dynamolock.spring.DistributedLock;
import io.dynamolock.spring.LockInterruptedException;
import io.dynamolock.spring.Locking;
import io.dynamolock.spring.Undeclared;
import java.io.IOException;
import java.lang.reflect.UndeclaredThrowableException;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Outcomes of locked methods: their exceptions and interruptions. */
class BodyTests {

    private final ApplicationContextRunner contexts = Locking.inMemory().withBean(Work.class);

    @Test
    void exceptionOfMethodReachesCaller() {
        contexts.run(context -> {
            Work work = context.getBean(Work.class);
            for (Throwable thrown : new Throwable[] {
                new IOException("checked"),
                new IllegalStateException("unchecked"),
                new AssertionError("error"),
                new Odd()
            }) {
                assertThat(catchThrowable(() -> work.fail(thrown))).isSameAs(thrown);
            }
            assertThat(context.getBean(Locking.class).events()).hasSize(8).endsWith("+job", "-job");
        });
    }

    @Test
    void interruptionByMethodReachesCaller() {
        contexts.run(context -> {
            InterruptedException thrown = new InterruptedException("the body's");

            assertThatThrownBy(() -> context.getBean(Work.class).fail(thrown)).isSameAs(thrown);
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
        });
    }

    @Test
    void undeclaredInterruptionByMethodIsNotThatOfTheWait() {
        contexts.run(context -> {
            InterruptedException thrown = new InterruptedException("the body's");

            assertThatThrownBy(() -> context.getBean(Work.class).failSecretly(thrown))
                    .isInstanceOf(UndeclaredThrowableException.class)
                    .cause()
                    .isSameAs(thrown);
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
        });
    }

    @Test
    void interruptedWaitThrowsDeclaredException() {
        contexts.run(context -> {
            Throwable thrown = interruptedWhileWaiting(
                    context.getBean(LockManager.class), context.getBean(Work.class)::declares, new AtomicBoolean());

            assertThat(thrown).isInstanceOf(InterruptedException.class);
            assertThat(context.getBean(Work.class).ran()).isFalse();
        });
    }

    @Test
    void interruptedWaitKeepsFlagIfExceptionIsUndeclared() {
        contexts.run(context -> {
            AtomicBoolean flag = new AtomicBoolean();
            Throwable thrown = interruptedWhileWaiting(
                    context.getBean(LockManager.class), context.getBean(Work.class)::declaresNothing, flag);

            assertThat(thrown)
                    .isInstanceOf(LockInterruptedException.class)
                    .hasMessageContaining("'job'")
                    .hasCauseInstanceOf(InterruptedException.class);
            assertThat(flag).isTrue();
            assertThat(context.getBean(Work.class).ran()).isFalse();
        });
    }

    @Test
    void closedManagerRunsNoMethod() {
        contexts.run(context -> {
            context.getBean(LockManager.class).close();

            assertThatExceptionOfType(IllegalStateException.class)
                    .isThrownBy(() -> context.getBean(Work.class).declaresNothing());
            assertThat(context.getBean(Work.class).ran()).isFalse();
        });
    }

    private interface Call {
        void run() throws Exception;
    }

    private static Throwable interruptedWhileWaiting(LockManager locks, Call call, AtomicBoolean flag)
            throws InterruptedException {
        AtomicReference<@Nullable Throwable> thrown = new AtomicReference<>();
        try (Lease held = locks.tryAcquire("job").orElseThrow()) {
            Thread waiter = new Thread(() -> {
                thrown.set(catchThrowable(call::run));
                flag.set(Thread.currentThread().isInterrupted());
            });
            waiter.start();
            Awaitility.await().until(() -> Locking.isWaiting(waiter));
            waiter.interrupt();
            waiter.join(60_000);
            assertThat(held.isHeld()).isTrue();
        }
        return Objects.requireNonNull(thrown.get());
    }

    @SuppressWarnings("serial")
    private static final class Odd extends Throwable {}

    static class Work {

        private volatile boolean ran;

        public boolean ran() {
            return ran;
        }

        @DistributedLock("job")
        public void fail(Throwable failure) throws Throwable {
            throw failure;
        }

        @DistributedLock("job")
        public void failSecretly(Throwable failure) {
            throw Undeclared.rethrow(failure);
        }

        @DistributedLock(name = "job", waitTime = "1m")
        public void declares() throws InterruptedException {
            ran = true;
        }

        @DistributedLock(name = "job", waitTime = "1m")
        public void declaresNothing() {
            ran = true;
        }
    }
}
