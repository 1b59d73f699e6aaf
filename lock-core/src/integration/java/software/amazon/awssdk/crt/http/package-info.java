/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/** Stands in for the AWS Common Runtime. */
@NullMarked
package software.amazon.awssdk.crt.http;

import org.jspecify.annotations.NullMarked;
