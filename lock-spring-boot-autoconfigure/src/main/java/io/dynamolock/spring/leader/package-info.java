/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/** Leadership of an application, and methods that run on the leader only. */
@NullMarked
package io.dynamolock.spring.leader;

import org.jspecify.annotations.NullMarked;
