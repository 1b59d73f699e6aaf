/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring;

import java.lang.reflect.Method;

/**
 * One call of a locked method.
 *
 * @param method what is called
 * @param template the name template of its annotation: the same for all calls
 * @param manager the lock manager's bean name
 * @param lockName the lock, which may be another one for each call
 * @since 0.1
 */
public record LockedCall(Method method, String template, String manager, String lockName) {}
