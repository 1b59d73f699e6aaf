/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import io.dynamolock.Lease;
import io.dynamolock.LeaseState;
import io.dynamolock.LockManager;
import io.dynamolock.OnLost;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
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
     * @param call a call with a reentrant request
     * @return the lease, to be entered again; null if the thread is in no transaction
     * @throws InterruptedException if the thread is interrupted while it waits
     */
    static @Nullable Lease acquire(LockedCall call) throws InterruptedException {
        return isOpen() ? Leases.ofTransaction().hold(call) : null;
    }

    /** Returns whether what this thread does belongs to a transaction, even to one that has just been completed. */
    static boolean isActive() {
        return PRESENT && Leases.isActive();
    }

    /** Returns whether this thread is in a transaction that is not completed. */
    static boolean isOpen() {
        return PRESENT && Leases.isTransactionActive();
    }

    /**
     * Requires that no lock of the transaction has been lost, unless its losses are only notified.
     *
     * @throws io.dynamolock.LeaseLostException if one was
     */
    static void requireHeld() {
        if (Leases.isTransactionActive()) {
            Leases.find().ifPresent(leases -> leases.beforeCommit(false));
        }
    }

    /** The leases of one transaction. Loaded only if Spring's transactions are present. */
    private static final class Leases implements TransactionSynchronization {

        private record Key(LockManager manager, List<String> names, OnLost policy) {

            static Key of(LockedCall call) {
                return new Key(
                        call.manager(), call.request().names(), call.request().onLost());
            }
        }

        private final Map<Key, Lease> held = new HashMap<>();

        /** All leases of the transaction, including lost ones that were replaced because their policy only notifies. */
        private final List<Lease> all = new ArrayList<>();

        static boolean isActive() {
            return TransactionSynchronizationManager.isActualTransactionActive();
        }

        /** Returns false in the callbacks after the completion, which would come too late for another one. */
        static boolean isTransactionActive() {
            return isActive() && TransactionSynchronizationManager.isSynchronizationActive();
        }

        static Optional<Leases> find() {
            return TransactionSynchronizationManager.getSynchronizations().stream()
                    .filter(Leases.class::isInstance)
                    .map(Leases.class::cast)
                    .findFirst();
        }

        static Leases ofTransaction() {
            return find().orElseGet(() -> {
                Leases leases = new Leases();
                TransactionSynchronizationManager.registerSynchronization(leases);
                return leases;
            });
        }

        /**
         * Enters a lock, unless one of the transaction was lost: what was done under it will be rolled back.
         *
         * @throws io.dynamolock.LeaseLostException if a lease was lost whose losses are not only notified
         */
        Lease hold(LockedCall call) throws InterruptedException {
            guarding().filter(lease -> lease.state() == LeaseState.LOST).forEach(Lease::ensureHeld);
            Key key = Key.of(call);
            Lease lease = held.get(key);
            if (lease == null || !lease.isHeld()) {
                lease = call.acquire();
                held.put(key, lease);
                all.add(lease);
            }
            return lease;
        }

        /** Rolls back what was done under a lock that was lost since, unless its losses are only notified. */
        @Override
        public void beforeCommit(boolean readOnly) {
            guarding().forEach(Lease::ensureHeld);
        }

        private Stream<Lease> guarding() {
            return all.stream().filter(lease -> lease.policy() != OnLost.EVENT);
        }

        /**
         * Releases the locks, as those of failed work if the transaction has not committed. A failed release has been
         * logged, and the lease expires on its own.
         */
        @Override
        public void afterCompletion(int status) {
            if (status != STATUS_COMMITTED) {
                all.forEach(Lease::markFailed);
            }
            CompletableFuture<?>[] releases = all.stream()
                    .map(lease -> lease.closeAsync().toCompletableFuture())
                    .toArray(CompletableFuture<?>[]::new);
            Void unused = CompletableFuture.allOf(releases)
                    .exceptionally(unreleased -> null)
                    .join();
        }
    }
}
