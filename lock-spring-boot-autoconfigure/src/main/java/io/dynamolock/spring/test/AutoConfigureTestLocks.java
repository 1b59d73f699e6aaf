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
 * Keeps the locks of a test's application in memory, and provides these beans:
 *
 * <ul>
 *   <li>{@link io.dynamolock.time.TestClock}: the clock of all locks, which the test can advance
 *   <li>{@link io.dynamolock.test.LockRecorder}: records which locks the application acquired, and which were busy
 *   <li>{@link io.dynamolock.test.Rival}: a simulated second process that acquires locks on request
 * </ul>
 *
 * <p>Supports {@code @SpringBootTest} and test slices. No request is sent and no table is created. After each test
 * method, its leftovers are removed: locks that are still held, locks of the rival, and minimum holds. Locks that the
 * application acquired before the test method, for example for its whole lifetime, stay, as do done work and open
 * switches from before, and locks of its {@link io.dynamolock.coordination.LeaderElection} beans. Test methods that
 * share a context must not run concurrently.
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
