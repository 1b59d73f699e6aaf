/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * The demonstration: runs several processes of the application, kills one, and verifies their journals.
 */
@NullMarked
package io.dynamolock.samples.takeover.show;

import org.jspecify.annotations.NullMarked;
