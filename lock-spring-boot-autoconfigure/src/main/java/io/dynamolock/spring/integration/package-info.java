/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/** Spring Integration's lock registry on top of a lock manager. */
@NullMarked
package io.dynamolock.spring.integration;

import org.jspecify.annotations.NullMarked;
