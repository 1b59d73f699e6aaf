/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.dynamolock.LockRow;
import io.dynamolock.LockStore;
import io.dynamolock.LockStore.Response;
import io.dynamolock.LockStoreContract;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * The contract on dynalite, an independent implementation: where it agrees with DynamoDB Local, DynamoDB likely behaves the
 * same. Installed by npm below {@code target}, in the versions of {@code package-lock.json}; needs Node.js.
 *
 * <p>It does not know {@code ReturnValuesOnConditionCheckFailure}, so a rejection carries no row: the row is compared by reading
 * it. It does not know TTL either, so the table comes with a warning that TTL cannot be read.
 */
@Tag("dynalite")
class DynaliteStoreTests extends LockStoreContract {

    private static final Path LOCKED = Path.of("src", "integration", "dynalite");
    private static final Path FOLDER = Path.of("target", "dynalite");
    private static final String TABLE = "locks";

    private static @Nullable Process server;
    private static @Nullable DynamoDbClient client;

    private final DynamoDbLockStore store =
            DynamoDbLockStore.builder(client()).tableName(TABLE).build();

    @BeforeAll
    static void start() throws Exception {
        assumeTrue(succeeds("node", "--version") && succeeds("npm", "--version"), "Node.js is not installed");
        Path main = FOLDER.resolve(Path.of("node_modules", "dynalite", "cli.js"));
        if (!Files.exists(main)) {
            Files.createDirectories(FOLDER);
            for (String file : List.of("package.json", "package-lock.json")) {
                Files.copy(LOCKED.resolve(file), FOLDER.resolve(file), StandardCopyOption.REPLACE_EXISTING);
            }
            install();
        }
        int port = freePort();
        server = new ProcessBuilder("node", main.toString(), "--host", "127.0.0.1", "--port", Integer.toString(port))
                .redirectErrorStream(true)
                .start();
        BufferedReader output = server.inputReader(StandardCharsets.UTF_8);
        assertThat(output.readLine()).contains("listening");
        client = LocalDynamoDb.newClient(URI.create("http://127.0.0.1:" + port))
                .httpClient(LocalDynamoDb.newHttpClient())
                .build();
        DynamoDbLockStore.builder(client).tableName(TABLE).build().table().createIfMissing(Duration.ofSeconds(30));
    }

    @AfterAll
    static void stop() {
        if (client != null) {
            client.close();
        }
        if (server != null) {
            server.destroyForcibly();
        }
    }

    private static DynamoDbClient client() {
        if (client == null) {
            throw new IllegalStateException("dynalite is not running");
        }
        return client;
    }

    @Override
    public LockStore store() {
        return store;
    }

    /** The rejection itself carries no row here. */
    @Override
    public void assertRejected(Response response, @Nullable LockRow before) {
        assertThat(response.applied()).isFalse();
        assertThat(response.row()).isNull();
        assertThat(row()).isEqualTo(before);
    }

    /** Rejections carry no row here. */
    @Test
    @Override
    public void onlyOneOfManyConcurrentAcquiresSucceeds() throws Exception {
        List<@Nullable String> winners = new ArrayList<>();
        for (Response response : acquireConcurrently()) {
            if (response.applied()) {
                winners.add(existingRow().leaseId());
            }
        }
        assertThat(winners).hasSize(1);
    }

    private static boolean succeeds(String... command) throws InterruptedException {
        try {
            return new ProcessBuilder(command)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException missing) {
            return false;
        }
    }

    /** Uses separate streams: Node.js makes inherited ones non-blocking, which breaks the test runner. */
    private static void install() throws IOException, InterruptedException {
        Process npm = new ProcessBuilder(
                        "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", FOLDER.toString())
                .redirectErrorStream(true)
                .start();
        String output = new String(npm.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int exit = npm.waitFor();
        assumeFalse(exit != 0 && output.contains(" network "), () -> "npm cannot reach its registry");
        assertThat(exit).as(output).isZero();
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }
}
