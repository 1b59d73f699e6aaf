/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import io.dynamolock.dynamodb.ForeignLock.EndFormat;

/**
 * Lock libraries whose live locks a store can honor, in a table that an application shares with them while it moves
 * over process by process: a lock that one of their processes holds counts as held. The store compares their attributes
 * in the request that acquires the lock. An acquisition removes the name of the former holder; otherwise it does not
 * change what they wrote. Ends by wall clocks are compared with this machine's wall clock, less a margin of a second.
 *
 * <p>This works in one direction: their processes do not know the leases of this library, and may take a lock that is
 * held here. So stop starting a job in their processes before it starts in those of this library: what still runs there
 * is respected here.
 *
 * @since 0.1
 */
public enum ForeignLocks {
    /** ShedLock's provider for DynamoDB: live until {@code lockUntil}. */
    SHEDLOCK(new EndingForeignLock("ShedLock", "lockedBy", "lockUntil", EndFormat.ISO_MILLIS, null)),

    /** Spring Integration's lock registry in Spring Cloud AWS: live until {@code expireAt}. */
    SPRING_INTEGRATION(
            new EndingForeignLock("Spring Integration", "lockOwner", "expireAt", EndFormat.EPOCH_SECONDS, "expireAt")),

    /** The lock client of awslabs: live unless released, or unchanged for its lease duration. */
    AWSLABS(new AwslabsLock()),

    /** The lock library of LayeredCraft: live until {@code expiresAt}. */
    LAYERED_CRAFT(new EndingForeignLock("LayeredCraft", "ownerId", "expiresAt", EndFormat.EPOCH_SECONDS, null)),

    /** DynamoLock for .NET: live until {@code expires}. */
    DYNAMO_LOCK(new EndingForeignLock("DynamoLock", "lock_owner", "expires", EndFormat.EPOCH_SECONDS, "purge_time")),

    /** dyndb-mutex for Python: live until {@code expire_ts}. */
    DYNDB_MUTEX(new EndingForeignLock("dyndb-mutex", "holder", "expire_ts", EndFormat.EPOCH_MILLIS, null)),

    /** aws-distributed-mutex for .NET: live until {@code leaseExpiry}. */
    AWS_DISTRIBUTED_MUTEX(
            new EndingForeignLock("aws-distributed-mutex", "holderId", "leaseExpiry", EndFormat.ISO_TICKS, null));

    @SuppressWarnings("ImmutableEnumChecker") // a record of texts
    private final ForeignLock format;

    ForeignLocks(ForeignLock format) {
        this.format = format;
    }

    ForeignLock format() {
        return format;
    }
}
