/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/** ShedLock's lock provider on top of a lock manager. */
@NullMarked
package io.dynamolock.spring.shedlock;

import org.jspecify.annotations.NullMarked;
