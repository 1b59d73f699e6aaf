/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/** Locks as items of a DynamoDB table: the one place that knows attributes, expressions and the AWS SDK. */
@NullMarked
package io.dynamolock.dynamodb;

import org.jspecify.annotations.NullMarked;
