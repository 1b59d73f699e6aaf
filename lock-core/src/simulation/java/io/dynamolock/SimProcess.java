/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.time.IntervalClock.Range;
import io.dynamolock.time.Parker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** One process of a history: its clocks, its manager with the real engine, and its lifecycle. */
final class SimProcess {

    private static final long JUST_NOW = 100_000_000;

    private record Pause(long from, long until) {}

    final int number;
    final SimScheduler scheduler;
    final SimClocks clocks;
    final SimThreadPool pool;
    final EngineContext context;
    final LeaseRegistry registry;
    final LockManager locks;
    final LeaseTime mode;
    final SimFrontEnd frontEnd;
    private final SimFaults faults;
    private final SimTrace trace;
    private final SplittableRandom chance;

    /** Less than the error of any wrong date, in nanoseconds. */
    private static final long NARROW = 60_000_000_000L;

    private static final long LONGEST_PAUSE = 8_000_000_000L;
    private static final int READINGS_AFTER_RESPONSE = 6;
    private static final int MAX_SUSPENSIONS = 20;

    private int readings;
    private long pausedUntil;
    private boolean dead;
    private boolean closed;
    private final List<Pause> pauseTimes = new ArrayList<>();
    private long lastPausedUntil;
    private long pausedFrom;
    private boolean draining;
    private boolean wasDraining;
    private int pauses;
    private int suspensions;
    private boolean wasSetBack;
    private long ids;
    private long owners;

    /** The parts of a process. */
    record Setup(SimPlan plan, SimWorld world, LeaseTime mode, SimClocks clocks, SimFrontEnd frontEnd) {}

    SimProcess(int number, Setup setup, SplittableRandom chance) {
        this.number = number;
        this.mode = setup.mode();
        this.scheduler = setup.world().scheduler();
        this.faults = setup.world().faults();
        this.trace = setup.world().trace();
        this.clocks = setup.clocks();
        this.frontEnd = setup.frontEnd();
        this.chance = chance;
        this.pool = new SimThreadPool(this, clocks, chance.split(), setup.plan().workers());
        LockSettings settings = setup.plan().settings(mode);
        LockListener listener = setup.world().checker().listenerOf(this);
        LeaseClock clock = LeaseClock.of(settings, clocks, clocks::nanos, listener);
        frontEnd.goesWrongOnce(() -> clock instanceof ServerLeaseClock server
                && isTimeKnown(server.interval().range()));
        this.context = new EngineContext(
                setup.world().stores().of(number, this, setup.world().net()),
                settings,
                clock,
                RetryPolicy.exponential(3, Duration.ofMillis(100), 2, Duration.ofSeconds(5), 0.25, chance::nextDouble),
                listener,
                pool,
                chance::nextDouble,
                () -> "p" + number + "#" + ++ids,
                null);
        DefaultLockManager manager = new DefaultLockManager(
                context,
                new ShutdownOnLoss(
                        loss -> setup.world().checker().works.shutdown(this, loss),
                        task -> scheduler.start(scheduler.now(), this, task)),
                "p" + number);
        this.registry = manager.registry;
        this.locks = manager;
        if (faults.has(SimFault.PAUSE) || faults.has(SimFault.SUSPENSION_BETWEEN)) {
            clocks.onRead(this::maybePause);
        }
    }

    /** Numbers the acquires of this process. */
    String newOwner() {
        return "p" + number + "-" + ++owners;
    }

    void logFailure(String what, RuntimeException failure) {
        trace.note(number, what, String.valueOf(failure.getMessage()));
    }

    SplittableRandom chance() {
        return chance;
    }

    boolean isDead() {
        return dead;
    }

    /** Crashes the process; its requests stay in flight. */
    void die() {
        dead = true;
        scheduler.wakeMain();
    }

    /** Returns whether the close of its manager has returned. */
    boolean hasClosed() {
        return closed;
    }

    /** Returns whether its manager is closing or closed. */
    boolean isClosing() {
        return registry.isClosed();
    }

    void markClosed() {
        closed = true;
        scheduler.wakeMain();
    }

    /** Returns false if the process drains already. */
    boolean beginDraining() {
        boolean begins = !draining;
        draining = true;
        wasDraining = true;
        return begins;
    }

    void endDraining() {
        draining = false;
    }

