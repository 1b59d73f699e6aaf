/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * API for Spring applications: the annotation {@link io.dynamolock.spring.DistributedLock}, the current lease, lock
 * events and exceptions.
 */
@NullMarked
package io.dynamolock.spring;

import org.jspecify.annotations.NullMarked;
