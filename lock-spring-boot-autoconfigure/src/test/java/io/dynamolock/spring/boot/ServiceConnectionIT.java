/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.LockManager;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.testcontainers.service.connection.ServiceConnection;
import org.springframework.context.annotation.Configuration;
import org.testcontainers.junit.jupiter.Container;
import org.testcontainers.junit.jupiter.Testcontainers;
import org.testcontainers.localstack.LocalStackContainer;
import org.testcontainers.utility.DockerImageName;

/** Locks on LocalStack without any property, through the service connection. */
@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.NONE)
@Testcontainers(disabledWithoutDocker = true)
class ServiceConnectionIT {

    @Container
    @ServiceConnection
    static final LocalStackContainer LOCALSTACK =
            new LocalStackContainer(DockerImageName.parse("localstack/localstack:4.14.0")).withServices("dynamodb");

    @Test
    void locksInTheContainer(@Autowired LockManager locks) {
        assertThat(locks.tryAcquire("job")).isPresent();
        assertThat(locks.tryAcquire("job")).isEmpty();
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration(DynamolockAutoConfiguration.class)
    static class App {}
}
