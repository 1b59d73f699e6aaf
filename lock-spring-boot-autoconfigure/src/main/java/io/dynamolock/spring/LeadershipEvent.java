/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring;

/**
 * Application event about the {@link Leadership} of this process, for {@code @EventListener} methods. Events are
 * published one after the other, {@link Granted} and {@link Revoked} in turn: this process is not elected again before
 * all listeners of the revocation have returned. Listeners should return soon; a leader's work belongs to a thread of
 * its own. An exception of a listener is logged, and does not end the leadership, whose {@link Revoked} follows in any
 * case; but listeners after it do not get the event, unless the application's multicaster has an error handler.
 * {@code @Order} sets the order of listeners.
 *
 * @since 0.1
 */
public sealed interface LeadershipEvent {

    /**
     * Returns the name of the lock that the leader holds.
     *
     * @return the value of {@code dynamolock.leader.name}
     */
    String name();

    /**
     * Published when this process has become the leader.
     *
     * @param name the lock
     * @param fencingToken the token of its lease
     */
    record Granted(String name, long fencingToken) implements LeadershipEvent {}

    /**
     * Published when this process is no longer the leader: its lease was lost, or the application is stopped. In the
     * latter case the lock is released after all listeners have returned.
     *
     * @param name the lock
     */
    record Revoked(String name) implements LeadershipEvent {}
}
