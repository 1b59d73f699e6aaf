/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.context.annotation.Conditional;

/**
 * Matches if the application locks: {@code dynamolock.enabled} is not set or empty, or has any of the values that
 * Spring Boot converts to true. Another value that is neither true nor false fails the startup.
 *
 * @since 0.1
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Conditional(OnLocking.class)
public @interface ConditionalOnLocking {

    /**
     * Returns whether to match if the application locks, or if it does not.
     *
     * @return false to match if {@code dynamolock.enabled} is false
     */
    boolean value() default true;
}
