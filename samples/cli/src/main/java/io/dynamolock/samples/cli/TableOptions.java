/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.cli;

import io.dynamolock.dynamodb.DynamoDbLockStore;
import io.dynamolock.dynamodb.DynamoDbLockStoreBuilder;
import io.dynamolock.dynamodb.ForeignLocks;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClientBuilder;

/** Options of all commands that use the table: where it is. */
final class TableOptions {

    /** What a command to create the table has in common with the command that misses it. */
    static final List<String> OF_NEW_TABLE =
            List.of("--region", "--endpoint", "--partition-key", "--sort-key", "--ttl-attribute");

    private static final Duration PAGE_TIMEOUT = Duration.ofSeconds(20);

    @Option(
            names = "--table",
            paramLabel = "TABLE",
            order = 100,
            description = "Table of the locks (default: ${DEFAULT-VALUE}).")
    private String table = DynamoDbLockStore.DEFAULT_TABLE_NAME;

    @Option(
            names = "--region",
            paramLabel = "REGION",
            order = 101,
            converter = Regions.class,
            description = "AWS Region (default: AWS_REGION, or that of the profile).")
    private @Nullable Region region;

    @Option(
            names = "--endpoint",
            paramLabel = "URL",
            order = 102,
            converter = Endpoints.class,
            description =
                    "Endpoint of DynamoDB (default: AWS_ENDPOINT_URL_DYNAMODB, or that of the profile or Region).")
    private @Nullable URI endpoint;

    @Mixin
    private AttributeOptions attributes = new AttributeOptions();

    @Option(
            names = "--honor",
            paramLabel = "LIBRARY",
            split = ",",
            order = 107,
            converter = Libraries.class,
            description = "Libraries whose live locks in the table count as held: ${COMPLETION-CANDIDATES}.",
            completionCandidates = Libraries.class)
    private List<ForeignLocks> honored = List.of();

    /**
     * Builds a client; the caller closes it. URLConnection is the HTTP client that starts with the least work. The timeout
     * is that of a page of the list: requests about one lock or the table have their own.
     */
    DynamoDbClient client() {
        DynamoDbClientBuilder client = DynamoDbClient.builder()
                .credentialsProvider(new Credentials())
                .httpClientBuilder(UrlConnectionHttpClient.builder())
                .overrideConfiguration(options -> options.apiCallTimeout(PAGE_TIMEOUT));
        AwsSettings settings = AwsSettings.read();
        if (region != null) {
            client.region(region);
        } else {
            settings.requireValidRegion();
        }
        if (endpoint != null) {
            client.endpointOverride(endpoint);
        } else {
            settings.requireValidEndpoint();
        }
        return client.build();
    }

    DynamoDbLockStoreBuilder store(DynamoDbClient client) {
        return attributes.of(DynamoDbLockStore.builder(client).tableName(table).honor(honored));
    }
}
