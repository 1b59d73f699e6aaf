/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring;

/** A superclass, for subclasses in other packages, that calls a method of theirs on itself. */
public abstract class TemplateWork<T> {

    /** Calls the template method. */
    public void handle(T message) {
        handleMessage(message);
    }

    protected abstract void handleMessage(T message);

    /** Is itself a subclass with the method. */
    public static class Of<T> extends TemplateWork<T> {

        @Override
        protected void handleMessage(T message) {}
    }

    /** Calls the template method also by a method that no proxy overrides. */
    public abstract static class WithFinal<T> extends TemplateWork<T> {

        public final void handleLast(T message) {
            handleMessage(message);
        }
    }
}
