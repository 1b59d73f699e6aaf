/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Runs a method of a Spring bean only while this process {@linkplain Leadership leads}; elsewhere, its calls return
 * without an effect. Meant for {@code @Scheduled} methods of an application with {@code dynamolock.leader.name}. On a
 * message listener, such a call would acknowledge a message that was not handled.
 *
 * <pre>{@code
 * @Scheduled(fixedDelay = 1, timeUnit = TimeUnit.MINUTES)
 * @OnlyOnLeader
 * public void poll() { ... }
 * }</pre>
 *
 * <p>Leadership is checked when the method is called, not while it runs: a method that takes long checks it before each
 * step that must not happen twice, by {@link Leadership#isLeader()}. Skipped calls are logged at DEBUG, and counted by
 * the meter {@code dynamolock.leader.skipped}.
 *
 * <p>Like all advice, the annotation applies only to calls through the bean's proxy, not to calls on {@code this}. It
 * can be used as a meta-annotation. It fails the application's startup if there is no {@link Leadership} bean, on a
 * method that returns a value, which a skipped call could not return, and on one that a proxy cannot intercept.
 *
 * @since 0.1
 */
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface OnlyOnLeader {}
