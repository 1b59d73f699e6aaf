/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;

/** One of many application threads that want the same lock: waits for it, holds it briefly, and asks again. */
final class SimCaller implements Runnable {

    private static final int STEPS = 3;

    private final SimWorld world;
    private final SimCrowd crowd;
    private final SimProcess process;
    private final SplittableRandom chance;
    private final Runnable done;
    private final SimHolder holder;
    private int calls;
    private boolean waiting;

    SimCaller(SimWorld world, SimPlan plan, SimProcess process, SplittableRandom chance, Runnable done) {
        this.world = world;
        this.crowd = Objects.requireNonNull(plan.crowd);
        this.process = process;
        this.chance = chance;
        this.done = done;
        this.holder = new SimHolder(world, plan, process, chance.split(), new SimMailbox());
    }

    @Override
    public void run() {
        world.scheduler().current().becomeUser();
        for (int i = 0; i < STEPS && !process.isClosing(); i++) {
            process.sleep(SimCrowd.pause(chance));
            boolean unused = Thread.interrupted();
            step();
        }
        done.run();
    }

    private void step() {
        LockRequest request = crowd.request(process, chance);
        if (chance.nextInt(16) == 0) {
            process.locks.hint(request.name());
        }
        boolean async = chance.nextInt(3) == 0;
        String owner = async ? process.newOwner() : "";
        LockRequest sent = async ? request.owner(owner) : request;
        SimWaits.Wait wait = new SimWaits.Wait(process, world.scheduler().current(), sent, async, crowd);
        long start = world.scheduler().now();
        try {
            Optional<Lease> lease = async ? acquireAsync(wait, sent) : acquire(wait, sent);
            if (lease.isEmpty()) {
                world.checker().gotBusy(process, sent.name(), start, owner);
            } else {
                hold(lease.get());
            }
        } catch (InterruptedException interrupt) {
            world.checker().verdict.reached(SimSometimes.WAIT_INTERRUPTED);
        } catch (LockManagerClosedException | LockManagerDrainingException rejected) {
            world.trace().note(process.number, "gets", rejected.getClass().getSimpleName());
        } catch (LockStoreException failure) {
            world.trace().note(process.number, "gets", "failed");
            world.checker().waits.failed(wait, failure);
        } catch (CancellationException cancelled) {
            world.trace().note(process.number, "gets", "cancelled");
        }
    }

    private Optional<Lease> acquire(SimWaits.Wait wait, LockRequest request) throws InterruptedException {
        SimTimeLimit limit = new SimTimeLimit(world, process, request);
        interruptSometimes(request);
        waiting = true;
        world.checker().waits.begins(wait);
        try {
            return process.locks.tryAcquire(request);
        } finally {
            waiting = false;
            world.checker().waits.ends(wait);
            limit.requireInTime();
        }
    }

    private void interruptSometimes(LockRequest request) {
        long nanos = Objects.requireNonNull(request.waitTime()).toNanos();
        if (chance.nextInt(8) > 0 || nanos < 2) {
            return;
        }
        SimThread me = world.scheduler().current();
        int number = ++calls;
        world.scheduler().schedule(world.scheduler().now() + SimPlan.log(chance, 1, nanos), process, () -> {
            if (waiting && number == calls) {
                me.interrupt();
            }
        });
    }

    private Optional<Lease> acquireAsync(SimWaits.Wait wait, LockRequest request) {
        CompletableFuture<Optional<Lease>> future = process.locks.tryAcquireAsync(request);
        world.checker().waits.begins(wait);
        CompletableFuture<?> unused =
                future.whenComplete((lease, failure) -> world.checker().waits.ends(wait));
        if (chance.nextInt(3) == 0) {
            process.sleep(SimCrowd.pause(chance));
            future.cancel(true);
        }
        return process.join(future, Duration.ofDays(1));
    }

    private void hold(Lease lease) {
        world.trace().note(process.number, "holds", lease.id());
        world.checker().verdict.reached(SimSometimes.CROWD_SERVED);
        world.checker().tokens.granted(lease.id());
        process.sleep(SimCrowd.pause(chance));
        holder.release(lease);
    }
}
