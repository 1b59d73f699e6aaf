/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.Lease;
import io.dynamolock.LockManager;
import io.dynamolock.dynamodb.FaultyHttpClient;
import io.dynamolock.dynamodb.LocalDynamoDb;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import software.amazon.awssdk.http.nio.netty.NettyNioAsyncHttpClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** Applications that have an asynchronous client of DynamoDB, and no synchronous one. */
class AsyncClientTests {

    private final FaultyHttpClient http = TestClients.http();
    private final ApplicationContextRunner contexts = TestClients.contexts();

    @Test
    void locksWithAsynchronousClientOfApplication() {
        contexts.withBean("documents", DynamoDbAsyncClient.class, AsyncClientTests::client)
                .withPropertyValues("dynamolock.managers.billing.table.name=" + TestClients.newTableName())
                .run(context -> {
                    assertLocks(context.getBean(LockManager.class));
                    assertLocks(context.getBean("billing", LockManager.class));
                    assertThat(context.getBeanFactory().containsSingleton("dynamolockDefaultClient"))
                            .isFalse();
                });
    }

    @Test
    @Tag("proof")
    void prefersSynchronousClientOfApplication() {
        contexts.withBean(DynamoDbAsyncClient.class, AsyncClientTests::unusable)
                .withBean(DynamoDbClient.class, () -> TestClients.client(http))
                .run(context -> {
                    assertLocks(context.getBean(LockManager.class));
                    assertThat(http.count("UpdateItem")).isEqualTo(2);
                });
    }

    @Test
    @Tag("proof")
    void dedicatedClientsMayBeAsynchronous() {
        contexts.withBean(DynamoDbClient.class, AsyncClientTests::unusableClient)
                .withBean("dynamolockClient", DynamoDbAsyncClient.class, AsyncClientTests::client)
                .withBean("billingDynamoDbClient", DynamoDbAsyncClient.class, AsyncClientTests::client)
                .withPropertyValues("dynamolock.managers.billing.table.name=" + TestClients.newTableName())
                .run(context -> {
                    assertLocks(context.getBean(LockManager.class));
                    assertLocks(context.getBean("billing", LockManager.class));
                });
    }

    @Test
    void rejectsToChooseAmongSeveralAsynchronousClients() {
        contexts.withBean("one", DynamoDbAsyncClient.class, AsyncClientTests::unusable)
                .withBean("other", DynamoDbAsyncClient.class, AsyncClientTests::unusable)
                .run(
                        context -> assertThat(context)
                                .getFailure()
                                .hasStackTraceContaining(
                                        "There is more than one DynamoDbAsyncClient bean, and none of them is primary ([one, other])"));
    }

    private static void assertLocks(LockManager locks) {
        try (Lease lease = locks.tryAcquire("job").orElseThrow()) {
            assertThat(lease.verify()).isTrue();
        }
    }

    private static DynamoDbAsyncClient client() {
        return LocalDynamoDb.newAsyncClient()
                .httpClientBuilder(NettyNioAsyncHttpClient.builder())
                .build();
    }

    private static DynamoDbAsyncClient unusable() {
        DynamoDbAsyncClient client = client();
        client.close();
        return client;
    }

    private static DynamoDbClient unusableClient() {
        DynamoDbClient client = TestClients.client(TestClients.http());
        client.close();
        return client;
    }
}
