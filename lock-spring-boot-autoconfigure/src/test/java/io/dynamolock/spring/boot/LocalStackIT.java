/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.dynamolock.Lease;
import io.dynamolock.LockBusyException;
import io.dynamolock.LockManager;
import io.dynamolock.dynamodb.DynamoDbLockStore;
import io.dynamolock.spring.DistributedLock;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.testcontainers.junit.jupiter.Container;
import org.testcontainers.junit.jupiter.Testcontainers;
import org.testcontainers.localstack.LocalStackContainer;
import org.testcontainers.utility.DockerImageName;

/** Complete application with the starter on LocalStack: two nodes, one table, one lock. */
@Testcontainers(disabledWithoutDocker = true)
class LocalStackIT {

    @Container
    private static final LocalStackContainer LOCALSTACK =
            new LocalStackContainer(DockerImageName.parse("localstack/localstack:4.14.0")).withServices("dynamodb");

    @Test
    void oneNodeLocksOutTheOther() {
        try (ConfigurableApplicationContext one = start("one");
                ConfigurableApplicationContext other = start("other")) {
            Lease held = one.getBean(LockManager.class).tryAcquire("order-7").orElseThrow();

            assertThatExceptionOfType(LockBusyException.class)
                    .isThrownBy(() -> other.getBean(Orders.class).pay("7"))
                    .satisfies(busy -> assertThat(busy.holder().owner()).isEqualTo("one"));
            held.release();
            long token = other.getBean(Orders.class).pay("7");

            assertThat(token).isGreaterThan(held.fencingToken());
            assertThat(one.getBean(DynamoDbLockStore.class).table().describe().ttlStatus())
                    .isEqualTo("ENABLED");
        }
    }

    private static ConfigurableApplicationContext start(String owner) {
        SpringApplication application = new SpringApplication(App.class);
        application.setWebApplicationType(WebApplicationType.NONE);
        return application.run(
                "--spring.autoconfigure.exclude=org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
                "--dynamolock.owner=" + owner,
                "--dynamolock.client.endpoint=" + LOCALSTACK.getEndpoint(),
                "--dynamolock.client.region=" + LOCALSTACK.getRegion(),
                "--dynamolock.client.access-key=" + LOCALSTACK.getAccessKey(),
                "--dynamolock.client.secret-key=" + LOCALSTACK.getSecretKey());
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class App {

        @Bean
        Orders orders(LockManager locks) {
            return new Orders(locks);
        }
    }

    static class Orders {

        private final LockManager locks;

        Orders(LockManager locks) {
            this.locks = locks;
        }

        @DistributedLock("order-#{#id}")
        public long pay(String id) {
            return locks.inspect("order-" + id).fencingToken();
        }
    }
}
