/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import io.dynamolock.Lease;
import io.dynamolock.LockManager;
import io.dynamolock.LockRequest;
import io.dynamolock.OnLost;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.ClassUtils;

/**
 * Holds a lock until the transaction of the calling thread has completed, so that the next holder sees its commit or
 * its rollback. The hold is one more reentrant lease, so that the thread can enter again until then.
 */
final class TransactionHold {

    private static final boolean PRESENT = ClassUtils.isPresent(
            "org.springframework.transaction.support.TransactionSynchronizationManager",
            TransactionHold.class.getClassLoader());

    private TransactionHold() {}

    /**
     * Acquires a lock for the rest of the transaction.
     *
     * @param manager the lock manager
     * @param request a reentrant request
     * @return the lease, to be entered again; null if the thread is in no transaction
     * @throws InterruptedException if the thread is interrupted while it waits
     */
    static @Nullable Lease acquire(LockManager manager, LockRequest request) throws InterruptedException {
        return PRESENT && Leases.isTransactionActive() ? Leases.ofTransaction().hold(manager, request) : null;
    }

    /** The leases of one transaction. Loaded only if Spring's transactions are present. */
    private static final class Leases implements TransactionSynchronization {

        private record Key(LockManager manager, String name) {}

        private final Map<Key, Lease> held = new LinkedHashMap<>();

        /** Returns false in the callbacks after the completion, which would come too late for another one. */
        static boolean isTransactionActive() {
            return TransactionSynchronizationManager.isActualTransactionActive()
                    && TransactionSynchronizationManager.isSynchronizationActive();
        }

        static Leases ofTransaction() {
            for (TransactionSynchronization each : TransactionSynchronizationManager.getSynchronizations()) {
                if (each instanceof Leases leases) {
                    return leases;
                }
            }
            Leases leases = new Leases();
            TransactionSynchronizationManager.registerSynchronization(leases);
            return leases;
        }

        Lease hold(LockManager manager, LockRequest request) throws InterruptedException {
            Key key = new Key(manager, request.name());
            Lease lease = held.get(key);
            if (lease == null || !lease.isHeld()) {
                lease = manager.acquire(request);
                held.put(key, lease);
            }
            return lease;
        }

        /** Rolls back what was done under a lock that was lost since, unless its losses are only notified. */
        @Override
        public void beforeCommit(boolean readOnly) {
            held.values().stream()
                    .filter(lease -> lease.policy() != OnLost.EVENT)
                    .forEach(Lease::ensureHeld);
        }

        /** A failed release has been logged, and the lease expires on its own. */
        @Override
        public void afterCompletion(int status) {
            CompletableFuture<?>[] releases = held.values().stream()
                    .map(lease -> lease.closeAsync().toCompletableFuture())
                    .toArray(CompletableFuture<?>[]::new);
            Void unused = CompletableFuture.allOf(releases)
                    .exceptionally(unreleased -> null)
                    .join();
        }
    }
}
