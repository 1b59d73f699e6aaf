/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.LeaseLost.Reason;
import io.dynamolock.LeaseTerm.Renewal;
import io.dynamolock.LockListener.Operation;
import io.dynamolock.LockStore.Answer;
import io.dynamolock.LockStore.Renew;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * One lease in this process: asks its {@link LeaseTerm} what to believe, and sends what the term, the heartbeat or the holder
 * wants sent. Requests run outside of the term's monitor.
 */
final class HeldLease implements StoredLease {

    private static final Logger LOG = LoggerFactory.getLogger(HeldLease.class);

    private final Engine engine;
    private final Grant grant;
    private final LeaseTerm term;
    private final @Nullable Thread holder;
    private final Heartbeat heartbeat;
    private final LossNotice notice;
    private final LeaseRelease release;
    private final InFlight renewals = new InFlight();
    private final AtomicInteger works = new AtomicInteger();

    /** What renewals ask for: as acquired, until the holder asks for another. */
    private volatile Duration duration;

    private volatile @Nullable LeaseLost loss;

    /** Creates a lease; {@link #begin()} starts its heartbeat. */
    HeldLease(Engine engine, Grant grant, @Nullable Thread holder) {
        this.engine = engine;
        this.grant = grant;
        this.term = new LeaseTerm(grant.end());
        this.holder = holder;
        this.duration = grant.lease();
        this.heartbeat = new Heartbeat(engine, this, grant.lease());
        this.notice = new LossNotice();
        this.release = new LeaseRelease(engine, this, grant, renewals);
    }

    void begin() {
        engine.held.add(this);
        heartbeat.start(grant.autoRenew());
    }

    Grant grant() {
        return grant;
    }

    // what it tells

    @Override
    public String name() {
        return grant.name();
    }

    @Override
    public String owner() {
        return grant.owner();
    }

    @Override
    public String id() {
        return grant.leaseId();
    }

    @Override
    public long fencingToken() {
        return grant.token();
    }

    @Override
    public Map<String, String> metadata() {
        return grant.metadata();
    }

    @Override
    public Instant acquiredAt() {
        return grant.acquiredAt();
    }

    @Override
    public Instant expiresAt() {
        synchronized (term) {
            return term.end().asInstant();
        }
    }

    @Override
    public Duration remaining() {
        ClockReading now = engine.clock.now();
        synchronized (term) {
            return term.isHeldAt(now) ? term.end().remaining(now) : Duration.ZERO;
        }
    }

    @Override
    public boolean isHeld() {
        return state().isOurs();
    }

    @Override
    public LeaseState state() {
        ClockReading now = engine.clock.now();
        synchronized (term) {
            return term.stateAt(now);
        }
    }

    @Override
    public void ensureHeld() {
        requireOurs(state());
    }

    private void requireOurs(LeaseState state) {
        if (state == LeaseState.LOST) {
            throw lostException();
        }
        if (!state.isOurs()) {
            throw new IllegalStateException("The lease on lock '%s' is %s".formatted(name(), state));
        }
    }

    private LeaseLostException lostException() {
        return new LeaseLostException(name(), owner(), loss);
    }

    @Override
    public LockStore store() {
        return engine.store;
    }

    @Override
    public String storedName() {
        return grant.stored();
    }

    long endNanos() {
        synchronized (term) {
            return term.end().nanos();
        }
    }

    boolean isOver() {
        return !isHeld();
    }

    /** Whether a renewal that should have succeeded by now has failed or is still under way. */
    boolean isRenewalMissing() {
        return state() == LeaseState.AT_RISK || !renewals.isNone();
    }

    /** Whether it lasts as long as it may, so that no renewal can give it more. */
    boolean isAtItsLastEnd() {
        Duration left = grant.leftToHold(engine.clock.nanos());
        return left != null && left.toNanos() <= endNanos() - engine.clock.nanos() + 1_000_000;
    }

    // renewal

    @Override
    public Instant renew() {
        return renew(duration);
    }

