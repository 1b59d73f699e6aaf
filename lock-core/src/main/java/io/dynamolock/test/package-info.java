/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/** Support for tests of applications that use locks: a rival process and a recorder of lock events. */
@NullMarked
package io.dynamolock.test;

import org.jspecify.annotations.NullMarked;
