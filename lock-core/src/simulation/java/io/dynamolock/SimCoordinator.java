/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.coordination.Acquirable;
import io.dynamolock.coordination.DistributedReadWriteLock;
import io.dynamolock.coordination.DistributedSemaphore;
import io.dynamolock.coordination.LeaderElection;
import io.dynamolock.coordination.SimParts;
import io.dynamolock.time.Parker;
import java.time.Duration;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;

/** One application thread that uses what is built on locks: a semaphore, a read-write lock and an election. */
final class SimCoordinator implements Runnable {

    static final int PERMITS = 2;
    private static final int READERS = 2;
    private static final int STEPS = 6;

    private final SimWorld world;
    private final SimPlan plan;
    private final SimProcess process;
    private final SplittableRandom chance;
    private final Runnable done;
    private final DistributedSemaphore semaphore;
    private final DistributedReadWriteLock lock;
    private final LeaderElection election;

    SimCoordinator(SimWorld world, SimPlan plan, SimProcess process, SplittableRandom chance, Runnable done) {
        this.world = world;
        this.plan = plan;
        this.process = process;
        this.chance = chance;
        this.done = done;
        SplittableRandom inner = chance.split();
        this.semaphore = SimParts.semaphore(process.locks, "pool", PERMITS, this::isDone, inner::nextInt);
        this.lock = SimParts.readWriteLock(process.locks, "map", READERS, this::isDone, inner::nextInt);
        this.election = SimParts.election(process.locks, "leader", this::isDone, this::later, inner::nextDouble);
        SimCoordinationCheck check = world.checker().coordination;
        election.onElected(lease -> {
                    world.checker().verdict.reached(SimSometimes.ELECTED);
                    check.elected(process, election);
                })
                .onRevoked(() -> check.revoked(process, election));
    }

    private boolean isDone(CompletableFuture<?> future, Duration atMost) throws InterruptedException {
        Parker pause = process.pool.parker();
        CompletableFuture<?> unused = future.whenComplete((result, failure) -> pause.wake());
        pause.awaitUntil(future::isDone, atMost);
        return future.isDone();
    }

    private void later(long millis, Runnable action) {
        long moment = world.scheduler().now() + Duration.ofMillis(millis).toNanos();
        world.scheduler().schedule(moment, process, () -> world.scheduler().start(moment, process, action));
    }

    @Override
    public void run() {
        world.scheduler().current().becomeUser();
        for (int i = 0; i < STEPS && !process.isClosing(); i++) {
            process.sleep(chance.nextLong(plan.lease.toNanos()));
            boolean unused = Thread.interrupted();
            try {
                step();
            } catch (LockManagerClosedException
                    | LockManagerDrainingException
                    | LockStoreException
                    | LeaseLostException failure) {
                world.trace()
                        .note(process.number, "coordinates", failure.getClass().getSimpleName());
            } catch (InterruptedException interrupt) {
                world.trace().note(process.number, "coordinates", "interrupted");
            }
        }
        election.stop();
        done.run();
    }

    private void step() throws InterruptedException {
        int what = chance.nextInt(10);
        if (what < 4) {
            use(SimCoordinationCheck.Kind.PERMIT, semaphore);
        } else if (what < 7) {
            use(SimCoordinationCheck.Kind.READ, lock.read());
        } else if (what < 9) {
            use(SimCoordinationCheck.Kind.WRITE, lock.write());
        } else {
            election.stop();
        }
        election.start();
    }

    private void use(SimCoordinationCheck.Kind kind, Acquirable acquirable) throws InterruptedException {
        Duration wait = Duration.ofMillis(chance.nextLong(2 * plan.lease.toMillis()));
        Optional<Lease> lease = acquirable.tryAcquire(wait);
        world.trace().note(process.number, "coordinates", kind + " " + lease.isPresent());
        if (lease.isPresent()) {
            world.checker().verdict.reached(SimSometimes.COORDINATED);
            world.checker().coordination.acquired(kind, process, lease.get());
            process.sleep(chance.nextLong(2 * plan.lease.toNanos()));
            try {
                lease.get().close();
            } finally {
                world.checker().coordination.released(lease.get());
            }
        }
    }
}
