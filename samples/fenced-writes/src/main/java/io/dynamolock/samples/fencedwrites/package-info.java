/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/** Writes of the enhanced client that depend on a lease: start reading at {@link io.dynamolock.samples.fencedwrites.Accounts}. */
@NullMarked
package io.dynamolock.samples.fencedwrites;

import org.jspecify.annotations.NullMarked;
