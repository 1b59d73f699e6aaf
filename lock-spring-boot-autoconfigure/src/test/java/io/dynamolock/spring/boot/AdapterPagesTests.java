/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.LockManager;
import io.dynamolock.spring.DistributedLock;
import io.dynamolock.spring.Docs;
import io.dynamolock.spring.Locking;
import io.dynamolock.spring.integration.LeaseLockRegistry;
import io.dynamolock.spring.shedlock.LeaseLockProvider;
import java.util.ArrayList;
import java.util.List;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.spring.annotation.EnableSchedulerLock;
import net.javacrumbs.shedlock.spring.annotation.SchedulerLock;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.integration.leader.DefaultCandidate;
import org.springframework.integration.support.leader.LockRegistryLeaderInitiator;
import org.springframework.scheduling.annotation.Scheduled;

/** The code on the pages about moving from ShedLock and Spring Integration is the code in this class. */
class AdapterPagesTests {

    private final ApplicationContextRunner contexts = Locking.inMemory()
            .withPropertyValues("dynamolock.managers.billing.lease.duration=10s")
            .withUserConfiguration(Application.class);

    @ParameterizedTest
    @ValueSource(strings = {"shedlock.md", "spring-integration.md"})
    void pageShowsTheCodeThatIsRunHere(String page) {
        Docs.assertCodeIsThatOf(AdapterPagesTests.class, Docs.page("moving/" + page), 2);
    }

    @Test
    void codeOfThePagesWorks() {
        contexts.run(context -> {
            Application application = context.getBean(Application.class);
            application.reportBefore();
            application.report(); // skipped: the other one keeps the lock for its minimum

            assertThat(application.charge(context.getBean(LeaseLockRegistry.class), "home"))
                    .isEqualTo(4);
            assertThat(application.done()).containsExactly("report");
            Awaitility.await()
                    .until(() -> context.getBean(LockRegistryLeaderInitiator.class)
                            .getContext()
                            .isLeader());
        });
    }

    interface Reports {
        void build();
    }

    interface Invoices {
        long charge(String customer);
    }

    @Configuration(proxyBeanMethods = false)
    @EnableSchedulerLock(defaultLockAtMostFor = "10m")
    static class Application {

        private final List<String> done = new ArrayList<>();
        private final Reports reports = () -> done.add("report");
        private final Invoices invoices = String::length;

        List<String> done() {
            return done;
        }

        @Bean
        LockProvider lockProvider(@Qualifier("billing") LockManager locks) {
            return new LeaseLockProvider(locks).keepAlive();
        }

        @Scheduled(cron = "0 0 3 * * *")
        @SchedulerLock(name = "report", lockAtMostFor = "2h", lockAtLeastFor = "1m")
        void reportBefore() {
            reports.build(); // if it takes longer than 2 h, another instance may start it
        }

        @Scheduled(cron = "0 0 3 * * *")
        @DistributedLock(name = "report", minHold = "1m")
        public void report() {
            reports.build(); // any duration: the lease is renewed until this returns
        }

        @Bean
        LeaseLockRegistry lockRegistry(@Qualifier("billing") LockManager locks) {
            return new LeaseLockRegistry(locks, "integration/");
        }

        long charge(LeaseLockRegistry registry, String customer) throws InterruptedException {
            return registry.executeLocked("charge-" + customer, () -> invoices.charge(customer));
        }

        @Bean
        LockRegistryLeaderInitiator leaderInitiator(LeaseLockRegistry registry) {
            return new LockRegistryLeaderInitiator(registry, new DefaultCandidate("node-1", "reporter"));
        }
    }
}
