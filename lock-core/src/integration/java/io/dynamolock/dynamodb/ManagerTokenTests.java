/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.Lease;
import io.dynamolock.LockRequest;
import io.dynamolock.ManualTime;
import io.dynamolock.Scale;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Fencing tokens only increase. */
@Timeout(120) // frozen time ends no wait
class ManagerTokenTests {

    private static final LockRequest MORTAL =
            LockRequest.of("job").autoRenew(false).leaseDuration(Duration.ofSeconds(10));
    private static final Duration PAST_END = Duration.ofSeconds(12);

    private final String table = LocalDynamoDb.newTable();
    private final RawItems items = new RawItems(table);
    private final ManualTime time = new ManualTime(Instant.now());
    private final List<ManualTime> times =
            List.of(time, time.behindBy(Duration.ofMillis(200)), time.behindBy(Duration.ofMillis(900)));
    private final List<DynamoDbNode> nodes =
            times.stream().map(own -> DynamoDbNode.on(table, own::applyTo)).toList();
    private final DynamoDbNode node = nodes.get(0);

    @AfterEach
    void close() {
        nodes.forEach(DynamoDbNode::close);
    }

    @Test
    @Tag("scaled")
    void tokensIncreaseOverThousandAcquiresWithDifferentClocks() throws InterruptedException {
        Random random = new Random(7);
        long highest = 0;
        for (int cycle = 0; cycle < Scale.of(200, 1_000); cycle++) {
            DynamoDbNode next = nodes.get(random.nextInt(nodes.size()));

            Lease lease = next.locks.acquire(MORTAL);

            assertThat(lease.fencingToken()).as("in cycle %d", cycle).isGreaterThan(highest);
            highest = lease.fencingToken();
            end(lease, random);
        }
        assertThat(items.text("job", "fencingToken")).isEqualTo(Long.toString(highest));
    }

    private void end(Lease lease, Random random) {
        switch (random.nextInt(4)) {
            case 0 -> pass(PAST_END);
            case 1 -> {
                pass(PAST_END);
                lease.release();
            }
            case 2 -> {
                pass(Duration.ofMillis(random.nextInt(3)));
                lease.release();
            }
            default -> lease.release();
        }
    }

    @Test
    void tokensIncreaseAfterRowDeletion() throws InterruptedException {
        long before = acquireAndRelease(node);

        items.delete("job");
        pass(Duration.ofSeconds(1));

        assertThat(nodes.get(2).locks.acquire(MORTAL).fencingToken()).isGreaterThan(before);
    }

    @Test
    void tokensIncreaseAfterTableIsRecreated() throws InterruptedException {
        long before = acquireAndRelease(node);

        node.client.deleteTable(delete -> delete.tableName(table));
        DynamoDbLockStore.builder(node.client).tableName(table).build().table().createIfMissing(Duration.ofSeconds(30));
        pass(Duration.ofSeconds(1));

        assertThat(nodes.get(2).locks.acquire(MORTAL).fencingToken()).isGreaterThan(before);
    }

    @Test
    void tokensIncreaseAfterRestoreOfOldRow() throws InterruptedException {
        acquireAndRelease(node);
        Map<String, AttributeValue> old = items.item("job");
        for (int i = 0; i < 10; i++) {
            acquireAndRelease(nodes.get(i % 3));
        }
        long before = acquireAndRelease(node);

        items.put(old);
        pass(Duration.ofSeconds(1));

        assertThat(nodes.get(2).locks.acquire(MORTAL).fencingToken()).isGreaterThan(before);
    }

    private static long acquireAndRelease(DynamoDbNode by) throws InterruptedException {
        Lease lease = by.locks.acquire(MORTAL);
        lease.release();
        return lease.fencingToken();
    }

    private void pass(Duration duration) {
        times.forEach(each -> each.pass(duration));
    }
}
