/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * The AOP advice behind {@link io.dynamolock.spring.DistributedLock}: finds annotated methods, validates them and runs
 * each call under its lock. Applications do not use it directly.
 */
@NullMarked
package io.dynamolock.spring.interceptor;

import org.jspecify.annotations.NullMarked;