    @Override
    public Instant renew(Duration leaseDuration) {
        Durations.requireLease("leaseDuration", leaseDuration);
        engine.requireOpen();
        Duration wanted = grant.renewable(leaseDuration, engine.clock.nanos());
        renewals.enter();
        try {
            Renewal renewal = wanted.toMillis() < 1 ? null : startRenewal(wanted);
            if (renewal == null) {
                requireOurs(state());
                throw lostException();
            }
            Renew write = writeOf(renewal);
            Duration timeout = engine.settings.attemptTimeoutFor(leaseDuration);
            duration = leaseDuration;
            heartbeat.follow(leaseDuration);
            Answer answer = engine.gate.persistently(
                    name(),
                    Operation.RENEW,
                    engine.settings.callTimeoutFor(leaseDuration),
                    () -> engine.gate.renew(name(), write, timeout));
            settle(renewal, write, answer);
        } catch (LockStoreException failure) {
            renewalFailed(failure, Duration.ZERO);
            throw failure;
        } finally {
            renewals.exit();
        }
        ensureHeld();
        return expiresAt();
    }

    /** Renews once for the heartbeat. Never throws. Returns whether the next beat is a regular one. */
    boolean beat() {
        long started = engine.clock.nanos();
        renewals.enter();
        try {
            if (isOver()) {
                ranOut();
                return true;
            }
            Duration lease = grant.renewable(duration, started);
            if (lease.toMillis() < 1) {
                return true;
            }
            Renewal renewal = startRenewal(lease);
            if (renewal == null) {
                return true;
            }
            Renew write = writeOf(renewal);
            Duration timeout = Durations.min(engine.settings.attemptTimeoutFor(duration), remaining());
            settle(renewal, write, engine.gate.renew(name(), write, Durations.max(timeout, Duration.ofMillis(1))));
            return true;
        } catch (Throwable failure) {
            renewalFailed(failure, Duration.ofNanos(engine.clock.nanos() - started));
            return false;
        } finally {
            renewals.exit();
        }
    }

    private @Nullable Renewal startRenewal(Duration lease) {
        ClockReading now = engine.clock.now();
        synchronized (term) {
            return term.isHeldAt(now) ? term.startRenewal(now, lease) : null;
        }
    }

    private Renew writeOf(Renewal renewal) {
        LeaseEnd end = renewal.end();
        return new Renew(
                grant.stored(), id(), renewal.number(), engine.inRow(renewal.lease()), engine.inRow(end), end.time());
    }

    private void settle(Renewal renewal, Renew write, Answer answer) {
        Refusals.Renewal meaning =
                answer.applied() ? new Refusals.Renewal.Applied() : Refusals.ofRenewal(write, answer.row());
        if (meaning instanceof Refusals.Renewal.Gone gone) {
            lose(gone.reason(), gone.newHolder());
            return;
        }
        ClockReading now = engine.clock.now();
        synchronized (term) {
            if (meaning instanceof Refusals.Renewal.Overtaken overtaken) {
                term.overtaken(overtaken.endMillis() - engine.settings.grace().toMillis(), now);
            } else {
                term.confirmed(renewal, now);
            }
        }
        engine.listener.onRenewed(this, Duration.ofNanos(now.nanos() - renewalSent(renewal)));
    }

    private static long renewalSent(Renewal renewal) {
        return renewal.end().nanos() - Durations.nanos(renewal.lease());
    }

    private void renewalFailed(Throwable failure, Duration took) {
        boolean news;
        ClockReading now = engine.clock.now();
        synchronized (term) {
            news = term.failed(now);
        }
        if (news) {
            LOG.info("A renewal of lock '{}' failed, retrying until {}: {}", name(), expiresAt(), failure.toString());
        }
        engine.listener.onRenewalFailed(this, failure, took);
    }

    // loss

    /** Its time is over: finds out why, and tells it. */
    void ranOut() {
        Duration left = grant.leftToHold(engine.clock.nanos());
        if (!grant.autoRenew()) {
            lose(Reason.EXPIRED, null);
        } else if (left != null && left.toMillis() <= 0) {
            lose(Reason.MAX_HOLD, null);
        } else if (isRenewalMissing() && !isLate()) {
            lose(Reason.UNREACHABLE, null);
        } else {
            engine.tasks.beat(endNanos(), this::lookWhyItRanOut);
        }
    }

