/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.dynamodb.FakeTable;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * One history: users in several processes acquire and release locks under faults; then faults stop, every live user must be
 * served; then all managers are closed, and nothing may happen afterwards.
 */
final class SimHistory {

    private static final long SECOND = 1_000_000_000;
    private static final long START = Instant.parse("2026-11-20T10:15:30.250Z").getEpochSecond() * SECOND;
    private static final long LONGEST = 300 * SECOND;
    private static final long LONGEST_PAUSE = 8 * SECOND;

    /** One of so many histories also has users of what is built on locks. */
    private static final int COORDINATED = 48;

    private final SimScheduler scheduler;
    private final SplittableRandom random;
    private final SimPlan plan;
    private final SimFaults faults;
    private final SimTrace trace;
    private final SimVerdict verdict;
    private final SimChecker checker;
    private final FakeTable table = new FakeTable(SimNet.TABLE, SimNet.KEY, null);
    private final SimWorld world;
    private final SimMailbox mailbox = new SimMailbox();
    private final List<SimProcess> processes = new ArrayList<>();
    private final List<SimUser> users = new ArrayList<>();
    private final List<SimProcess> working = new ArrayList<>();
    private final long serverShift;
    private final long seed;

    private SimHistory(SimScheduler scheduler, SimStores stores, long seed, SimOptions options) {
        this.scheduler = scheduler;
        this.seed = seed;
        this.random = new SplittableRandom(seed);
        scheduler.begin(START, random.split(), this::check, this::interrupted);
        this.plan = new SimPlan(random.split(), seed, options);
        this.faults = new SimFaults(random.split(), options.leftOut());
        if (plan.crowd != null && plan.crowd.faults != null) {
            faults.replace(plan.crowd.faults);
        }
        this.trace = new SimTrace(scheduler, START, options.readable());
        this.verdict = new SimVerdict(scheduler, trace);
        SimLedger ledger = new SimLedger(scheduler, verdict, faults, !plan.mixed && plan.time == LeaseTime.SYSTEM);
        this.checker = new SimChecker(scheduler, verdict, trace, ledger, faults);
        table.onChange(checker::changed);
        SimNet net =
                new SimNet(new SimNet.SimWorldParts(scheduler, faults, trace, table, checker), random.split(), plan);
        this.world = new SimWorld(scheduler, faults, trace, net, checker, stores);
        this.serverShift = random.nextLong(-600 * SECOND, 600 * SECOND);
    }

    static SimResult play(SimScheduler scheduler, SimStores stores, long seed, SimOptions options) {
        return new SimHistory(scheduler, stores, seed, options).play();
    }

    private void interrupted(SimThread thread) {
        checker.works.interrupted(thread);
    }

    private void check() {
        checker.check();
        if (scheduler.failure() != null) {
            verdict.broken(0, "Unexpected: " + SimFailures.text(scheduler.failure()));
        }
    }

    private SimResult play() {
        for (int i = 0; i < plan.processes; i++) {
            join();
        }
        FaultInjector injector = new FaultInjector(world, plan, table, processes);
        injector.plan();
        settle("users", LONGEST * plan.slowness(), true);
        faults.stop();
        trace.note(0, "faults", "stop");
        injector.releaseLaterRows();
        rest(4 * plan.lease.toNanos() + LONGEST_PAUSE);
        if (verdict.violation() == null) {
            checker.tokens.requireHarmless(checker.ledger);
        }
        serveAll();
        rest(SECOND);
        if (verdict.violation() == null) {
            checker.exclusion.checkEnded();
        }
        closeAll();
        rest(10 * SECOND);
        if (verdict.violation() == null) {
            checker.ends.requireReported(checker.exclusion.lost());
        }
        SimVerdict.Violation violation = verdict.violation();
        scheduler.end();
        return new SimResult(
                seed,
                violation,
                trace.hash(),
                users.stream().mapToInt(SimUser::operations).sum(),
                checker.requests(),
                faults.happened(),
                verdict.reached(),
                trace.lines());
    }

    private void join() {
        SplittableRandom chance = random.split();
        LeaseTime mode = plan.timeOf(chance);
        long rate = rate();
        boolean sharesOscillator = mode != LeaseTime.SYSTEM && (chance.nextBoolean() || plan.isLong());
        SimClocks clocks = new SimClocks(
                scheduler, chance.nextLong(1_000 * SECOND), rate, sharesOscillator ? rate : 0, wallOffset(mode));
        SimProcess process = new SimProcess(
                processes.size() + 1,
                new SimProcess.Setup(plan, world, mode, clocks, new SimFrontEnd(scheduler, faults, serverShift)),
                chance);
        processes.add(process);
        checker.joins(process);
        trace.note(process.number, "starts", mode.name());
        for (int i = 0; i < plan.usersEach; i++) {
            SimUser user = new SimUser(world, plan, process, random.split(), mailbox, begins(process));
            users.add(user);
            scheduler.start(scheduler.now() + random.nextLong(SECOND), process, user);
        }
        if (seed % COORDINATED == 0) {
            coordinate(process);
        }
        if (plan.crowd != null) {
            crowd(process, plan.crowd.callersEach);
        }
    }

    /** Records that a user of a process is at work; returns what it calls at its end. */
    private Runnable begins(SimProcess process) {
        working.add(process);
        return () -> {
            working.remove(process);
            scheduler.wakeMain();
        };
    }

    /** Adds callers of one lock; draws from a chance of its own. */
    private void crowd(SimProcess process, int callers) {
        SplittableRandom chance = new SplittableRandom(seed * 41 + process.number);
        for (int i = 0; i < callers; i++) {
            SimCaller caller = new SimCaller(world, plan, process, chance.split(), begins(process));
            scheduler.start(scheduler.now() + chance.nextLong(SECOND), process, caller);
        }
    }

