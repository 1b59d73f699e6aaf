/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/** Lock store on DynamoDB: the only package that knows attributes, expressions and the AWS SDK. */
@NullMarked
package io.dynamolock.dynamodb;

import org.jspecify.annotations.NullMarked;
