/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Spring Boot auto-configuration: the properties, the lock managers created from them, and their shutdown.
 */
@NullMarked
package io.dynamolock.spring.boot;

import org.jspecify.annotations.NullMarked;
