/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring;

import java.lang.reflect.UndeclaredThrowableException;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Calls code of the application or of another library whose failure must not affect what is done around it. */
public final class ForeignCode {

    private ForeignCode() {}

    /**
     * Runs code. An undeclared {@link InterruptedException}, as Kotlin and Groovy permit, leaves the thread interrupted,
     * also if Spring has wrapped it, as it does for an {@code @EventListener} method.
     *
     * @param code the code
     * @param failed called with whatever the code throws, also with an error or an undeclared checked exception
     */
    public static void run(Runnable code, Consumer<Throwable> failed) {
        try {
            code.run();
        } catch (Throwable failure) {
            report(failure, failed);
        }
    }

    /**
     * Calls code, like {@link #run}.
     *
     * @param code the code
     * @param instead the result if the code throws
     * @param failed called with whatever the code throws
     * @param <T> the type of the result
     * @return the result of the code
     */
    public static <T> T call(Supplier<T> code, T instead, Consumer<Throwable> failed) {
        try {
            return code.get();
        } catch (Throwable failure) {
            report(failure, failed);
            return instead;
        }
    }

    private static void report(Throwable failure, Consumer<Throwable> failed) {
        Throwable thrown =
                failure instanceof UndeclaredThrowableException wrapped ? wrapped.getUndeclaredThrowable() : failure;
        if (thrown instanceof InterruptedException) {
            Thread.currentThread().interrupt();
        }
        failed.accept(failure);
    }
}
