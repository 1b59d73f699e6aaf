/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * A page that shows processes that compete for locks. {@link io.dynamolock.samples.live.Worker} is the application that they
 * run, {@link io.dynamolock.samples.live.Live} starts them and serves the page.
 */
@NullMarked
package io.dynamolock.samples.live;

import org.jspecify.annotations.NullMarked;
