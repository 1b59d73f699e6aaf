/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import io.dynamolock.Lease;
import io.dynamolock.LeaseLostException;
import io.dynamolock.LeaseState;
import io.dynamolock.StoredLease;
import java.util.Map;
import software.amazon.awssdk.enhanced.dynamodb.Expression;
import software.amazon.awssdk.enhanced.dynamodb.model.TransactWriteItemsEnhancedRequest;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionCheck;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;

/**
 * Makes an application's own writes to DynamoDB conditional on a lease: a process that lost its lease without noticing
 * cannot write any more, however long it was paused. There are two ways:
 *
 * <ul>
 *   <li>In a transaction, a check that the lease is still the one in the row of the lock. It needs nothing on the
 *       application's items, but the permission {@code dynamodb:ConditionCheckItem} on the lock table.
 *   <li>On an item that stores the highest token that wrote it, a condition that rejects lower tokens. It needs no
 *       transaction, and works for items in other Regions or tables.
 * </ul>
 *
 * @since 0.1
 */
public final class Fencing {

    private static final String IS_HOLDER = "#leaseId = :leaseId" + LockExpressions.KNOWN_FORMAT;
    private static final Map<String, String> NAMES = Map.of("#leaseId", "leaseId", "#format", "format");

    private Fencing() {}

    /**
     * Returns a check for a plain {@code TransactWriteItems}: the transaction is cancelled unless the lease holds its
     * lock.
     *
     * @param lease a lease of a {@link DynamoDbLockStore}
     * @return one of the items of the transaction
     * @throws LeaseLostException if the lease is known to be lost
     * @throws IllegalStateException if the lease was released or detached
     * @throws IllegalArgumentException if the lease is of another store, stands for several {@link Lease#leases()}, or
     *     has no lock ({@link LeaseState#UNLOCKED})
     */
    public static ConditionCheck conditionCheck(Lease lease) {
        StoredLease stored = stored(lease);
        TableLayout layout = store(stored).layout();
        return ConditionCheck.builder()
                .tableName(layout.tableName())
                .key(layout.key(stored.storedName()))
                .conditionExpression(IS_HOLDER)
                .expressionAttributeNames(NAMES)
                .expressionAttributeValues(values(lease))
                .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD)
                .build();
    }

    /**
     * Adds the check to a transaction of the enhanced client: it is cancelled unless the lease holds its lock.
     *
     * @param transaction the transaction to add it to
     * @param lease a lease of a {@link DynamoDbLockStore}, or several, with one check each; nothing is added for one
     *     without a lock ({@link LeaseState#UNLOCKED})
     * @return the same builder
     * @throws LeaseLostException if the lease is known to be lost
     * @throws IllegalStateException if the lease was released or detached
     * @throws IllegalArgumentException if the lease is of another store
     */
    public static TransactWriteItemsEnhancedRequest.Builder addTo(
            TransactWriteItemsEnhancedRequest.Builder transaction, Lease lease) {
        if (isUnlocked(lease)) {
            return transaction;
        }
        if (lease.leases().size() > 1) {
            lease.leases().forEach(one -> addTo(transaction, one));
            return transaction;
        }
        StoredLease stored = stored(lease);
        DynamoDbLockStore store = store(stored);
        Expression holds = Expression.builder()
                .expression(IS_HOLDER)
                .expressionNames(NAMES)
                .expressionValues(values(lease))
                .build();
        return transaction.addConditionCheck(
                store.table().rows().table(),
                software.amazon.awssdk.enhanced.dynamodb.model.ConditionCheck.builder()
                        .key(store.layout().enhancedKey(stored.storedName()))
                        .conditionExpression(holds)
                        .build());
    }

    /**
     * Returns a condition for a write to an item of the application that stores the token of its last writer: true
     * unless a later holder has written the item. The write must set the attribute to the fencing token of the lease.
     *
     * @param lease the lease of one lock; always true for one without a lock ({@link LeaseState#UNLOCKED})
     * @param attribute the attribute of the item that stores the token
     * @return expression, names and values, for either client
     * @throws LeaseLostException if the lease is known to be lost
     * @throws IllegalStateException if the lease was released or detached
     * @throws UnsupportedOperationException if the handle stands for several {@link Lease#leases()}
     */
    public static Expression notFencedOff(Lease lease, String attribute) {
        lease.ensureHeld();
        String condition = isUnlocked(lease)
                ? "(attribute_not_exists(#fence) OR #fence <= :fence OR #fence > :fence)"
                : "(attribute_not_exists(#fence) OR #fence <= :fence)";
        return Expression.builder()
                .expression(condition)
                .putExpressionName("#fence", attribute)
                .putExpressionValue(":fence", AttributeValue.fromN(Long.toString(lease.fencingToken())))
                .build();
    }

    private static boolean isUnlocked(Lease lease) {
        return lease.state() == LeaseState.UNLOCKED;
    }

    private static StoredLease stored(Lease lease) {
        lease.ensureHeld();
        if (lease instanceof StoredLease stored && stored.store() instanceof DynamoDbLockStore) {
            return stored;
        }
        String problem = isUnlocked(lease)
                ? "The lease on lock '%s' has no lock, as locking is off: leave the condition check out"
                : lease.leases().size() > 1
                        ? "One condition cannot check several locks ('%s'): make one for each of leases()"
                        : "The lease on lock '%s' is not from a DynamoDbLockStore";
        throw new IllegalArgumentException(problem.formatted(lease.name()));
    }

    private static DynamoDbLockStore store(StoredLease lease) {
        return (DynamoDbLockStore) lease.store();
    }

    private static Map<String, AttributeValue> values(Lease lease) {
        return Map.of(":leaseId", AttributeValue.fromS(lease.id()), ":format", LockExpressions.FORMAT);
    }
}
