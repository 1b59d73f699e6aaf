/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import static java.util.Objects.requireNonNullElse;

import io.dynamolock.dynamodb.DynamoDbLockStore;
import io.dynamolock.dynamodb.ForeignLocks;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.convert.DurationUnit;

/**
 * Table of the locks.
 *
 * @param name Name of the table, or its ARN.
 * @param partitionKey Name of the partition key attribute, which holds the lock name.
 * @param sortKey Name of the sort key attribute, for a table that has one.
 * @param sortKeyValue Value of the sort key in each lock's item.
 * @param ttlAttribute Name of the TTL attribute, which has the time after which DynamoDB may delete an item.
 * @param retention Retention time of an unused item, from 1 s to 3,650 days. If a duration suffix is not specified, days will be used.
 * @param initialization Initialization of the table at startup. With none, the startup fails only if a read fails.
 * @param creationTimeout Maximum time to wait for a new table to become active. At most a day. If a duration suffix is not specified, seconds will be used.
 * @param billingMode Billing mode of a table that is created.
 * @param readCapacity Read capacity units of a new table with provisioned billing.
 * @param writeCapacity Write capacity units of a new table with provisioned billing.
 * @param deletionProtection Whether to enable deletion protection for a new table.
 * @param pointInTimeRecovery Whether to enable point-in-time recovery for a new table.
 * @param honor Lock libraries whose live locks in the table count as held, while the application moves over from them.
 * @since 0.1
 */
public record TableProperties(
        String name,
        String partitionKey,
        @Nullable String sortKey,
        @Nullable String sortKeyValue,
        String ttlAttribute,

        @DurationUnit(ChronoUnit.DAYS) Duration retention,
        Initialization initialization,
        @DurationUnit(ChronoUnit.SECONDS) Duration creationTimeout,
        BillingMode billingMode,
        @Nullable Long readCapacity,
        @Nullable Long writeCapacity,
        Boolean deletionProtection,
        Boolean pointInTimeRecovery,
        Set<ForeignLocks> honor) {

    @SuppressWarnings("NullAway") // the constructor replaces null
    static final TableProperties DEFAULT =
            new TableProperties(null, null, null, null, null, null, null, null, null, null, null, null, null, null);

    public TableProperties {
        name = requireNonNullElse(name, DynamoDbLockStore.DEFAULT_TABLE_NAME);
        partitionKey = requireNonNullElse(partitionKey, DynamoDbLockStore.DEFAULT_PARTITION_KEY);
        ttlAttribute = requireNonNullElse(ttlAttribute, DynamoDbLockStore.DEFAULT_TTL_ATTRIBUTE);
        retention = requireNonNullElse(retention, DynamoDbLockStore.DEFAULT_RETENTION);
        initialization = requireNonNullElse(initialization, Initialization.CREATE);
        creationTimeout = requireNonNullElse(creationTimeout, Duration.ofMinutes(1));
        billingMode = requireNonNullElse(billingMode, BillingMode.PAY_PER_REQUEST);
        deletionProtection = requireNonNullElse(deletionProtection, false);
        pointInTimeRecovery = requireNonNullElse(pointInTimeRecovery, false);
        honor = honor == null ? Set.of() : withoutEmptyParts(honor);
    }

    /** Spring Boot binds an empty part of a list, as after its last comma, to null. */
    private static Set<ForeignLocks> withoutEmptyParts(Set<ForeignLocks> honor) {
        return honor.stream().filter(Objects::nonNull).collect(Collectors.toUnmodifiableSet());
    }

    /** Initialization of the table at startup. */
    public enum Initialization {
        /** Create the table if it is missing. */
        CREATE,
        /** Fail if the table is missing, not ready, or not suitable for locks. */
        VALIDATE,
        /** Fail if a row cannot be read, as when the table is missing, without further checks. */
        NONE
    }

    /** Billing mode of a table that is created. */
    public enum BillingMode {
        /** Billing per request. */
        PAY_PER_REQUEST,
        /** Billing for provisioned capacity. */
        PROVISIONED
    }
}
