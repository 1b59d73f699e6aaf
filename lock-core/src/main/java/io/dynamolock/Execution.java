/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of work that was to run under a lock.
 *
 * @param <T> the type of the result
 * @since 0.1
 */
public final class Execution<T> {

    private static final Execution<?> SKIPPED = new Execution<>(false, null);

    private final boolean executed;
    private final @Nullable T result;

    private Execution(boolean executed, @Nullable T result) {
        this.executed = executed;
        this.result = result;
    }

    static <T> Execution<T> of(@Nullable T result) {
        return new Execution<>(true, result);
    }

    /**
     * Returns the execution of work that did not run, for code that decides that by itself.
     *
     * @param <T> the type of the result
     * @return an execution without a result
     */
    @SuppressWarnings("unchecked") // it never carries a result
    public static <T> Execution<T> skipped() {
        return (Execution<T>) SKIPPED;
    }

    /**
     * Returns whether the work ran.
     *
     * @return false if the lock was busy until the wait time had elapsed
     */
    public boolean executed() {
        return executed;
    }

    /**
     * Returns the result of the work.
     *
     * @return the result; null if the work returned null
     * @throws NoSuchElementException if the work did not run
     */
    public @Nullable T result() {
        if (!executed) {
            throw new NoSuchElementException("The work did not run: the lock was busy");
        }
        return result;
    }

    @Override
    public String toString() {
        return executed ? "Execution[executed, result=" + result + "]" : "Execution[not executed]";
    }
}
