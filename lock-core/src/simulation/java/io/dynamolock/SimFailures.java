/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.jspecify.annotations.Nullable;

/** Formats unexpected failures. */
final class SimFailures {

    private SimFailures() {}

    static String text(@Nullable Throwable failure) {
        StringWriter text = new StringWriter();
        if (failure != null) {
            failure.printStackTrace(new PrintWriter(text));
        }
        return text.toString();
    }
}
