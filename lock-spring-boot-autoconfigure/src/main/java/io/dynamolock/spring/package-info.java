/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * {@link io.dynamolock.spring.DistributedLock} on methods and types of Spring beans, and the advice that makes it work.
 */
@NullMarked
package io.dynamolock.spring;

import org.jspecify.annotations.NullMarked;
