/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * A web application with WebFlux: one order is shipped by one request at a time.
 */
@NullMarked
package io.dynamolock.samples.webflux;

import org.jspecify.annotations.NullMarked;