    /** Whether this is noticed so late that the process must have stood still. */
    private boolean isLate() {
        return engine.clock.nanos() - endNanos() > Duration.ofMillis(250).toNanos();
    }

    private void lookWhyItRanOut() {
        Refusals.Renewal.Gone gone;
        try {
            Answer answer =
                    engine.gate.read(name(), grant.stored(), true, engine.settings.attemptTimeoutFor(grant.lease()));
            gone = Refusals.gone(id(), answer.row());
        } catch (LockStoreException unreachable) {
            gone = new Refusals.Renewal.Gone(Reason.UNREACHABLE, null);
        }
        lose(gone.reason(), gone.newHolder());
    }

    @Nullable
    LeaseLost loss() {
        return loss;
    }

    /** Ends it as lost, unless it was lost or released before. */
    void lose(Reason reason, @Nullable String newHolder) {
        LeaseLost news = new LeaseLost(
                name(), owner(), reason, Instant.ofEpochMilli(engine.clock.now().wallMillis()), newHolder);
        synchronized (term) {
            LeaseState state = term.state();
            if (loss != null || state == LeaseState.RELEASED || state == LeaseState.DETACHED) {
                return;
            }
            loss = news;
            term.finish(LeaseState.LOST);
        }
        end();
        engine.tasks.tell(() -> tell(news));
    }

    /** Runs where code that is not ours may take its time. */
    private void tell(LeaseLost news) {
        Level level = news.reason() == Reason.CLOSED ? Level.DEBUG : Level.WARN;
        LOG.atLevel(level)
                .log("Lost lock '{}' (owner '{}', token {}): {}", name(), owner(), fencingToken(), news.describe());
        engine.listener.onLost(this, news);
        notice.give(news);
    }

    @Override
    public void onLost(Consumer<LeaseLost> action) {
        notice.register(action);
    }

    @Override
    public CompletionStage<LeaseLost> lost() {
        return notice.stage();
    }

    // the end

    @Override
    public ReleaseOutcome release() {
        return release.perform();
    }

    @Override
    public void close() {
        if (state() != LeaseState.DETACHED && !(loss != null && loss.reason() == Reason.CLOSED)) {
            release();
        }
    }

    /** From now on it is not held; returns whether it was handed out as text before. */
    boolean finish(LeaseState last) {
        ClockReading now = engine.clock.now();
        synchronized (term) {
            if (term.stateAt(now) == LeaseState.DETACHED) {
                return false;
            }
            if (term.state().isOurs()) {
                term.finish(last);
            }
        }
        end();
        return true;
    }

    private void end() {
        heartbeat.stop();
        engine.held.remove(this);
    }

    @Override
    public LeaseToken detach() {
        renew();
        synchronized (term) {
            requireOurs(term.stateAt(engine.clock.now()));
            term.finish(LeaseState.DETACHED);
        }
        end();
        renewals.awaitNone(InFlight.patience(engine.settings.attemptTimeoutFor(grant.lease())));
        return new LeaseToken(engine.gate.describe(), grant.stored(), id(), fencingToken(), duration);
    }

    // work under it

    void workStarts() {
        works.incrementAndGet();
    }

    void workEnds() {
        works.decrementAndGet();
    }

    /** Whether nobody can be at work under it: no work was announced, and its thread is the one that asks, or has ended. */
    boolean isIdle() {
        return works.get() == 0 && holder != null && (holder == Thread.currentThread() || !holder.isAlive());
    }

    LockState snapshot() {
        return new LockState(
                name(), LockState.Status.HELD, owner(), id(), fencingToken(), acquiredAt(), expiresAt(), metadata());
    }

    @Override
    public String toString() {
        return "Lease[%s, token %d, %s]".formatted(name(), fencingToken(), state());
    }
}
