/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the operations of one manager share. Holds no logic of its own.
 */
final class EngineContext {

    private static final Logger LOG = LoggerFactory.getLogger(EngineContext.class);

    private static final int REMEMBERED_NAMES = 10_000;

    final LockStore store;
    final LockSettings settings;
    final LockDelay lockDelay;
    final LeaseClock clock;
    final StoreAvailability availability = new StoreAvailability();
    final StoreClient client;
    final Scheduler scheduler;
    final LockListener listener;
    final DoubleSupplier random;
    final Supplier<String> leaseIds;
    final LockNames names;
    final FencingTokens tokens = new FencingTokens();
    final Observations observations;
    final CorruptRowWarnings corruptRows;
    final LocalWaitQueues waitQueues = new LocalWaitQueues();
    final PollBackoff pollBackoff;
    final Undo undo;
    final ShutdownOnLoss shutdownOnLoss;
    final @Nullable TokenKey tokenKey;

    /** The leases that are held, until they are released or lost. */
    final Set<HeldLease> held = oldestFirst();

    /** The leases whose release is under way. */
    final Set<HeldLease> releasing = oldestFirst();

    /** The asynchronous closes that have not begun, to be told of the manager's end. */
    final Set<AsyncClose> closings = oldestFirst();

    /** The acquisitions under way, to be told of the manager's end. */
    final Set<Acquisition> acquisitions = oldestFirst();

    private volatile boolean closed;

    EngineContext(
            LockStore store,
            LockSettings settings,
            LeaseClock clock,
            RetryPolicy retryPolicy,
            LockListener listener,
            Scheduler scheduler,
            DoubleSupplier random,
            Supplier<String> leaseIds,
            ShutdownOnLoss shutdownOnLoss,
            @Nullable TokenKey tokenKey) {
        this.store = store;
        this.settings = settings;
        this.lockDelay = new LockDelay(settings.lockDelay());
        this.clock = clock;
        this.scheduler = scheduler;
        this.client = new StoreClient(
                store,
                clock,
                listener,
                retryPolicy,
                scheduler,
                new RequestLimit(settings.maxConcurrentRequests(), scheduler::parker),
                availability::responses,
                this::answered,
                this::failed);
        this.listener = listener;
        this.random = random;
        this.leaseIds = leaseIds;
        this.names = new LockNames(settings.namePrefix());
        this.observations = new Observations(REMEMBERED_NAMES, lockDelay.inRow(settings.leaseDuration()));
        this.corruptRows = new CorruptRowWarnings(store.describe(), listener);
        this.pollBackoff = new PollBackoff(settings.pollMin(), settings.pollMax(), random);
        this.undo = new Undo(this);
        this.shutdownOnLoss = shutdownOnLoss;
        this.tokenKey = tokenKey;
        scheduler.limit(availability.concurrencyLimit());
    }

    /** To be copied before it is looked through, as others change it. */
    static <T> Set<T> oldestFirst() {
        return Collections.synchronizedSet(new LinkedHashSet<>());
    }

    private void answered() {
        adjustThreads(availability.answered());
    }

    /** Whoever interrupts a request says nothing of the store, nor does one that could never be right. */
    private void failed(LockStoreException failure, long responsesWhenSent) {
        if (failure.isAnswered()) {
            adjustThreads(availability.refused());
        } else if (failure.isRetryable() && !Thread.currentThread().isInterrupted()) {
            availability.failed(responsesWhenSent);
            adjustThreads(false);
        }
    }

    /** Whether or not a thread can be started for it, the request that was the occasion has ended as it has. */
    private void adjustThreads(boolean storeIsBack) {
        try {
            scheduler.limit(availability.concurrencyLimit());
            if (storeIsBack) {
                onStoreRecovered();
            }
        } catch (Throwable noThread) {
            LOG.warn("No thread can be started for more requests at once", noThread);
        }
    }

    /** Not here and now: leases may be many, and this is a caller's thread, whose request counts until it is back. */
    private void onStoreRecovered() {
        Scheduler.Scheduled unused = scheduler.schedule(clock.nanos(), () -> Heartbeat.onStoreRecovered(this));
    }

    /** Runs a request in the background, or here and now if no thread takes it, so that it is not forgotten. */
    void inBackground(Scheduler.Rank rank, Runnable request) {
        if (!takes(() -> scheduler.submit(rank, request))) {
            request.run();
        }
    }

    /** Runs other people's code on a thread for callbacks, or here and now if none takes it. */
    void tell(Runnable callback) {
        if (!takes(() -> scheduler.callBack(callback))) {
            callback.run();
        }
    }

    private static boolean takes(BooleanSupplier threads) {
        try {
            return threads.getAsBoolean();
        } catch (Throwable noThread) {
            LOG.warn("No thread can be started: work is done on the thread at hand", noThread);
            return false;
        }
    }

    boolean isClosed() {
        return closed;
    }

    void requireOpen() {
        if (closed) {
            throw closedException();
        }
    }

    /** Whether no request is under way, or still to be sent, that somebody relies on. */
    boolean isSettled() {
        return releasing.isEmpty() && acquisitions.isEmpty() && undo.isSettled();
    }

    /** Returns whether it was open until now. */
    synchronized boolean markClosed() {
        boolean was = closed;
        closed = true;
        return !was;
    }

    static LockManagerClosedException closedException() {
        return new LockManagerClosedException();
    }

    /** What a request wants to happen to its work if the lease is lost. */
    OnLost onLostOf(LockRequest request) {
        return request.onLost() == null ? settings.onLost() : request.onLost();
    }

    /** How long one request about such a lease may take; the first of a process may take seconds by itself. */
    Duration attemptTimeout(Duration lease) {
        Duration usual = settings.attemptTimeoutFor(lease);
        return client.isWarm() ? usual : Durations.max(usual, questionTimeout());
    }

    /** How long one question for the time may take: half of its budget, since an answer may be lost. */
    Duration questionTimeout() {
        return Durations.part(settings.firstAnswerTimeoutOrDefault(), 2);
    }

    /** How long an operation on such a lease may take with all its retries; one that must ask for the time, or is first, longer. */
    Duration callTimeout(Duration lease) {
        Duration usual = settings.callTimeoutFor(lease);
        boolean warm = client.isWarm() && clock.isReady();
        return warm ? usual : Durations.max(usual, settings.firstAnswerTimeoutOrDefault());
    }

    /** No fencing token can be made. */
    LockStoreException implausibleClock(String name) {
        return new LockStoreException(
                name,
                "Lock '%s' was not acquired: fencing tokens are made from the time, and this machine's clock, the only one there is,"
                                .formatted(name)
                        + " says %s. Set the clock".formatted(clock.now().wall()),
                null,
                false,
                false);
    }

    /** How long a request is ready to wait. */
    Duration waitOf(LockRequest request) {
        return request.waitTime() == null ? settings.waitTime() : request.waitTime();
    }
}
