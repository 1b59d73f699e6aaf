/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.dynamodb.LocalDynamoDb;
import io.dynamolock.spring.LogCapture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** Warnings at startup about clients with too few connections. */
@ExtendWith(LogCapture.class)
class ConnectionCheckTests {

    private static final String WARNING = "renewals may wait for a connection and be late";

    @Test
    void warnsOfAClientWithTooFewConnections(CapturedOutput output) {
        withConnections(49).run(context -> assertThat(context).hasNotFailed());

        assertThat(output.getOut())
                .containsOnlyOnce(
                        "lock managers [dynamolockManager] has at most 49 connections, but they need up to 50: "
                                + WARNING);
    }

    @Test
    void saysNothingOfAClientWithEnoughConnections(CapturedOutput output) {
        withConnections(50).run(context -> assertThat(context).hasNotFailed());
        withConnections(49)
                .withPropertyValues("dynamolock.client.max-concurrent-requests=15")
                .run(context -> assertThat(context).hasNotFailed());

        assertThat(output.getOut()).doesNotContain(WARNING);
    }

    @Test
    void addsUpTheManagersThatShareAClient(CapturedOutput output) {
        withConnections(99)
                .withPropertyValues("dynamolock.managers.billing.name-prefix=b:")
                .run(context -> assertThat(context).hasNotFailed());

        assertThat(output.getOut())
                .containsOnlyOnce("[dynamolockManager, billing] has at most 99 connections, but they need up to 100");
    }

    @Test
    void looksAtEachClientByItself(CapturedOutput output) {
        withConnections(50)
                .withBean("billingDynamoDbClient", DynamoDbClient.class, () -> client(30), TestClients::byNameOnly)
                .withPropertyValues("dynamolock.managers.billing.name-prefix=b:")
                .run(context -> assertThat(context).hasNotFailed());

        assertThat(output.getOut())
                .containsOnlyOnce(WARNING)
                .contains("[billing] has at most 30 connections, but they need up to 50");
    }

    @Test
    void saysNothingOfAClientThatIsMadeHere(CapturedOutput output) {
        TestClients.contexts()
                .withPropertyValues(TestClients.ownClient())
                .withPropertyValues("dynamolock.heartbeat.threads=100", "dynamolock.managers.billing.name-prefix=b:")
                .run(context -> assertThat(context).hasNotFailed());

        assertThat(output.getOut()).doesNotContain(WARNING);
    }

    private static ApplicationContextRunner withConnections(int connections) {
        return TestClients.contexts().withBean(DynamoDbClient.class, () -> client(connections));
    }

    private static DynamoDbClient client(int connections) {
        SdkHttpClient.Builder<?> http = Apache5HttpClient.builder().maxConnections(connections);
        return LocalDynamoDb.newClient().httpClientBuilder(http).build();
    }
}
