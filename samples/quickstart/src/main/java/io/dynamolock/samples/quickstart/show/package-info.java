/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * What shows the application at work: several processes of it, one of them killed, and the proof in their journals.
 */
@NullMarked
package io.dynamolock.samples.quickstart.show;

import org.jspecify.annotations.NullMarked;