    /** Whether the process drains, or has done so. */
    boolean wasDraining() {
        return wasDraining;
    }

    long pausedUntil() {
        return pausedUntil;
    }

    /** Pauses the process; its clocks continue. */
    void pauseProcess(long nanos) {
        pausedUntil = Math.max(pausedUntil, scheduler.now() + nanos);
        recordPause(nanos);
    }

    /** Pauses the process within a step of the current thread. */
    void pauseHere(long nanos) {
        pauseProcess(nanos);
        scheduler.block(pausedUntil);
    }

    /** Pauses the process or one of its threads. */
    void recordPause(long nanos) {
        pausedFrom = madeAt();
        lastPausedUntil = Math.max(lastPausedUntil, scheduler.now() + nanos);
        pauseTimes.add(new Pause(scheduler.now(), scheduler.now() + nanos));
    }

    /** Returns whether it was paused between two times, or just before or after. */
    boolean hasPausedBetween(long from, long to) {
        return pauseTimes.stream().anyMatch(pause -> pause.until - from > -JUST_NOW && pause.from - to < JUST_NOW);
    }

    /** Returns whether it was paused just before some time, or later. */
    boolean hasPausedSince(long moment) {
        return lastPausedUntil - moment > -JUST_NOW;
    }

    /** Returns whether its wall clock was set just before some time, or later. */
    boolean hasSteppedSince(long moment) {
        return clocks.lastStep() - moment > -JUST_NOW;
    }

    /** Returns the earliest creation time of a request sent now: the process may have been paused since. */
    long madeAt() {
        return hasPausedSince(scheduler.now()) ? pausedFrom : scheduler.now();
    }

    void suspend(long nanos, boolean frozen) {
        suspensions++;
        pauseProcess(nanos);
        clocks.pauseProcess(scheduler.now() + nanos, frozen);
    }

    /** Excludes suspensions with clock steps back: together they would be undetectable, like a freeze of both clocks. */
    boolean setBack() {
        wasSetBack = suspensions == 0;
        return wasSetBack;
    }

    /** Returns the number of disturbances of its knowledge of the time so far. */
    int disturbances() {
        return pauses + suspensions + clocks.wallSteps() + frontEnd.wrongDates();
    }

    boolean maySuspend() {
        return !wasSetBack;
    }

    /** Pauses randomly after a clock read, so that a pause may occur between any two steps. */
    private void maybePause() {
        SimThread me = scheduler.current();
        if (scheduler.isQuick() || me.process != this || !me.isAtWork()) {
            return;
        }
        double likely = ++readings <= READINGS_AFTER_RESPONSE ? 0.04 : 0.001;
        if (faults.happens(SimFault.PAUSE, 0.002)) {
            pauses++;
            pauseHere(SimPlan.log(faults.chance(SimFault.PAUSE), 1_000_000, LONGEST_PAUSE));
        } else if (maySuspendAgain() && faults.happens(SimFault.SUSPENSION_BETWEEN, likely)) {
            suspend(SimPlan.log(faults.chance(SimFault.SUSPENSION_BETWEEN), 1_000_000, LONGEST_PAUSE), false);
            scheduler.block(pausedUntil);
        }
    }

    /** Wide bounds after a slow first response exclude no wrong date. */
    private static boolean isTimeKnown(@Nullable Range range) {
        return range != null && range.width() < NARROW;
    }

    private boolean maySuspendAgain() {
        return maySuspend() && suspensions < MAX_SUSPENSIONS;
    }

    /** Records a response from which one of its threads will learn the time. */
    void isAnswered() {
        readings = 0;
    }

    /** Waits for a future, also on an interrupted thread; throws what it failed with, without a wrapper. */
    <T> T join(CompletableFuture<T> future, Duration atMost) {
        Parker pause = pool.parker();
        CompletableFuture<?> unused = future.whenComplete((result, failure) -> pause.wake());
        if (pause.awaitUninterruptibly(future::isDone, atMost)) {
            trace.note(number, "was interrupted", "");
        }
        try {
            return future.join();
        } catch (CompletionException failed) {
            if (failed.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw failed;
        }
    }

    /** Lets the current thread of this process sleep for about this long; an interrupt ends it. */
    void sleep(long nanos) {
        scheduler.block(clocks.momentOf(clocks.monotonic() + nanos));
    }
}
