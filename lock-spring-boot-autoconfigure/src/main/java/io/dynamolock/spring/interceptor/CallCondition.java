/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import java.util.Locale;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/**
 * Condition under which the calls of a method run.
 *
 * @param template the condition; null if calls always run
 */
record CallCondition(@Nullable AttributeTemplate template) {

    /** Returns whether a call runs; throws IllegalStateException if the condition is neither true nor false. */
    boolean allows(MethodInvocation call) {
        if (template == null) {
            return true;
        }
        String value = template.forCall(call);
        Boolean allowed = parse(value);
        if (allowed == null) {
            throw new IllegalStateException("The condition '%s' of %s must give true or false, but gives '%s'"
                    .formatted(template.source(), template.annotated().where(), value));
        }
        return allowed;
    }

    /** Returns whether calls run at the moment; null if that depends on the call, or cannot be determined. */
    @Nullable
    Boolean now() {
        if (template == null) {
            return true;
        }
        String value = template.now();
        return value == null ? null : parse(value);
    }

    /** Returns the condition as written; null if calls always run. */
    @Nullable
    String source() {
        return template == null ? null : template.source();
    }

    /** Accepts what Spring converts to a boolean; null for anything else. */
    static @Nullable Boolean parse(String value) {
        return switch (value.strip().toLowerCase(Locale.ROOT)) {
            case "true", "on", "yes", "1" -> true;
            case "false", "off", "no", "0" -> false;
            default -> null;
        };
    }
}
