/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package org.springframework.samples;

import io.dynamolock.spring.DistributedLock;

/** An application in a package of Spring's samples. */
@DistributedLock("clinic")
public class Clinic implements Nightly {}
