/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.dynamolock.Lease;
import io.dynamolock.LockBusyException;
import io.dynamolock.LockManagerBuilder;
import io.dynamolock.LockRequest;
import io.dynamolock.LockState;
import io.dynamolock.LockState.Status;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Exclusion between managers, and the holder that a rejected caller sees. */
class ManagerRivalTests {

    private final String table = LocalDynamoDb.newTable();
    private final RawItems items = new RawItems(table);
    private final DynamoDbNode node = DynamoDbNode.on(table, ManagerRivalTests::settings);
    private final DynamoDbNode twin = DynamoDbNode.on(table, ManagerRivalTests::settings);

    private static void settings(LockManagerBuilder settings) {
        DynamoDbNode.withLongLeases(settings);
        settings.owner("twin");
    }

    @AfterEach
    void close() {
        node.close();
        twin.close();
    }

    @Test
    void managersWithSameOwnerExcludeEachOther() {
        Lease lease = node.take("job");

        assertThat(twin.isRejected("job")).isTrue();
        lease.release();
        twin.take("job");

        assertThat(node.isRejected("job")).isTrue();
    }

    @Test
    void rejectionDescribesHolderAtNoExtraCost() throws InterruptedException {
        Lease lease = node.locks.acquire(LockRequest.of("job").owner("host-7").metadata(Map.of("order", "42")));

        LockBusyException busy =
                catchThrowableOfType(LockBusyException.class, () -> twin.locks.acquire(LockRequest.of("job")));

        LockState holder = busy.holder();
        assertThat(holder.status()).isEqualTo(Status.HELD);
        assertThat(holder.owner()).isEqualTo("host-7");
        assertThat(holder.leaseId()).isEqualTo(lease.id());
        assertThat(holder.fencingToken()).isEqualTo(lease.fencingToken());
        assertThat(holder.metadata()).isEqualTo(Map.of("order", "42"));
        assertThat(holder.acquiredAt())
                .isEqualTo(Instant.ofEpochMilli(Long.parseLong(items.text("job", "acquiredAt"))));
        assertThat(holder.expiresAt()).isEqualTo(Instant.ofEpochMilli(Long.parseLong(items.text("job", "expiresAt"))));
        assertThat(holder.expiresAt()).isAfterOrEqualTo(lease.expiresAt());
        assertThat(busy).hasMessageContainingAll("'job'", "host-7");
        assertThat(twin.requests()).containsExactly("UpdateItem");
    }

    static List<String> names() {
        return List.of(
                "plain",
                "with  blanks",
                " leading and trailing ",
                "a/b/c?d=e&f",
                "order#1",
                "#leaseId",
                ":leaseId",
                "${name} #{expression}",
                "quote\"back\\slash",
                "Grüße",
                "锁-замок-قفل",
                "🔒",
                "x".repeat(2048),
                "ü".repeat(1024));
    }

    @ParameterizedTest
    @MethodSource("names")
    void nameIsStoredUnchanged(String name) {
        Lease lease = node.take(name);

        assertThat(lease.name()).isEqualTo(name);
        assertThat(items.text(name, "lockName")).isEqualTo(name);
        assertThat(items.text(name, "leaseId")).isEqualTo(lease.id());
        assertThat(node.locks.inspect(name).name()).isEqualTo(name);
        assertThat(twin.isRejected(name)).isTrue();

        lease.release();
        assertThat(items.isFree(name)).isTrue();
    }

    @Test
    void similarNamesDoNotCollide() {
        List<String> alike =
                List.of("job", "Job", "job ", " job", "job/", "job\u0301", "jo\u200bb", "\u00e9", "e\u0301");

        for (String name : alike) {
            node.take(name);
        }

        assertThat(node.locks.held().map(LockState::name)).containsExactlyInAnyOrderElementsOf(alike);
    }

    @Test
    void differentPrefixesDoNotCollide() {
        try (DynamoDbNode other = DynamoDbNode.on(table, settings -> settings.namePrefix("other/"))) {
            node.take("job");

            Lease lease = other.take("job");

            assertThat(lease.name()).isEqualTo("job");
            assertThat(items.text("other/job", "leaseId")).isEqualTo(lease.id());
            assertThat(node.isRejected("other/job")).isTrue();
        }
    }
}
