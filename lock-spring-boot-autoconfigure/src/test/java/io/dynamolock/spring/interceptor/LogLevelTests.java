/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import ch.qos.logback.classic.Level;
import io.dynamolock.Lease;
import io.dynamolock.LockBusyException;
import io.dynamolock.LockManager;
import io.dynamolock.spring.DistributedLock;
import io.dynamolock.spring.Locking;
import io.dynamolock.spring.LogCapture;
import io.dynamolock.spring.OnBusy;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;

/** Log levels of lock events. */
@ExtendWith(LogCapture.class)
class LogLevelTests {
    private final ApplicationContextRunner contexts = Locking.inMemory().withBean(Jobs.class);

    @Test
    void sayNothingAtInfoForAnAcquisitionOrABusyLock(CapturedOutput output) {
        contexts.run(context -> {
            Jobs jobs = context.getBean(Jobs.class);
            int before = output.getOut().length();

            jobs.run();
            Lease held = context.getBean(LockManager.class).tryAcquire("job").orElseThrow();
            jobs.skips();
            assertThatExceptionOfType(LockBusyException.class).isThrownBy(jobs::run);
            held.release();

            assertThat(output.getOut().substring(before)).isEmpty();
        });
    }

    @Test
    void logSkippedCallsAtDebugWithoutStackTrace(CapturedOutput output) {
        LogCapture.setLevel(Level.DEBUG);
        contexts.run(context -> {
            Lease held = context.getBean(LockManager.class).tryAcquire("job").orElseThrow();

            context.getBean(Jobs.class).skips();

            assertThat(output.getOut())
                    .contains("Skipped " + Jobs.class.getName() + ".skips: lock 'job' is busy")
                    .doesNotContain("\tat ", "LockBusyException");
            held.release();
        });
    }

    @Test
    void logLostLeaseOnce(CapturedOutput output) {
        contexts.withPropertyValues("dynamolock.heartbeat.interval=20ms").run(context -> {
            LockManager locks = context.getBean(LockManager.class);
            Lease lease = locks.tryAcquire("job").orElseThrow();

            int before = output.getOut().length();

            locks.revoke("job", lease.id());
            Awaitility.await().until(() -> output.getOut().contains("it was revoked"));
            lease.close();

            assertThat(output.getOut().substring(before))
                    .containsOnlyOnce("WARN ")
                    .containsOnlyOnce("Lost lock 'job'")
                    .doesNotContain("\tat ");
        });
    }

    static class Jobs {

        @DistributedLock("job")
        public void run() {}

        @DistributedLock(name = "job", onBusy = OnBusy.SKIP)
        public void skips() {}
    }
}
