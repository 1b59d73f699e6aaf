/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dynamolock.Lease;
import io.dynamolock.LeaseToken;
import io.dynamolock.LockManager;
import io.dynamolock.LockRequest;
import io.dynamolock.LockStoreException;
import io.dynamolock.RetryPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbEnhancedClient;
import software.amazon.awssdk.enhanced.dynamodb.model.TransactWriteItemsEnhancedRequest;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;

/** Compares the table of permissions in iam.md with the requests that are sent. */
class PermissionTests {

    private static final Pattern ACTION = Pattern.compile("`dynamodb:(\\w+)`");

    private final FaultyHttpClient http = new FaultyHttpClient(LocalDynamoDb.newHttpClient());
    private final DynamoDbClient client =
            LocalDynamoDb.newClient().httpClient(http).build();
    private final String table = LocalDynamoDb.newTableName();

    @AfterEach
    void close() {
        client.close();
    }

    @Test
    void tableCreationNeedsDocumentedPermissions() throws IOException {
        store().table().createIfMissing(Duration.ofSeconds(30));

        assertThat(sent()).isEqualTo(documented("at startup with `initialization=create`, if the table is missing"));
    }

    @Test
    void tableCreationWithTagsNeedsDocumentedPermissions() throws IOException {
        DynamoDbLockStore.builder(client)
                .tableName(table)
                .tags(Map.of("team", "orders"))
                .build()
                .table()
                .createIfMissing(Duration.ofSeconds(30));

        Set<String> expected = documented("at startup with `initialization=create`, if the table is missing");
        assertThat(http.attempts("CreateTable").get(0).body()).contains("\"Tags\"");
        assertThat(documented("and to give it tags")).containsExactly("TagResource");
        assertThat(sent()).isEqualTo(expected);
    }

    @Test
    void tableCreationWithBackupsNeedsDocumentedPermissions() throws IOException {
        http.decide(attempt -> attempt.isFor("UpdateContinuousBackups") ? Fault.response(200, "{}") : Fault.none());
        DynamoDbLockStore.builder(client)
                .tableName(table)
                .pointInTimeRecovery(true)
                .build()
                .table()
                .createIfMissing(Duration.ofSeconds(30));

        Set<String> expected = documented("at startup with `initialization=create`, if the table is missing");
        expected.addAll(documented("and to enable its point-in-time recovery"));
        assertThat(sent()).isEqualTo(expected);
    }

    @Test
    void startOnExistingTableNeedsDocumentedPermissions() throws IOException {
        store().table().createIfMissing(Duration.ofSeconds(30));
        http.forget();

        store().table().createIfMissing(Duration.ofSeconds(30));

        assertThat(sent()).isEqualTo(documented("at startup with `initialization=create`, if the table exists"));
    }

    @Test
    void validationNeedsDocumentedPermissions() throws IOException {
        store().table().createIfMissing(Duration.ofSeconds(30));
        http.forget();

        store().table().validate();
        store().table().describe();

        assertThat(sent()).isEqualTo(documented("at startup with `initialization=validate`, and for health"));
    }

    @Test
    void runtimeNeedsDocumentedPermissions() throws Exception {
        store().table().createIfMissing(Duration.ofSeconds(30));
        http.forget();

        everyOperation();

        assertThat(sent()).isEqualTo(documented("at run time"));
    }

    private void everyOperation() throws Exception {
        try (LockManager locks = manager();
                LockManager other = manager()) {
            Lease lease = locks.tryAcquire("job").orElseThrow();
            assertThat(other.tryAcquire("job")).isEmpty();
            CompletableFuture<Optional<Lease>> waiting =
                    other.tryAcquireAsync(LockRequest.of("job").waitTime(Duration.ofSeconds(20)));
            lease.renew();
            locks.inspect("job");
            lease.release();
            Lease won = waiting.join().orElseThrow();
            LeaseToken token = won.detach();
            Lease resumed = locks.resume(token);
            assertThat(locks.revoke("job", resumed.id())).isTrue();
            assertThat(locks.forceRelease("job", resumed.id())).isTrue();
            Lease kept = locks.acquire(LockRequest.of("kept").minHold(Duration.ofSeconds(5)));
            kept.release();
            int before = http.attempts().size();
            http.next(Fault.loseRequest(), Fault.denyAccess());
            try {
                locks.tryAcquire("unanswered");
            } catch (LockStoreException expected) {
                assertThat(expected.isOutcomeUnknown()).isTrue();
            }
            await().until(() -> http.attempts().size() >= before + 4); // and its undo
        }
    }

    @Test
    void fencedTransactionNeedsDocumentedPermissions() throws IOException {
        store().table().createIfMissing(Duration.ofSeconds(30));
        try (LockManager locks = manager()) {
            Lease lease = locks.tryAcquire("job").orElseThrow();
            http.forget();

            TransactWriteItem held = TransactWriteItem.builder()
                    .conditionCheck(Fencing.conditionCheck(lease))
                    .build();
            client.transactWriteItems(transaction -> transaction.transactItems(held));
            DynamoDbEnhancedClient.builder()
                    .dynamoDbClient(client)
                    .build()
                    .transactWriteItems(Fencing.addTo(TransactWriteItemsEnhancedRequest.builder(), lease)
                            .build());

            assertThat(http.attempts()).hasSize(2).allSatisfy(attempt -> {
                assertThat(attempt.operation()).isEqualTo("TransactWriteItems");
                assertThat(attempt.body()).contains("\"ConditionCheck\"").doesNotContain("\"Put\"", "\"Update\"");
            });
            assertThat(documented("for `Fencing` in a transaction")).containsExactly("ConditionCheckItem");
        }
    }

    @Test
    void listingNeedsDocumentedPermissions() throws IOException {
        store().table().createIfMissing(Duration.ofSeconds(30));
        http.forget();

        assertThat(store().table().locks()).isEmpty();

        assertThat(sent()).isEqualTo(documented("to list the locks of a table (`LockTable.locks`)"));
    }

    private DynamoDbLockStore store() {
        return DynamoDbLockStore.builder(client).tableName(table).build();
    }

    private LockManager manager() {
        return LockManager.builder(store())
                .retryPolicy(RetryPolicy.exponential(2, Duration.ZERO, 1, Duration.ZERO, 0))
                .shutdownGrace(Duration.ZERO)
                .build();
    }

    private Set<String> sent() {
        return http.attempts().stream()
                .map(FaultyHttpClient.Attempt::operation)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> documented(String when) throws IOException {
        String page = Files.readString(Path.of("../lock-spring-boot-starter/docs/iam.md"));
        String row = page.lines()
                .filter(line -> line.startsWith("| " + when + " |"))
                .findFirst()
                .orElseThrow(() -> new AssertionError("iam.md does not list the permissions needed " + when));
        return ACTION.matcher(row)
                .results()
                .map((MatchResult action) -> action.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
