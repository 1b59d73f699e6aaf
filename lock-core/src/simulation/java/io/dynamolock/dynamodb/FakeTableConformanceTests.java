/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.Scale;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** The simulated table responds like DynamoDB Local, request by request, and has the same rows afterwards. */
class FakeTableConformanceTests {

    private static final int REQUESTS =
            Integer.getInteger("conformance.requests", (int) Scale.of(Scale.REQUESTS, Scale.REQUESTS_OF_PROOF));
    private static final long SEED = Long.getLong("conformance.seed", 1);

    private static final SdkHttpClient HTTP = LocalDynamoDb.newHttpClient();
    private static final DynamoDbClient LOCAL = LocalDynamoDb.newClient()
            .httpClient(HTTP)
            .overrideConfiguration(override -> override.retryStrategy(AwsRetryStrategy.doNotRetry()))
            .build();

    @AfterAll
    static void close() {
        LOCAL.close();
        HTTP.close();
    }

    @Test
    @Tag("scaled")
    void respondsLikeDynamoDbLocal() {
        List<ConformanceRun> runs =
                List.of(ConformanceRun.onPlainTable(LOCAL, SEED), ConformanceRun.onSortedTable(LOCAL, SEED));

        runs.parallelStream().forEach(run -> run.send(REQUESTS / 2)); // each on a table of its own

        int applied = count(runs, "applied");
        int rejected = count(runs, "ConditionalCheckFailedException");
        int cancelled = count(runs, "TransactionCanceledException");
        int invalid = count(runs, "ValidationException");
        System.out.printf(
                "conformance: %d requests, 0 differences%n",
                runs.stream().mapToInt(run -> run.tables().requests()).sum());
        assertThat(applied).isGreaterThan(REQUESTS / 7);
        assertThat(rejected).isGreaterThan(REQUESTS / 4);
        assertThat(cancelled).isGreaterThan(REQUESTS / 20);
        assertThat(invalid).isGreaterThan(REQUESTS / 20);
    }

    private static int count(List<ConformanceRun> runs, String error) {
        return runs.stream()
                .mapToInt(run -> run.tables().outcomes().getOrDefault(error, 0))
                .sum();
    }
}
