/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Connections to containers of DynamoDB Local and LocalStack, for development and tests. Used only by Spring Boot, if
 * its support of Testcontainers or of Docker Compose is present.
 */
@NullMarked
package io.dynamolock.spring.boot.connection;

import org.jspecify.annotations.NullMarked;
