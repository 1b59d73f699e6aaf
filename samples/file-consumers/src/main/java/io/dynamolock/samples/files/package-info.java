/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/** Imports files line by line, each line exactly once: start reading at {@link io.dynamolock.samples.files.FileImporter}. */
@NullMarked
package io.dynamolock.samples.files;

import org.jspecify.annotations.NullMarked;
