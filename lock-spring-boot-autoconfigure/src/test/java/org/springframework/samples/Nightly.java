/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package org.springframework.samples;

/** Work that the type inherits from another one of the application. */
public interface Nightly {

    /** Returns whether it ran. */
    default boolean runNightly() {
        return true;
    }
}
