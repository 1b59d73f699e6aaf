/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import org.jspecify.annotations.Nullable;

/**
 * A table as DynamoDB describes it.
 *
 * @param name its name
 * @param region the Region of the client; null if that is not known
 * @param status for example {@code ACTIVE}
 * @param billingMode {@code PAY_PER_REQUEST} or {@code PROVISIONED}
 * @param ttlAttribute the attribute that says when DynamoDB deletes an item; null if there is none, or if looking is not
 *     permitted
 * @param ttlStatus for example {@code ENABLED}; null if looking is not permitted
 * @since 0.1
 */
public record TableState(
        String name,
        @Nullable String region,
        String status,
        String billingMode,
        @Nullable String ttlAttribute,
        @Nullable String ttlStatus) {}
