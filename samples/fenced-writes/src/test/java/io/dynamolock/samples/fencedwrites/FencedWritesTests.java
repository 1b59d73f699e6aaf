/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.fencedwrites;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.samples.localdynamodb.LocalDynamoDbProcess;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

@Tag("proof")
class FencedWritesTests {

    private final ByteArrayOutputStream output = new ByteArrayOutputStream();

    @Test
    void lateWritesAreRejected() throws Exception {
        try (LocalDynamoDbProcess dynamoDb = LocalDynamoDbProcess.start();
                DynamoDbClient client =
                        LocalDynamoDbProcess.client(dynamoDb.endpoint()).build()) {
            FencedWrites.show(client, new PrintStream(output, true, StandardCharsets.UTF_8));
        }

        assertThat(output.toString(StandardCharsets.UTF_8).lines().map(line -> line.replaceAll("\\d+", "N")))
                .containsExactly(
                        "token N: its holder is paused, so nobody renews the lease",
                        "token N took over from N",
                        "late write in a transaction: rejected",
                        "late write on the item: rejected",
                        "stored: the next holder");
    }
}
