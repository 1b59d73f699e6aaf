/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import org.jspecify.annotations.Nullable;

/** Runs work under a lease, and releases the lease after the work has ended, never earlier, even if the manager closes. */
final class LeasedWork {

    private LeasedWork() {}

    static <T> T call(Lease lease, LockedWork<T> work) throws Exception {
        Throwable thrown = null;
        starts(lease);
        try {
            return work.run(lease);
        } catch (Throwable failure) {
            thrown = failure;
            throw failure;
        } finally {
            ends(lease, thrown);
        }
    }

    static void run(Lease lease, Runnable work) {
        Throwable thrown = null;
        starts(lease);
        try {
            work.run();
        } catch (Throwable failure) {
            thrown = failure;
            throw failure;
        } finally {
            ends(lease, thrown);
        }
    }

    private static void starts(Lease lease) {
        HeldLease held = underneath(lease);
        if (held != null) {
            held.workers().enter();
        }
    }

    private static @Nullable HeldLease underneath(Lease lease) {
        return lease instanceof HeldLease held
                ? held
                : lease instanceof ReentrantLease reentrant ? reentrant.lease() : null;
    }

    /** Closes the lease. A failed release does not fail the work: it has been logged, and the lease expires. */
    private static void ends(Lease lease, @Nullable Throwable thrown) {
        HeldLease held = underneath(lease);
        if (held != null) {
            held.workers().leave();
        }
        try {
            lease.close();
        } catch (RuntimeException releaseFailure) {
            if (thrown != null) {
                thrown.addSuppressed(releaseFailure);
            }
        }
    }
}
