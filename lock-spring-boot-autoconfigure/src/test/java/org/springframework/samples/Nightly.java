/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package org.springframework.samples;

/** Work of an application that is a sample of Spring, such as its clinic for pets. */
public interface Nightly {

    /** Returns whether it ran. */
    default boolean runNightly() {
        return true;
    }
}
