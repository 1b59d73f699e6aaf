/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.benchmarks.worker;

import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromBool;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromN;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromS;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.AwsRequestOverrideConfiguration;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;

/**
 * The two requests that dynamolock sends for a free lock, written by hand, each with a timeout: what its protocol costs without
 * the library.
 */
public final class SameRequests implements Library {

    private static final String KEY = "lockName";
    private static final Map<String, String> NAMES = Map.of("#ttl", "ttl", "#owner", "owner", "#format", "format");
    private static final String FORMAT = " AND NOT #format > :format";
    private static final String TAKE =
            "SET leaseId = :leaseId, #owner = :owner, fencingToken = :token, tokenFloor = :token,"
                    + " leaseMillis = :leaseMillis, expiresAt = :expiresAt, clock = :clock, renewals = :renewals,"
                    + " acquiredAt = :acquiredAt, #ttl = :ttl REMOVE revoked, detached, claim, metadata";
    private static final String FREE = "((attribute_not_exists(leaseId) AND NOT (claim < :claim OR claim > :claim))"
            + " OR (expiresAt < :before AND clock = :seenClock))"
            + " AND (attribute_not_exists(tokenFloor) OR tokenFloor < :token)"
            + FORMAT;
    private static final String RETURN =
            "SET lastLeaseId = :leaseId, #ttl = :ttl, lastOwner = :lastOwner, lastEndedAt = :lastEndedAt,"
                    + " lastHeldMillis = :lastHeldMillis, lastFailed = :lastFailed REMOVE leaseId, #owner, expiresAt, leaseMillis, clock, renewals,"
                    + " acquiredAt, metadata, revoked, detached";
    private static final String MINE = "leaseId = :leaseId" + FORMAT;
    private static final String OWNER =
            "benchmark-host/" + ProcessHandle.current().pid();
    private static final long RETENTION_SECONDS = Duration.ofDays(2).toSeconds();

    private SameRequests() {}

    /**
     * Runs the process.
     *
     * @param args of {@link Worker}
     */
    public static void main(String[] args) {
        Worker.run(new SameRequests(), args);
    }

    @Override
    public void createTable(DynamoDbClient client, String table) {
        Floor.createTable(client, table, KEY);
        client.updateTimeToLive(request -> request.tableName(table)
                .timeToLiveSpecification(ttl -> ttl.attributeName("ttl").enabled(true)));
    }

    @Override
    public LockClient open(Connection connection) {
        AwsRequestOverrideConfiguration timeout = AwsRequestOverrideConfiguration.builder()
                .apiCallTimeout(connection.lease().dividedBy(6))
                .build();
        return new Locks(
                connection.client(),
                connection.table(),
                connection.lease(),
                timeout,
                new AtomicLong(System.currentTimeMillis() * 1024),
                UUID.randomUUID().toString());
    }

    private record Locks(
            DynamoDbClient client,
            String table,
            Duration lease,
            AwsRequestOverrideConfiguration timeout,
            AtomicLong token,
            String claim)
            implements LockClient {

        @Override
        public @Nullable HeldLock tryAcquire(String name) {
            String id = UUID.randomUUID().toString();
            long now = System.currentTimeMillis();
            long end = now + lease.toMillis();
            Map<String, AttributeValue> values = new HashMap<>(32);
            values.put(":leaseId", fromS(id));
            values.put(":owner", fromS(OWNER));
            values.put(":token", number(token.incrementAndGet()));
            values.put(":leaseMillis", number(lease.toMillis()));
            values.put(":expiresAt", number(end));
            values.put(":clock", fromS("D"));
            values.put(":renewals", number(0));
            values.put(":acquiredAt", number(now));
            values.put(":ttl", number(end / 1_000 + RETENTION_SECONDS));
            values.put(":claim", fromS(claim));
            values.put(":before", number(now));
            values.put(":seenClock", fromS("D"));
            values.put(":format", number(1));
            try {
                send(name, TAKE, FREE, values);
                return new Held(this, name, id, end);
            } catch (ConditionalCheckFailedException busy) {
                return null;
            }
        }

        private void send(String name, String update, String condition, Map<String, AttributeValue> values) {
            client.updateItem(request -> request.tableName(table)
                    .key(Map.of(KEY, fromS(name)))
                    .updateExpression(update)
                    .conditionExpression(condition)
                    .expressionAttributeNames(NAMES)
                    .expressionAttributeValues(values)
                    .returnValues(ReturnValue.NONE)
                    .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD)
                    .overrideConfiguration(timeout));
        }

        private void release(String name, String id) {
            long now = System.currentTimeMillis();
            Map<String, AttributeValue> values = new HashMap<>(16);
            values.put(":leaseId", fromS(id));
            values.put(":ttl", number(now / 1_000 + RETENTION_SECONDS));
            values.put(":lastOwner", fromS(OWNER));
            values.put(":lastEndedAt", number(now));
            values.put(":lastHeldMillis", number(20));
            values.put(":lastFailed", fromBool(false));
            values.put(":format", number(1));
            send(name, RETURN, MINE, values);
        }

        private static AttributeValue number(long number) {
            return fromN(Long.toString(number));
        }
    }

    private record Held(Locks locks, String name, String id, long until) implements HeldLock {

        @Override
        public boolean isHeld() {
            return System.currentTimeMillis() < until;
        }

        @Override
        public void release() {
            locks.release(name, id);
        }
    }
}
