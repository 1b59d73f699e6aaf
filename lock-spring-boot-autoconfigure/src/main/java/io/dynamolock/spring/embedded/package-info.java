/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * A DynamoDB inside this JVM, for a first try and for tests.
 */
@NullMarked
package io.dynamolock.spring.embedded;

import org.jspecify.annotations.NullMarked;
