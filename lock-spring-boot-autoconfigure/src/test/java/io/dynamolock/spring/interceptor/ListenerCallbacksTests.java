/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.Lease;
import io.dynamolock.LockManager;
import io.dynamolock.spring.DistributedLock;
import io.dynamolock.spring.InvalidDistributedLockException;
import io.dynamolock.spring.Locking;
import io.dynamolock.spring.OnBusy;
import io.dynamolock.spring.StartFailure;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.ExitCodeGenerator;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.kafka.listener.ConsumerAwareRebalanceListener;
import org.springframework.kafka.listener.ConsumerSeekAware;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.support.SimpleTransactionStatus;

/** Callbacks under a busy lock would end what calls them: a consumer, a step, a transaction. */
class ListenerCallbacksTests {

    private final ApplicationContextRunner contexts = Locking.inMemory();

    @Test
    void areNotLockedUnlessTheBeanImplementsThem() {
        contexts.withBean(Auditor.class).run(context -> {
            Auditor auditor = context.getBean(Auditor.class);
            auditor.beforeCommit(new SimpleTransactionStatus());
            assertThat(context.getBean(Locking.class).acquired()).isEmpty();

            auditor.afterCommit(new SimpleTransactionStatus(), null);

            assertThat(context.getBean(Locking.class).acquired()).containsExactly("audit");
        });
    }

    @Test
    void areNotLockedInConsumersThatDoNotImplementThem() {
        contexts.withBean(Consumer.class).run(context -> {
            Consumer consumer = context.getBean(Consumer.class);
            consumer.onFirstPoll();
            assertThat(context.getBean(Locking.class).acquired()).isEmpty();

            consumer.onIdleContainer();

            assertThat(context.getBean(Locking.class).acquired()).containsExactly("consumer");
        });
    }

    /** Its container calls a method that calls the bean's, which no lock of the type would reach. */
    @Test
    void areRefusedIfTheyMayCallWorkOfTheBean() {
        contexts.withBean(Rebalancer.class)
                .run(context -> assertThat(StartFailure.of(context, InvalidDistributedLockException.class))
                        .hasMessageContaining("Rebalancer.onPartitionsRevokedBeforeCommit: ")
                        .hasMessageContaining("ConsumerAwareRebalanceListener")
                        .hasMessageContaining("Annotate the methods to lock instead of Rebalancer"));
    }

    @Test
    void giveTheExitCodeWhileTheLockIsBusy() {
        contexts.withBean(Exporter.class).run(context -> {
            assertThat(context).hasNotFailed();
            try (Lease other =
                    context.getBean(LockManager.class).tryAcquire("export").orElseThrow()) {
                assertThat(other.isHeld()).isTrue();
                assertThat(SpringApplication.exit(context.getSourceApplicationContext()))
                        .isEqualTo(3);
            }
        });
    }

    @DistributedLock("audit")
    static class Auditor implements TransactionExecutionListener {

        @Override
        public void afterCommit(TransactionExecution unused, @Nullable Throwable failure) {}
    }

    @DistributedLock("consumer")
    static class Consumer implements ConsumerSeekAware {

        @Override
        public void onIdleContainer() {}
    }

    @DistributedLock("rebalancer")
    static class Rebalancer implements ConsumerAwareRebalanceListener {

        @Override
        public void onPartitionsRevoked() {}
    }

    /** A skipped call has no number to return. */
    @DistributedLock(name = "export", onBusy = OnBusy.SKIP)
    static class Exporter implements ExitCodeGenerator {

        @Override
        public int getExitCode() {
            return 3;
        }

        public void export() {}
    }
}
