/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/** Spring Integration with locks of dynamolock. */
@NullMarked
package io.dynamolock.samples.integration;

import org.jspecify.annotations.NullMarked;
