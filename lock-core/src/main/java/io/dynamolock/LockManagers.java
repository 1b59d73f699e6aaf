/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.util.Collection;

/**
 * Operations on several {@link LockManager}s.
 *
 * @since 0.1
 */
public final class LockManagers {

    private LockManagers() {}

    /**
     * Closes several managers concurrently, so that closing all of them takes no longer than closing the slowest. Each
     * is closed even if closing another one fails. Those that call a listener, callback or continuation on the calling
     * thread are closed on it, or else the first is, as are all for which no thread can be started.
     *
     * @param managers the managers, each closed as by {@link LockManager#close()}; one that occurs twice is closed once
     * @throws RuntimeException the first failure, which may also be an Error, once all managers are closed
     */
    public static void closeAll(Collection<? extends LockManager> managers) {
        new Closing(managers).run();
    }
}
