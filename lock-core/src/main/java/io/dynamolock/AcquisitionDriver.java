/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

/** Advances an {@link Acquisition} on its own threads, or resumes a lease. */
interface AcquisitionDriver {

    /** Called when something has changed: the driver advances the acquisition soon. */
    void wake();

    /** Called when the manager has stopped: its threads no longer advance the acquisition. */
    default void stopped() {}

    /** Whether the calling thread drives it, as a listener that closes the manager, and so cannot wait for it. */
    default boolean isOnThisThread() {
        return false;
    }
}
