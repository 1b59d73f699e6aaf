/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/** The command line: runs a command under a renewed lock, and lets operators see, free and revoke locks. */
@NullMarked
package io.dynamolock.samples.cli;

import org.jspecify.annotations.NullMarked;
