/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/** Locks without Spring: start reading at {@link io.dynamolock.samples.plainjava.PlainJava}. */
@NullMarked
package io.dynamolock.samples.plainjava;

import org.jspecify.annotations.NullMarked;
