/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/** Methods with ShedLock's annotation, unchanged, and one that has moved. */
@NullMarked
package io.dynamolock.samples.shedlock;

import org.jspecify.annotations.NullMarked;
