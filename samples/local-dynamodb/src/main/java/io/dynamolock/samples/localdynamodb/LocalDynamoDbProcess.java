/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.localdynamodb;

import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClientBuilder;

/**
 * DynamoDB Local in a separate process, on any free port, with the class path of this one. It ends with this process at the
 * latest.
 */
public final class LocalDynamoDbProcess implements AutoCloseable {

    private static final Pattern ENDPOINT = Pattern.compile("http://localhost:\\d+");
    private static final List<String> JVM_OPTIONS = List.of(
            "--enable-native-access=ALL-UNNAMED",
            "-Dlogback.configurationFile=io/dynamolock/samples/localdynamodb/logback.xml");

    private final ChildJvm process;
    private final URI endpoint;

    private LocalDynamoDbProcess(ChildJvm process, URI endpoint) {
        this.process = process;
        this.endpoint = endpoint;
    }

    /**
     * Starts the process, and waits until the server responds.
     *
     * @return the running server
     * @throws IOException if the process cannot be started, or ends immediately
     */
    public static LocalDynamoDbProcess start() throws IOException {
        CompletableFuture<URI> endpoint = new CompletableFuture<>();
        StringBuilder printed = new StringBuilder();
        ChildJvm process = ChildJvm.start(
                JVM_OPTIONS,
                Main.class,
                List.of("0", Main.UNTIL_INPUT_ENDS),
                line -> {
                    Matcher found = ENDPOINT.matcher(line);
                    if (found.find()) {
                        endpoint.complete(URI.create(found.group()));
                    } else if (!endpoint.isDone()) {
                        printed.append(line).append(System.lineSeparator());
                    }
                },
                code -> endpoint.completeExceptionally(new IOException("DynamoDB Local did not start: " + printed)));
        try {
            return new LocalDynamoDbProcess(process, endpoint.join());
        } catch (CompletionException failure) {
            throw new IOException(failure.getCause());
        }
    }

    /**
     * Returns the address of the server.
     *
     * @return an address of this machine
     */
    public URI endpoint() {
        return endpoint;
    }

    /**
     * Returns a client of a server, here or in another process.
     *
     * @param endpoint the address of the server
     * @return a builder of a client with any credentials
     */
    public static DynamoDbClientBuilder client(URI endpoint) {
        return DynamoDbClient.builder()
                .endpointOverride(endpoint)
                .region(Region.of("local"))
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("local", "local")));
    }

    /** Kills the process, and waits for its end. Its data is lost. */
    @Override
    public void close() {
        process.close();
    }
}
