/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

/** Advances an {@link Acquisition} on its own threads. */
interface AcquisitionDriver {

    /** Called when something has changed: the driver advances the acquisition soon. */
    void wake();

    /** Called when the manager has stopped: its threads no longer advance the acquisition. */
    default void stopped() {}
}
