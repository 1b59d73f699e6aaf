/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import io.dynamolock.LockRequest;
import org.aopalliance.intercept.MethodInvocation;

/** Creates the request for each call of one locked method; the same instance if the name does not depend on the call. */
final class LockRequestFactory {

    private final AttributeTemplate name;
    private final LockRequest pattern;

    /**
     * Creates the factory of a method.
     *
     * @param name the name template
     * @param pattern the request without its name
     */
    LockRequestFactory(AttributeTemplate name, LockRequest pattern) {
        this.name = name;
        this.pattern = name.constant() == null ? pattern : pattern.name(name.constant());
    }

    LockRequest forCall(MethodInvocation call) {
        if (name.constant() != null) {
            return pattern;
        }
        String rendered = name.forCall(call);
        try {
            return pattern.name(rendered);
        } catch (IllegalArgumentException invalid) {
            throw name.failed(invalid);
        }
    }

    /** Returns an example request; if the name depends on the call, the template is used as the name. */
    LockRequest example() {
        return name.constant() == null ? pattern.name(name.source()) : pattern;
    }

    /** Returns the name template as written. */
    String template() {
        return name.source();
    }
}
