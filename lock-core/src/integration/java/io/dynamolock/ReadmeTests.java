/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.dynamodb.DynamoDbLockStore;
import io.dynamolock.dynamodb.LocalDynamoDb;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** README shows code of this file, which is compiled and run. */
class ReadmeTests {

    private static final Path SOURCE = Path.of("src/integration/java/io/dynamolock/ReadmeTests.java");
    private static final Pattern SNIPPET =
            Pattern.compile("// tag::readme\\[]\\R(.*?)\\h*// end::readme\\[]", Pattern.DOTALL);

    private final List<String> stored = new ArrayList<>();
    private final Invoices invoices = (number, fence) -> stored.add(number);

    private interface Invoices {
        void store(String number, long fence);
    }

    @Test
    void readmeCodeRuns() throws InterruptedException {
        DynamoDbClient dynamoDbClient = LocalDynamoDb.client();
        // tag::readme[]
        DynamoDbLockStore store =
                DynamoDbLockStore.builder(dynamoDbClient).tableName("locks").build();
        store.table().createIfMissing(Duration.ofMinutes(1)); // or by your infrastructure code
        LockManager locks = LockManager.builder(store).build(); // one per application
        Runtime.getRuntime().addShutdownHook(new Thread(locks::close)); // waits up to 10 s for leases
        // end::readme[]
        // tag::readme[]
        try (Lease lease = locks.acquire("invoice-4711", Duration.ofSeconds(5))) {
            lease.ensureHeld(); // before a step that must not happen twice
            invoices.store("4711", lease.fencingToken());
        }
        // end::readme[]
        locks.close();

        assertThat(stored).containsExactly("4711");
    }

    @Test
    void readmeShowsTheTestedCode() throws IOException {
        String readme = Files.readString(Path.of("../README.md"));
        Matcher snippets = SNIPPET.matcher(Files.readString(SOURCE));

        int count = 0;
        while (snippets.find()) {
            count++;
            assertThat(withoutLineBreaks(readme)).contains(withoutLineBreaks(snippets.group(1)));
        }

        assertThat(count).isEqualTo(2);
    }

    private static String withoutLineBreaks(String code) {
        return code.replaceAll("\\s+", "");
    }
}
