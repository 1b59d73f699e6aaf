/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * What happens to locks, as Micrometer meters.
 */
@NullMarked
package io.dynamolock.spring.metrics;

import org.jspecify.annotations.NullMarked;
