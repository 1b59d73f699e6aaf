/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.LockManager;
import io.dynamolock.dynamodb.FaultyHttpClient;
import io.dynamolock.spring.DistributedLock;
import io.dynamolock.spring.Locks;
import io.dynamolock.spring.integration.LeaseLockRegistry;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.integration.support.locks.DefaultLockRegistry;
import org.springframework.integration.support.locks.LockRegistry;

/** The lock registry in applications. */
@SuppressWarnings("LockNotBeforeTry") // a failing test ends with its manager
class IntegrationAutoConfigurationTests {

    private final FaultyHttpClient http = TestClients.http();
    private final ApplicationContextRunner contexts = TestClients.contexts(http)
            .withConfiguration(AutoConfigurations.of(DynamolockIntegrationAutoConfiguration.class));

    @Test
    void applicationsOnOneTableExcludeEachOther() {
        contexts.run(one -> contexts.run(other -> {
            var lock = one.getBean(LeaseLockRegistry.class).obtain("job");
            var rival = other.getBean(LeaseLockRegistry.class).obtain("job");

            lock.lock();
            assertThat(rival.tryLock()).isFalse();
            lock.unlock();
            assertThat(rival.tryLock(10, TimeUnit.SECONDS)).isTrue();
            rival.unlock();
        }));
    }

    @Test
    void lockedMethodEntersTheLockOfItsThread() {
        contexts.withBean(Work.class).run(context -> {
            long sent = context.getBean(LeaseLockRegistry.class).<Long, RuntimeException>executeLocked("job", () -> {
                long before = http.count("UpdateItem");
                context.getBean(Work.class).run();
                return http.count("UpdateItem") - before;
            });
            assertThat(sent).isZero();
        });
    }

    @Test
    void registryOfTheApplicationWins() {
        contexts.withBean(DefaultLockRegistry.class)
                .run(context ->
                        assertThat(context).getBean(LockRegistry.class).isInstanceOf(DefaultLockRegistry.class));
    }

    @Test
    void registryUsesTheDefaultManager() {
        contexts.withPropertyValues("dynamolock.managers.billing.store=memory").run(context -> {
            context.getBean(LeaseLockRegistry.class).obtain("job").lock();

            assertThat(context.getBean(LockManager.class).held()).hasSize(1);
            context.getBean(LeaseLockRegistry.class).obtain("job").unlock();
        });
    }

    @Test
    void applicationStartsWithoutSpringIntegration() {
        contexts.withClassLoader(TestClients.without("org.springframework.integration"))
                .run(context ->
                        assertThat(context).hasSingleBean(LockManager.class).doesNotHaveBean("dynamolockLockRegistry"));
    }

    @Test
    void disabledLocksGrantEveryRequest() {
        contexts.withPropertyValues("dynamolock.enabled=false").run(context -> {
            LeaseLockRegistry registry = context.getBean(LeaseLockRegistry.class);
            assertThat(registry.<String, RuntimeException>executeLocked("job", () -> "ran"))
                    .isEqualTo("ran");
            assertThat(http.attempts()).isEmpty();
        });
    }

    static class Work {

        @DistributedLock("job")
        public void run() {
            Locks.assertHeld();
        }
    }
}
