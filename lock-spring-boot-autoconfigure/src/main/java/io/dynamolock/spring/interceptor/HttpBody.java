/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;
import org.springframework.http.HttpEntity;
import org.springframework.util.ClassUtils;

/** The body of an HTTP response, which is written after its method has returned. Spring Web may be absent. */
final class HttpBody {

    private static final boolean IS_POSSIBLE =
            ClassUtils.isPresent("org.springframework.http.HttpEntity", HttpBody.class.getClassLoader());

    private HttpBody() {}

    /** Returns the declared type of the body, {@code Object} if it is open; null if the type is no HTTP response. */
    static @Nullable Class<?> typeIn(ResolvableType returned) {
        ResolvableType entity = IS_POSSIBLE ? returned.as(HttpEntity.class) : ResolvableType.NONE;
        return entity.resolve() == null ? null : entity.getGeneric().resolve(Object.class);
    }

    /** Returns the body of an HTTP response; null if it has none, or if the result is something else. */
    static @Nullable Object of(@Nullable Object result) {
        return IS_POSSIBLE && result instanceof HttpEntity<?> response ? response.getBody() : null;
    }
}
