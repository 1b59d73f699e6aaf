/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.coordination;

import io.dynamolock.Lease;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The callbacks of an election. Each is called, whatever the others throw. */
final class ElectionCallbacks {

    private static final Logger LOG = LoggerFactory.getLogger(LeaderElection.class);

    private final String name;
    private final List<Consumer<Lease>> elected = new CopyOnWriteArrayList<>();
    private final List<Runnable> revoked = new CopyOnWriteArrayList<>();

    ElectionCallbacks(String name) {
        this.name = name;
    }

    void onElected(Consumer<Lease> action) {
        elected.add(action);
    }

    void onRevoked(Runnable action) {
        revoked.add(action);
    }

    /** Returns whether no callback has failed. */
    boolean elected(Lease lease) {
        boolean succeeded = true;
        for (Consumer<Lease> action : elected) {
            succeeded &= call("elected, so this leadership ends", () -> action.accept(lease));
        }
        return succeeded;
    }

    void revoked() {
        revoked.forEach(action -> call("revoked", action));
    }

    private boolean call(String event, Runnable action) {
        try {
            action.run();
            return true;
        } catch (Throwable failure) {
            LOG.error("A callback of election '{}' failed when it was {}", name, event, failure);
            return false;
        } finally {
            var unused = Thread.interrupted(); // of this callback, not of the next one
        }
    }
}
