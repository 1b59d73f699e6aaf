/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * A web application with Spring MVC: one order is shipped by one request at a time.
 */
@NullMarked
package io.dynamolock.samples.webmvc;

import org.jspecify.annotations.NullMarked;
