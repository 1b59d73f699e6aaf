/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.LockManager;
import io.dynamolock.spring.DistributedLock;
import io.dynamolock.spring.Locking;
import java.util.Objects;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.interceptor.BeanFactoryTransactionAttributeSourceAdvisor;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** The lock is released after the commit, so that the next holder sees the writes of this one. */
class TransactionOrderTests {

    private final ApplicationContextRunner contexts =
            Locking.withDatabase(Locking.inMemory(), "order").withBean(Counters.class);

    @Test
    void isOutsideOfTheTransactionByDefault() {
        contexts.run(context -> {
            Counters counters = context.getBean(Counters.class);

            counters.increment();

            assertThat(context.getBean(DistributedLockAdvisor.class).getOrder())
                    .isLessThan(context.getBean(BeanFactoryTransactionAttributeSourceAdvisor.class)
                            .getOrder());
            assertThat(counters.stateAtCommit()).isEqualTo("HELD");
            assertThat(context.getBean(Locking.class).events()).containsExactly("+counter", "-counter");
            assertThat(counters.value()).isEqualTo(1);
        });
    }

    @Test
    void isInsideIfThePropertySaysSo() {
        contexts.withPropertyValues(
                        "dynamolock.annotation.order=10",
                        "dynamolock.annotation.hold-until-transaction-completes=false")
                .withUserConfiguration(TransactionsFurtherOutside.class)
                .run(context -> {
                    Counters counters = context.getBean(Counters.class);

                    counters.increment();

                    assertThat(counters.stateAtCommit()).isEqualTo("FREE");
                });
    }

    @Test
    void isHeldUntilTheCommitAlsoInside() {
        contexts.withPropertyValues("dynamolock.annotation.order=10")
                .withUserConfiguration(TransactionsFurtherOutside.class)
                .run(context -> {
                    Counters counters = context.getBean(Counters.class);

                    counters.increment();

                    assertThat(counters.stateAtCommit()).isEqualTo("HELD");
                    assertThat(context.getBean(Locking.class).events()).containsExactly("+counter", "-counter");
                });
    }

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement(order = 5)
    static class TransactionsFurtherOutside {}

    static class Counters {

        private final JdbcTemplate jdbc;
        private final LockManager locks;
        private volatile String stateAtCommit = "";

        Counters(DataSource database, LockManager locks) {
            this.jdbc = new JdbcTemplate(database);
            this.locks = locks;
            jdbc.execute("create table if not exists counter (n int)");
            jdbc.execute("delete from counter");
            jdbc.execute("insert into counter values (0)");
        }

        @Transactional
        @DistributedLock("counter")
        public void increment() {
            jdbc.update("update counter set n = n + 1");
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void afterCommit() {
                    stateAtCommit = locks.inspect("counter").status().name();
                }
            });
        }

        public String stateAtCommit() {
            return stateAtCommit;
        }

        public int value() {
            return Objects.requireNonNull(jdbc.queryForObject("select n from counter", Integer.class));
        }
    }
}