    /** Adds a user of what is built on locks; draws from a chance of its own, so that other histories stay as they are. */
    private void coordinate(SimProcess process) {
        SplittableRandom chance = new SplittableRandom(seed * 31 + process.number);
        SimCoordinator coordinator = new SimCoordinator(world, plan, process, chance, begins(process));
        scheduler.start(scheduler.now() + chance.nextLong(SECOND), process, coordinator);
    }

    private long rate() {
        SplittableRandom chance = faults.chance(SimFault.MONOTONIC_DRIFT);
        if (plan.isLong()) {
            return chance.nextBoolean() ? 500 : -500;
        }
        return faults.has(SimFault.MONOTONIC_DRIFT) ? chance.nextLong(-500, 501) : 0;
    }

    private long wallOffset(LeaseTime mode) {
        if (!faults.has(SimFault.WALL_OFFSET)) {
            return 0;
        }
        long most = mode == LeaseTime.SYSTEM ? SimPlan.WALL_ALLOWED : 3_600 * SECOND;
        return faults.chance(SimFault.WALL_OFFSET).nextLong(-most, most);
    }

    /** Advances time until all users are done; a crashed or closed process may be replaced. */
    private void settle(String what, long longest, boolean replace) {
        long end = scheduler.now() + longest;
        int replaced = 0;
        while (verdict.violation() == null && !working.isEmpty() && scheduler.now() < end) {
            scheduler.block(end);
            working.removeIf(SimProcess::isDead);
            if (replace && replaced < 2 && gone() > replaced) {
                replaced++;
                join();
            }
        }
        if (verdict.violation() == null && !working.isEmpty()) {
            verdict.broken(
                    6,
                    "Still under way: " + what + " of "
                            + working.stream().map(p -> "p" + p.number).toList() + scheduler.whereabouts());
        }
    }

    private int gone() {
        return (int) processes.stream().filter(p -> p.isDead() || p.hasClosed()).count();
    }

    private void rest(long nanos) {
        long end = scheduler.now() + nanos;
        while (verdict.violation() == null && scheduler.now() < end) {
            scheduler.block(end);
        }
    }

    private List<SimProcess> alive() {
        return processes.stream().filter(p -> !p.isDead() && !p.isClosing()).toList();
    }

    /** Without further faults, every user gets every lock within the bound. */
    private void serveAll() {
        for (SimProcess process : alive()) {
            start(process, () -> {
                for (int i = 0; i < plan.names; i++) {
                    serve(process, "job-" + i);
                }
                if (plan.crowd != null) {
                    serve(process, plan.crowd.name(process));
                }
            });
        }
        settle("the last service", LONGEST * plan.slowness(), false);
    }

    private void start(SimProcess process, Runnable task) {
        Runnable done = begins(process);
        scheduler.start(scheduler.now() + random.nextLong(SECOND / 10), process, () -> {
            scheduler.current().becomeUser();
            task.run();
            done.run();
        });
    }

    private void serve(SimProcess process, String name) {
        Duration bound = bound(name);
        try {
            Lease lease = process.locks.acquire(LockRequest.of(name).waitTime(bound));
            ReleaseOutcome outcome = lease.release();
            if (outcome != ReleaseOutcome.RELEASED && !faults.brokeAssumption(name)) {
                verdict.broken(6, "p" + process.number + " held " + name + " and its release was " + outcome);
            }
        } catch (LockStoreException failure) {
            freeByForce(process, name, failure);
        } catch (LockBusyException busy) {
            verdict.broken(6, "p" + process.number + " was not served with " + name + " within " + bound);
        } catch (InterruptedException | RuntimeException failure) {
            verdict.broken(6, "p" + process.number + " failed to acquire " + name + ": " + SimFailures.text(failure));
        }
    }

    /** Runs the operator action that a message requests. */
    private void freeByForce(SimProcess process, String name, LockStoreException failure) {
        if (!String.valueOf(failure.getMessage()).contains("forceFree")) {
            verdict.broken(6, "p" + process.number + " failed to acquire " + name + ": " + SimFailures.text(failure));
            return;
        }
        try {
            process.locks.forceFree(name);
            verdict.reached(SimSometimes.CLOSED_ROW_FREED);
        } catch (LockStoreException changed) {
            trace.note(process.number, "gets", SimFailures.text(changed)); // by another operator
        }
        serve(process, name);
    }

    /**
     * All leases are over: one poll of each waiter, and the longest lease if it must be observed first, as no common time
     * proves its end.
     */
    private Duration bound(String name) {
        Duration polls =
                plan.pollMax().multipliedBy(3L * processes.size()).dividedBy(2).plusSeconds(3);
        LeaseTime clock =
                LeaseTime.ofCode(SimRequest.text(checker.ledger.now(name).row(), "clock"));
        boolean mustBeObserved = (faults.changedRow(name) && hasCorruptEnd(checker.ledger.now(name)))
                || alive().stream()
                        .anyMatch(process -> !process.context.clock.now().isComparableTo(clock));
        return mustBeObserved ? polls.plus(plan.lease.multipliedBy(2)).plus(plan.lockDelay) : polls;
    }

    /** Returns whether a lease was written into the row without an end that any clock reaches. */
    private static boolean hasCorruptEnd(SimLedger.Version row) {
        long millis = row.number("expiresAt");
        return row.leaseId() != null && (millis <= 0 || millis / 1_000 > 2 * START / SECOND);
    }

    private void closeAll() {
        for (SimProcess process : alive()) {
            start(process, () -> {
                process.locks.close();
                process.markClosed();
                trace.note(process.number, "is closed", "");
            });
        }
        settle("closing", 60 * SECOND, false);
    }
}
