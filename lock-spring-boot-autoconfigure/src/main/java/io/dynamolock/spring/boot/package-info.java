/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * What Spring Boot starts by itself: the properties, the lock manager made from them, and its end.
 */
@NullMarked
package io.dynamolock.spring.boot;

import org.jspecify.annotations.NullMarked;
