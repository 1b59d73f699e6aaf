/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.LockStore.Response;
import io.dynamolock.LockWrite.Release;
import io.dynamolock.LockWrite.Rest;
import io.dynamolock.time.Durations;
import io.dynamolock.time.PollBackoff;
import io.dynamolock.time.Scheduler;
import io.dynamolock.time.StoreAvailability;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Services shared by the operations of one manager: the store, the clocks, the threads, the waiters, and what was
 * observed of rows. Knows neither acquisitions nor leases.
 */
final class EngineContext implements StoreClient.Observer {

    private static final Logger LOG = LoggerFactory.getLogger(EngineContext.class);

    private static final int REMEMBERED_NAMES = 10_000;

    final LockStore store;
    final LockSettings settings;
    final LockDelay lockDelay;
    final LeaseClock clock;
    final StoreAvailability availability = new StoreAvailability();
    final StoreClient client;
    final RequestLimit requestLimit;
    final Scheduler scheduler;
    final LockListener listener;
    final DoubleSupplier random;
    final Supplier<String> leaseIds;
    final LockNames names;
    final FencingTokens tokens = new FencingTokens();
    final Observations observations;
    final TurnClaims claims;
    final CorruptRowWarnings corruptRows;
    final LocalWaitQueues waitQueues = new LocalWaitQueues();
    private final PollBackoff pollBackoff;
    final @Nullable TokenKey tokenKey;

    private volatile Runnable onStoreRecovered = () -> {};

    EngineContext(
            LockStore store,
            LockSettings settings,
            LeaseClock clock,
            RetryPolicy retryPolicy,
            LockListener listener,
            Scheduler scheduler,
            DoubleSupplier random,
            Supplier<String> leaseIds,
            @Nullable TokenKey tokenKey) {
        this.store = store;
        this.settings = settings;
        this.lockDelay = new LockDelay(settings.lockDelay());
        this.clock = clock;
        this.scheduler = scheduler;
        this.requestLimit = new RequestLimit(settings.maxConcurrentRequests(), scheduler::parker);
        this.client = new StoreClient(store, clock, listener, retryPolicy, scheduler, requestLimit, this);
        this.listener = listener;
        this.random = random;
        this.leaseIds = leaseIds;
        this.names = new LockNames(settings.namePrefix());
        this.observations = new Observations(REMEMBERED_NAMES, lockDelay.inRow(settings.leaseDuration()));
        this.claims = new TurnClaims(leaseIds.get(), observations);
        this.corruptRows = new CorruptRowWarnings(store.describe(), listener);
        this.pollBackoff = new PollBackoff(settings.pollMin(), settings.pollMax(), random);
        this.tokenKey = tokenKey;
        scheduler.limit(availability.concurrencyLimit());
    }

    /**
     * Sets what is done once the store responds again after an outage. It runs on another thread: it may take long, and
     * the current thread may be a caller's, whose request counts as in flight until it returns.
     */
    void onStoreRecovered(Runnable action) {
        onStoreRecovered = action;
    }

    @Override
    public long responses() {
        return availability.responses();
    }

    @Override
    public void answered() {
        adjustThreads(availability.answered());
    }

    /**
     * Ignores failures that say nothing about the store: interrupted requests, and unanswered ones that must not be
     * retried.
     */
    @Override
    public void failed(LockStoreException failure, long responsesWhenSent) {
        if (failure.isAnswered()) {
            adjustThreads(availability.rejected());
        } else if (failure.isRetryable() && !Thread.currentThread().isInterrupted()) {
            availability.failed(responsesWhenSent);
            adjustThreads(false);
        }
    }

    /** Logs a failure to start a thread: it must not change the outcome of the request that led here. */
    private void adjustThreads(boolean recovered) {
        try {
            scheduler.limit(availability.concurrencyLimit());
            if (recovered) {
                Scheduler.Scheduled unused = scheduler.schedule(clock.nanos(), onStoreRecovered);
            }
        } catch (Throwable noThread) {
            LOG.warn("No thread can be started for more concurrent requests", noThread);
        }
    }

    /** Runs a request in the background, or on the calling thread if no other thread accepts it. */
    void inBackground(Scheduler.Rank rank, Runnable request) {
        if (!submit(rank, request)) {
            request.run();
        }
    }

    /** Submits a request; returns false if no other thread accepts it. */
    boolean submit(Scheduler.Rank rank, Runnable request) {
        return accepted(() -> scheduler.submit(rank, request));
    }

    /** Runs user code on a callback thread, or on the calling thread if no callback thread accepts it. */
    void runCallback(Runnable callback) {
        if (!accepted(() -> scheduler.callBack(callback))) {
            callback.run();
        }
    }

    private static boolean accepted(BooleanSupplier threads) {
        try {
            return threads.getAsBoolean();
        } catch (Throwable noThread) {
            LOG.warn("No thread can be started; the task runs on the calling thread", noThread);
            return false;
        }
    }

