/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * DynamoDB Local, a test double of DynamoDB, for the samples and for experiments: in this JVM or a separate one.
 */
@NullMarked
package io.dynamolock.samples.localdynamodb;

import org.jspecify.annotations.NullMarked;
