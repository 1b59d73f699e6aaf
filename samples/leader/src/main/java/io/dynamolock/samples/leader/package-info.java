/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/** Work that the leader does, by a property and an annotation. */
@NullMarked
package io.dynamolock.samples.leader;

import org.jspecify.annotations.NullMarked;
