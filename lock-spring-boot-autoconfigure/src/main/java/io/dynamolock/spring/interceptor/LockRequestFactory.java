/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import io.dynamolock.LockRequest;
import java.util.List;
import org.aopalliance.intercept.MethodInvocation;

/** Creates the request for each call of one locked method; the same instance if no name depends on the call. */
final class LockRequestFactory {

    private final List<AttributeTemplate> names;
    private final List<String> templates;
    private final LockRequest pattern;
    private final boolean areSeveral;
    private final boolean isConstant;

    /**
     * Creates the factory of a method.
     *
     * @param names the name templates, at least one
     * @param pattern the request without its names
     */
    LockRequestFactory(List<AttributeTemplate> names, boolean areSeveral, LockRequest pattern) {
        this.areSeveral = areSeveral;
        this.names = List.copyOf(names);
        this.templates = names.stream().map(AttributeTemplate::source).toList();
        this.isConstant = names.stream().allMatch(name -> name.constant() != null);
        this.pattern = isConstant
                ? pattern.names(names.stream().map(AttributeTemplate::constant).toList())
                : pattern;
    }

    LockRequest forCall(MethodInvocation call) {
        if (isConstant) {
            return pattern;
        }
        if (!areSeveral) {
            AttributeTemplate name = names.get(0);
            return request(name, name.forCall(call));
        }
        List<String> all = names.stream()
                .flatMap(name -> name.allForCall(call).stream()
                        .map(each -> request(name, each).name()))
                .toList();
        if (all.isEmpty()) {
            throw names.get(0).failed(new IllegalArgumentException("no name has a value, but a call needs a lock"));
        }
        return pattern.names(all);
    }

    private LockRequest request(AttributeTemplate name, String rendered) {
        try {
            return pattern.name(rendered);
        } catch (IllegalArgumentException invalid) {
            throw name.failed(invalid);
        }
    }

    /** Returns an example request; if a name depends on the call, the templates are used as the names. */
    LockRequest example() {
        return isConstant ? pattern : pattern.names(templates);
    }

    /** Returns the name templates as written. */
    List<String> templates() {
        return templates;
    }
}
