/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynamolock.Lease;
import io.dynamolock.LockManager;
import io.dynamolock.memory.InMemoryLockStore;
import io.dynamolock.spring.DistributedLock;
import io.dynamolock.spring.InvalidDistributedLockException;
import io.dynamolock.spring.Locks;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** The annotation in a context of Spring to which no auto-configuration applies, as the FAQ describes it. */
class WithoutAutoConfigurationTests {

    @Test
    void importedConfigurationLocksMethods() {
        try (AnnotationConfigApplicationContext context =
                new AnnotationConfigApplicationContext(Imported.class, Work.class)) {
            assertThat(context.getBean(Work.class).run()).isEqualTo("job");
        }
    }

    @Test
    void importedConfigurationChecksAnnotations() {
        assertThatThrownBy(() -> new AnnotationConfigApplicationContext(Imported.class, FinalWork.class))
                .hasStackTraceContaining(InvalidDistributedLockException.class.getName());
    }

    @Test
    void onlyAssertHeldNoticesThatNothingIsImported() {
        try (AnnotationConfigApplicationContext context =
                new AnnotationConfigApplicationContext(Locking.class, Work.class)) {
            Work work = context.getBean(Work.class);

            assertThatThrownBy(work::run)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("No lock");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Locking {

        @Bean
        LockManager locks() {
            return LockManager.builder(new InMemoryLockStore()).build();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import(DistributedLockAutoConfiguration.class)
    static class Imported extends Locking {}

    static class Work {

        @DistributedLock("job")
        public String run() {
            Locks.assertHeld();
            return Locks.current().map(Lease::name).orElseThrow();
        }
    }

    static class FinalWork {

        @DistributedLock("job")
        public final void run() {
            Locks.assertHeld();
        }
    }
}
