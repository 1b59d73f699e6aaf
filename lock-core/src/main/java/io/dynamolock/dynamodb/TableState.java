/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import org.jspecify.annotations.Nullable;

/**
 * The state of a table as reported by DynamoDB.
 *
 * @param name the table name
 * @param region the Region of the client; null if unknown
 * @param status for example {@code ACTIVE}
 * @param billingMode {@code PAY_PER_REQUEST} or {@code PROVISIONED}
 * @param ttlAttribute the TTL attribute; null if there is none, or if it cannot be read, as without the permission
 * @param ttlStatus for example {@code ENABLED}; null if it cannot be read
 * @since 0.1
 */
public record TableState(
        String name,
        @Nullable String region,
        String status,
        String billingMode,
        @Nullable String ttlAttribute,
        @Nullable String ttlStatus) {}