    /**
     * Returns what happens to the work under the lease if the lease is lost: the request's choice, or else the setting.
     */
    OnLost onLostOf(LockRequest request) {
        return request.onLost() == OnLost.DEFAULT ? settings.onLost() : request.onLost();
    }

    /**
     * Remembers the row of a lock that this process keeps without a holder. Without a common time, only who has seen
     * the row for the whole time knows that the lock is not kept any more.
     *
     * @param before the row before the write
     */
    void observeKept(Release write, Response response, LockRow before) {
        Rest rest = write.rest();
        if (rest == null || rest.clock() != LeaseTime.OBSERVED) {
            return;
        }
        LockRow kept = before.toBuilder()
                .leaseDuration(Durations.wholeMillis(rest.leaseDuration()))
                .renewals(rest.number())
                .lastLeaseId(write.leaseId())
                .build();
        LockRow row = response.applied() ? kept : response.row();
        observations.observed(write.name(), row == null ? LockRow.ABSENT : row, clock.nanos());
    }

    /**
     * Returns the timeout of one request for a lease of this duration. It is longer until the client is warm, as the
     * first request of a process can take seconds.
     */
    Duration attemptTimeout(Duration leaseDuration) {
        Duration usual = settings.attemptTimeoutFor(leaseDuration);
        return client.isWarm() ? usual : Durations.max(usual, clockSampleTimeout());
    }

    /**
     * Returns the timeout of one request that samples the store's clock: half of its budget, as a response may be lost.
     */
    Duration clockSampleTimeout() {
        return Durations.part(settings.firstResponseTimeoutOrDefault(), 2);
    }

    /** Returns the timeout of a request that is not repeated, for such a lease, once the client is warm. */
    Duration onlyAttemptTimeout(Duration leaseDuration) {
        return Durations.min(settings.attemptTimeoutFor(leaseDuration), settings.callTimeoutFor(leaseDuration));
    }

    /**
     * Returns the timeout of an operation on a lease of this duration, including all retries. It is longer for the
     * first operation of a process, and for one that must sample the store's clock.
     */
    Duration callTimeout(Duration leaseDuration) {
        return callTimeout(leaseDuration, clock.isReady());
    }

    /** Returns the timeout of an operation, given whether the store's clock is known. */
    Duration callTimeout(Duration leaseDuration, boolean clockIsReady) {
        Duration usual = settings.callTimeoutFor(leaseDuration);
        return client.isWarm() && clockIsReady ? usual : Durations.max(usual, settings.firstResponseTimeoutOrDefault());
    }

    /**
     * Reads a row for the store's time, before an end is written there: a process that sees the row for the first time
     * could not compare the end without it, and would wait for as long again. A failure is ignored.
     */
    void sampleClock(String name, String storedName, Duration atMost) {
        try {
            Response unused = client.readAndSampleClock(
                    name,
                    client.budget(atMost, clock.nanos() + Durations.nanos(atMost)),
                    Durations.part(atMost, 2),
                    timeouts -> client.read(name, storedName, false, timeouts));
        } catch (LockStoreException failure) {
            LOG.debug("The store's time was not read for lock '{}': {}", name, failure.getMessage());
        }
    }

    /** Returns the exception for a clock whose time cannot be made into a fencing token. */
    LockStoreException implausibleClock(String name) {
        ClockReading now = clock.now();
        Instant inStore = now.latestStoreTime();
        String defect = inStore == null
                ? "this machine's clock, the only one available, reads %s. Set the clock".formatted(now.wall())
                : "it is %s by the dates of the store's responses, and %s by this machine's clock."
                                .formatted(inStore, now.wall())
                        + " Set the clock that is wrong, or check what may change or cache responses on their way";
        return new LockStoreException(
                name,
                "Lock '%s' was not acquired: fencing tokens are derived from the time, but %s".formatted(name, defect),
                null,
                false,
                false);
    }

    /**
     * Returns the bounds of the intervals between the polls of a request: a bound of its own moves the default of the
     * other.
     */
    PollBackoff pollBackoffOf(LockRequest request) {
        Duration ownMin = request.pollMin();
        Duration ownMax = request.pollMax();
        if (ownMin == null && ownMax == null) {
            return pollBackoff;
        }
        Duration max = ownMax != null ? ownMax : Durations.max(settings.pollMax(), Objects.requireNonNull(ownMin));
        Duration min = ownMin != null ? ownMin : Durations.min(settings.pollMin(), max);
        return new PollBackoff(min, max, random);
    }

    /** Returns the wait time of a request: its own, or else the setting. */
    Duration waitOf(LockRequest request) {
        return request.waitTime() == null ? settings.waitTime() : request.waitTime();
    }
}
