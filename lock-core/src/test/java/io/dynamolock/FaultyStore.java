/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.LockListener.Operation;
import io.dynamolock.LockWrite.Acquire;
import io.dynamolock.LockWrite.Claim;
import io.dynamolock.LockWrite.ForceFree;
import io.dynamolock.LockWrite.RaiseFloor;
import io.dynamolock.LockWrite.Release;
import io.dynamolock.LockWrite.Renew;
import io.dynamolock.LockWrite.WithdrawClaim;
import io.dynamolock.memory.InMemoryLockStore;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** An in-memory store that can lose requests and responses, and records the requests it gets. */
final class FaultyStore implements LockStore {

    /** A fault that a request meets. */
    interface Fault {

        Response strike(Supplier<Response> request);

        /** Returns a fault that runs an action after this one, before the response arrives. */
        default Fault andThen(Runnable action) {
            return request -> {
                Response response = strike(request);
                action.run();
                return response;
            };
        }

        /** The request never arrives. */
        Fault LOSE_REQUEST = request -> {
            throw unanswered();
        };

        /** The request is applied, but its response is lost. */
        Fault LOSE_RESPONSE = request -> {
            var unused = request.get();
            throw unanswered();
        };

        /** The request is throttled. */
        Fault THROTTLE = request -> {
            throw new LockStoreException("x", "throttled", null, false, true, true);
        };

        /** The request fails permanently. */
        Fault DENY = request -> {
            throw new LockStoreException("x", "access denied", null, false, false, true);
        };

        /** The thread is interrupted during the request, and the client aborts. */
        Fault INTERRUPT = request -> {
            var unused = request.get();
            Thread.currentThread().interrupt();
            throw new LockStoreException("x", "interrupted", null, true, false);
        };

        /** An exception that no store should throw. */
        Fault BUG = request -> {
            throw new IllegalStateException("bug in the store");
        };

        /** An error that no store should throw. */
        Fault ERROR = request -> {
            throw new StackOverflowError("in the store");
        };

        private static LockStoreException unanswered() {
            return new LockStoreException("x", "no response", null, true, true);
        }

        static Fault slow(ManualTime time, Duration delay) {
            return request -> {
                Response response = request.get();
                time.pass(delay);
                return response;
            };
        }

        static Fault then(Runnable action) {
            return request -> {
                Response response = request.get();
                action.run();
                return response;
            };
        }

        static Fault first(Runnable action) {
            return request -> {
                action.run();
                return request.get();
            };
        }
    }

    /** One request that was sent. */
    record Sent(Operation operation, Object write) {}

    private static final int MOST = 100_000;

    private final InMemoryLockStore rows;
    private final Deque<Fault> next = new ArrayDeque<>();
    private final List<Sent> sent = new ArrayList<>();
    private final List<Duration> timeouts = Collections.synchronizedList(new ArrayList<>());
    private @Nullable Fault always;

    FaultyStore(InMemoryLockStore rows) {
        this.rows = rows;
    }

    /** Sets the faults of the next requests. */
    FaultyStore next(Fault... faults) {
        next.addAll(List.of(faults));
        return this;
    }

    /** Sets the fault of all further requests. */
    void always(Fault fault) {
        always = fault;
    }

    void heal() {
        always = null;
        next.clear();
    }

    synchronized List<Sent> sent() {
        return List.copyOf(sent);
    }

    List<Duration> timeouts() {
        return List.copyOf(timeouts);
    }

    List<Operation> operations() {
        return sent().stream().map(Sent::operation).toList();
    }

    synchronized void forget() {
        sent.clear();
    }

    InMemoryLockStore rows() {
        return rows;
    }

    private Response send(Operation operation, Object write, Supplier<Response> request) {
        Fault fault;
        synchronized (this) {
            if (sent.size() >= MOST) {
                throw new IllegalStateException(
                        "No test sends so many requests: something repeats a request endlessly");
            }
            sent.add(new Sent(operation, write));
            fault = next.isEmpty() ? always : next.remove();
        }
        return fault == null ? request.get() : fault.strike(request);
    }

    @Override
    public Response acquire(Acquire write, Duration timeout) {
        timeouts.add(timeout);
        return send(Operation.ACQUIRE, write, () -> rows.acquire(write, timeout));
    }

    @Override
    public Response renew(Renew write, Duration timeout) {
        return send(Operation.RENEW, write, () -> rows.renew(write, timeout));
    }

    @Override
    public Response release(Release write, Duration timeout) {
        timeouts.add(timeout);
        return send(Operation.RELEASE, write, () -> rows.release(write, timeout));
    }

    @Override
    public Response raiseFloor(RaiseFloor write, Duration timeout) {
        return send(Operation.UNDO, write, () -> rows.raiseFloor(write, timeout));
    }

    @Override
    public Response claim(Claim write, Duration timeout) {
        return send(Operation.CLAIM, write, () -> rows.claim(write, timeout));
    }

    @Override
    public Response withdrawClaim(WithdrawClaim write, Duration timeout) {
        return send(Operation.CLAIM, write, () -> rows.withdrawClaim(write, timeout));
    }

    @Override
    public Response revoke(String name, String leaseId, Duration timeout) {
        return send(Operation.REVOKE, leaseId, () -> rows.revoke(name, leaseId, timeout));
    }

    @Override
    public Response forceFree(ForceFree write, Duration timeout) {
        return send(Operation.RELEASE, write, () -> rows.forceFree(write, timeout));
    }

    @Override
    public Response readToFree(String name, Duration timeout) {
        return send(Operation.READ, true, () -> rows.readToFree(name, timeout));
    }

    @Override
    public Response read(String name, boolean consistent, Duration timeout) {
        return send(Operation.READ, consistent, () -> rows.read(name, consistent, timeout));
    }

    @Override
    public String describe() {
        return rows.describe();
    }
}
