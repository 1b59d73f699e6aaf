/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynamolock.LeaseLost.Reason;
import io.dynamolock.memory.InMemoryLockStore;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ProcessExitTests {

    private static final LeaseLost LOSS = new LeaseLost("job", "node", Reason.TAKEN, Instant.EPOCH, null);

    private final BlockingQueue<String> ends = new LinkedBlockingQueue<>();
    private final CountDownLatch hooksEnd = new CountDownLatch(1);

    @Test
    void exitsWithStatusOne() throws InterruptedException {
        new ProcessExit(TimeUnit.SECONDS.toNanos(1), status -> ends.add("exit " + status), this::halt).accept(LOSS);

        assertThat(ends.poll(TestRun.TIMEOUT.toSeconds(), TimeUnit.SECONDS)).isEqualTo("exit 1");
        assertThat(ends.poll(1_100, TimeUnit.MILLISECONDS)).isNull();
    }

    @Test
    void lossEndsProcessByDefault() throws Exception {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        Process process = new ProcessBuilder(
                        java,
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        LosesItsLock.class.getName())
                .redirectErrorStream(true)
                .start();
        try {
            assertThat(process.waitFor(TestRun.TIMEOUT.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
            assertThat(process.exitValue()).isEqualTo(1);
            assertThat(process.inputReader().lines())
                    .contains(LosesItsLock.HELD)
                    .noneMatch(line -> line.startsWith("Exception"));
        } finally {
            process.destroyForcibly();
        }
    }

    /** A process that goes on forever unless the loss ends it. */
    static final class LosesItsLock {

        private static final String HELD = "the lock is held";

        private LosesItsLock() {}

        public static void main(String[] none) throws InterruptedException {
            LockManager locks = LockManager.builder(new InMemoryLockStore()).build();
            Lease lease = locks.acquire(LockRequest.of("job").onLost(OnLost.SHUTDOWN));
            System.out.println(HELD);
            var unused = locks.forceFree("job");
            lease.verify();
            new CountDownLatch(1).await();
        }
    }

    @Test
    void haltsProcessIfShutdownHooksHang() throws InterruptedException {
        ProcessExit exit = new ProcessExit(1_000_000, status -> Latches.await(hooksEnd), this::halt);
        Thread ending = new Thread(() -> exit.accept(LOSS));
        ending.start();

        assertThat(ends.poll(TestRun.TIMEOUT.toSeconds(), TimeUnit.SECONDS)).isEqualTo("halt 1");
        hooksEnd.countDown();
        ending.join(TestRun.TIMEOUT.toMillis());
    }

    @Test
    void nextLossExitsIfFirstCouldNot() {
        List<LeaseLost> losses = new ArrayList<>();
        ShutdownOnLoss shutdownOnLoss = new ShutdownOnLoss(loss -> {
            losses.add(loss);
            if (losses.size() == 1) {
                throw new OutOfMemoryError("unable to create native thread");
            }
        });

        assertThatThrownBy(() -> shutdownOnLoss.shutDownOnThisThread(LOSS)).isInstanceOf(OutOfMemoryError.class);
        shutdownOnLoss.shutDownOnThisThread(LOSS);
        shutdownOnLoss.shutDownOnThisThread(LOSS);

        assertThat(losses).hasSize(2);
    }

    private void halt(int status) {
        ends.add("halt " + status);
    }
}
