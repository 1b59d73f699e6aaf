/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.test.context.TestPropertySource;

/**
 * Keeps the locks of a test's application in memory, and gives the test these beans:
 *
 * <ul>
 *   <li>{@link io.dynamolock.TestClock}: the time of all locks, which the test can move
 *   <li>{@link io.dynamolock.test.LockRecorder}: which locks the application took, and which were busy
 *   <li>{@link io.dynamolock.test.Rival}: another process, which holds locks when the test says so
 * </ul>
 *
 * <p>For {@code @SpringBootTest} and for slices. No request is sent and no table is made. After each test method, what it has
 * left is cleaned up: locks that are still held, locks of the rival, minimum holds. What the application has taken before, for
 * its whole life, stays. Test methods that share a context must not run at the same time.
 *
 * @since 0.1
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@ImportAutoConfiguration
@TestPropertySource(properties = "dynamolock.store=memory")
public @interface AutoConfigureTestLocks {}
