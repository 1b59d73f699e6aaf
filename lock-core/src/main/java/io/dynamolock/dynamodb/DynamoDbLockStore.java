/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import io.dynamolock.LockStore;
import io.dynamolock.LockStoreException;
import io.dynamolock.LockWrite.Acquire;
import io.dynamolock.LockWrite.Claim;
import io.dynamolock.LockWrite.ForceFree;
import io.dynamolock.LockWrite.RaiseFloor;
import io.dynamolock.LockWrite.Release;
import io.dynamolock.LockWrite.Renew;
import io.dynamolock.LockWrite.WithdrawClaim;
import java.time.Duration;
import java.util.Objects;
import software.amazon.awssdk.core.SdkServiceClientConfiguration;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * Lock store on a DynamoDB table: one item per lock name, one conditional {@code UpdateItem} per write, one
 * {@code GetItem} per read.
 *
 * <p>Each request is sent once: the store disables the client's own retries for its requests, replaces the timer of a
 * synchronous client for them, and leaves everything else about the client unchanged. The store never deletes items;
 * DynamoDB deletes them some time after {@code ttl}. Attributes that others put on an item are kept. A client for
 * DynamoDB Accelerator is rejected, because its reads can be stale for long. The application owns the client: the store
 * never closes it. Thread-safe.
 *
 * @since 0.1
 */
public final class DynamoDbLockStore implements LockStore {

    /** The default table name. */
    public static final String DEFAULT_TABLE_NAME = "dynamolock";

    /** The default name of the partition key. */
    public static final String DEFAULT_PARTITION_KEY = "lockName";

    /** The default name of the TTL attribute. */
    public static final String DEFAULT_TTL_ATTRIBUTE = "ttl";

    /** How long a row is kept after its last use by default. */
    public static final Duration DEFAULT_RETENTION = Duration.ofDays(2);

    private final TableLayout layout;
    private final LockTable table;
    private final LockExpressions expressions;
    private final ClaimExpressions claims;
    private final RowRequests requests;

    DynamoDbLockStore(DynamoDbClient client, TableLayout layout, NewTable newTable, HonoredLocks honored) {
        this.layout = layout;
        this.table = new LockTable(client, layout, newTable, honored, Clocks.REAL);
        this.expressions = new LockExpressions(layout, honored);
        this.claims = new ClaimExpressions(layout);
        this.requests = new RowRequests(client, layout, honored);
    }

    /**
     * Returns a builder of a store on a client.
     *
     * @param client the client of the application, which must stay open while the store is used
     * @return a builder with the defaults
     */
    public static DynamoDbLockStoreBuilder builder(DynamoDbClient client) {
        return new DynamoDbLockStoreBuilder(Objects.requireNonNull(client, "client"), client);
    }

    /**
     * Returns a builder of a store on an asynchronous client, for an application that has no other. Each request blocks
     * its thread until the response arrives, so do not use locks on threads that complete the futures of this client.
     *
     * @param client the client of the application, which must stay open while the store is used
     * @return a builder with the defaults
     */
    public static DynamoDbLockStoreBuilder builder(DynamoDbAsyncClient client) {
        return new DynamoDbLockStoreBuilder(new BlockingClient(Objects.requireNonNull(client, "client")), client);
    }

    /**
     * Configures a client that is used for locks only, so that its requests cost the least: it does not retry, as the
     * lock manager does, its timer wakes no thread for the timeout of an answered request, and {@code
     * dynamodb-enhanced} does not copy each request to add the user agent of the enhanced client. With other clients,
     * and with one that has interceptors of others than the SDK, a store makes the SDK copy their configuration for
     * each of its requests. To be used as {@code
     * DynamoDbClient.builder().addPlugin(DynamoDbLockStore::configureClient)}.
     *
     * @param client the configuration of a new client, whose retry strategy and scheduled executor are replaced, while
     *     its other settings stay; the executor has a daemon thread that ends a second after the last request, and need
     *     not be shut down
     */
    public static void configureClient(SdkServiceClientConfiguration.Builder client) {
        OneAttempt.configure(client);
    }

    /**
     * Returns the table of this store, to create it, to inspect it, or to list its locks.
     *
     * @return the table; the same instance each time
     */
    public LockTable table() {
        return table;
    }

    @Override
    public Response acquire(Acquire write, Duration timeout) {
        return requests.update(Operation.ACQUIRE, write.name(), () -> expressions.acquire(write), timeout);
    }

    @Override
    public Response renew(Renew write, Duration timeout) {
        return requests.update(Operation.RENEW, write.name(), () -> expressions.renew(write), timeout);
    }

    @Override
    public Response release(Release write, Duration timeout) {
        return requests.update(Operation.RELEASE, write.name(), () -> expressions.release(write), timeout);
    }

    @Override
    public Response raiseFloor(RaiseFloor write, Duration timeout) {
        return requests.update(Operation.RAISE_FLOOR, write.name(), () -> expressions.raiseFloor(write), timeout);
    }

    @Override
    public Response claim(Claim write, Duration timeout) {
        return requests.update(Operation.CLAIM, write.name(), () -> claims.claim(write), timeout);
    }

    @Override
    public Response withdrawClaim(WithdrawClaim write, Duration timeout) {
        return requests.update(Operation.CLAIM, write.name(), () -> claims.withdraw(write), timeout);
    }

    @Override
    public Response revoke(String name, String leaseId, Duration timeout) {
        return requests.update(Operation.REVOKE, name, () -> expressions.revoke(name, leaseId), timeout);
    }

    @Override
    public Response forceFree(ForceFree write, Duration timeout) {
        if (write.seen().stamp() instanceof ForeignLock.ForeignStamp) {
            String owner = write.seen().owner();
            String message = "Another lock library holds lock '%s'%s: release it there"
                    .formatted(write.name(), owner == null ? "" : " for '" + owner + "'");
            throw new LockStoreException(write.name(), message, null, false, false, true);
        }
        return requests.update(Operation.RELEASE, write.name(), () -> expressions.forceFree(write), timeout);
    }

    @Override
    public Response readToFree(String name, Duration timeout) {
        return requests.read(name, true, LockRowMapper::rowToFree, timeout);
    }

    @Override
    public Response read(String name, boolean consistent, Duration timeout) {
        return requests.read(name, consistent, LockRowMapper::row, timeout);
    }

    TableLayout layout() {
        return layout;
    }

    @Override
    public String describe() {
        return layout.describe();
    }
}
