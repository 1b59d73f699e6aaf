/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.metrics.MetricCollection;
import software.amazon.awssdk.metrics.MetricPublisher;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** The connection limit of a client, detected by a request about the table. */
class ConnectionLimitTests {

    private final String table = LocalDynamoDb.newTable();

    @Test
    void limitIsReadFromHttpClient() {
        try (DynamoDbClient client = LocalDynamoDb.newClient()
                .httpClientBuilder(Apache5HttpClient.builder().maxConnections(7))
                .build()) {
            LockTable locks = tableOn(client);
            assertThat(locks.clientConnections()).isEmpty();

            locks.describe();

            assertThat(locks.clientConnections()).hasValue(7);
        }
    }

    @Test
    void limitIsUnknownIfClientDoesNotReportIt() {
        try (Silent silent = new Silent(LocalDynamoDb.newHttpClient());
                DynamoDbClient client =
                        LocalDynamoDb.newClient().httpClient(silent).build()) {
            LockTable locks = tableOn(client);

            locks.describe();

            assertThat(locks.clientConnections()).isEmpty();
        }
    }

    @Test
    void limitIsReadAlongsideClientMetrics() {
        Published published = new Published();
        try (DynamoDbClient client = LocalDynamoDb.newClient()
                .httpClientBuilder(Apache5HttpClient.builder())
                .overrideConfiguration(own -> own.addMetricPublisher(published))
                .build()) {
            tableOn(client).describe();

            assertThat(published.names).contains("ApiCall");
            assertThat(published.names).hasSize(2); // the table, and its TTL
        }
    }

    private LockTable tableOn(DynamoDbClient client) {
        return DynamoDbLockStore.builder(client).tableName(table).build().table();
    }

    /** An HTTP client without metrics. */
    private record Silent(SdkHttpClient http) implements SdkHttpClient {

        @Override
        public ExecutableHttpRequest prepareRequest(HttpExecuteRequest request) {
            return http.prepareRequest(HttpExecuteRequest.builder()
                    .request(request.httpRequest())
                    .contentStreamProvider(request.contentStreamProvider().orElse(null))
                    .build());
        }

        @Override
        public void close() {
            http.close();
        }
    }

    private static final class Published implements MetricPublisher {

        private final List<String> names = new ArrayList<>();

        @Override
        public void publish(MetricCollection metrics) {
            names.add(metrics.name());
        }

        @Override
        public void close() {}
    }
}
