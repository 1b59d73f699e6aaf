/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring;

/** Throws what a method does not declare, as code in Kotlin or Groovy may. */
public final class Undeclared {

    private Undeclared() {}

    public static RuntimeException rethrow(Throwable failure) {
        throw Undeclared.<RuntimeException>unchecked(failure);
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <E extends Throwable> E unchecked(Throwable failure) throws E {
        throw (E) failure;
    }
}
