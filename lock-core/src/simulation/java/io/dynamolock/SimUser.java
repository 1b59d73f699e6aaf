/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** One application thread: acquires locks in every way, works under them, and releases them. */
final class SimUser implements Runnable {

    /** How long the rejection of a lease that has just begun may take, in a process that was paused meanwhile. */
    private static final long REJECTING_NANOS = 1_000_000_000;

    private final SimWorld world;
    private final SimPlan plan;
    private final SimProcess process;
    private final SplittableRandom chance;
    private final SimMailbox mailbox;
    private final Runnable done;
    private final SimHolder holder;
    private final List<Lease> kept = new ArrayList<>();
    private @Nullable SimThread me;
    private boolean waits;
    private int operations;

    SimUser(
            SimWorld world,
            SimPlan plan,
            SimProcess process,
            SplittableRandom chance,
            SimMailbox mailbox,
            Runnable done) {
        this.world = world;
        this.plan = plan;
        this.process = process;
        this.chance = chance;
        this.mailbox = mailbox;
        this.done = done;
        this.holder = new SimHolder(world, plan, process, chance.split(), mailbox);
    }

    int operations() {
        return operations + holder.operations();
    }

    @Override
    public void run() {
        SimThread thread = world.scheduler().current();
        me = thread;
        thread.becomeUser();
        for (int i = 0; i < plan.stepsEach && !process.isClosing(); i++) {
            process.sleep(chance.nextLong(plan.lease.toNanos() / 2));
            boolean unused = Thread.interrupted();
            step();
        }
        kept.forEach(holder::release);
        done.run();
    }

    private void step() {
        operations++;
        int what = chance.nextInt(100);
        try {
            if (what < 26) {
                tryNow(request());
            } else if (what < 58) {
                waitFor(what < 51);
            } else if (what < 72) {
                async();
            } else if (what < 78) {
                reenter();
            } else if (what < 84) {
                revoke();
            } else if (what < 90) {
                resume();
            } else if (what < 97) {
                runUnder();
            } else if (what < 98) {
                drain();
            } else {
                close();
            }
        } catch (LockManagerClosedException closed) {
            world.trace().note(process.number, "gets", "closed");
        } catch (LockManagerDrainingException drains) {
            reached(SimSometimes.DRAINED);
            if (!process.wasDraining()) {
                world.checker().verdict.broken(5, "p" + process.number + " rejected a lock without draining");
            }
        } catch (LockStoreException failure) {
            world.trace().note(process.number, "gets", "failed");
            if (String.valueOf(failure.getMessage()).contains("had ended already")) {
                reached(SimSometimes.ANSWERED_TOO_LATE);
            }
        }
    }

    private String name() {
        return "job-" + chance.nextInt(plan.names);
    }

    private LockRequest request() {
        LockRequest request = LockRequest.of(name());
        if (chance.nextInt(2) == 0) {
            request = request.leaseDuration(
                    plan.lease.multipliedBy(1 + chance.nextInt(4)).dividedBy(2));
        }
        request = request.onLost(plan.onLost(chance));
        if (plan.isLong() && chance.nextInt(4) > 0) {
            return request.autoRenew(false);
        }
        return switch (chance.nextInt(8)) {
            case 0 -> request.autoRenew(false);
            case 1 -> request.maxHold(plan.lease.multipliedBy(1 + chance.nextInt(3)));
            case 2 -> request.minHold(plan.lease.dividedBy(1 + chance.nextInt(3)));
            default -> request;
        };
    }

    private Duration someWait() {
        return Duration.ofMillis(100 + chance.nextInt((int) plan.lease.toMillis() * 2));
    }

    // each way to acquire

    private void tryNow(LockRequest request) {
        SimCost cost = new SimCost(world, process, request.name());
        SimTimeLimit timeLimit = new SimTimeLimit(world, process, request.waitTime(Duration.ZERO));
        long start = world.scheduler().now();
        Optional<Lease> lease;
        try {
            lease = process.locks.tryAcquire(request.waitTime(Duration.ZERO));
        } catch (InterruptedException impossible) {
            throw new IllegalStateException(impossible);
        } finally {
            timeLimit.requireInTime();
        }
        cost.ofTry();
        if (lease.isEmpty()) {
            world.checker().gotBusy(process, request.name(), start, "");
        } else {
            work(lease.get());
        }
    }

    private void waitFor(boolean optional) {
        LockRequest request = request().waitTime(someWait());
        long start = world.scheduler().now();
        interruptSometimes(request);
        waits = true;
        try {
            Lease lease = acquired(request, optional);
            waits = false;
            if (lease == null) {
                world.checker().gotBusy(process, request.name(), start, "");
            } else {
                reached(SimSometimes.WAITED_AND_SERVED);
                work(lease);
            }
        } catch (LockBusyException busy) {
            world.checker().gotBusy(process, request.name(), start, "");
        } catch (InterruptedException interrupt) {
            reached(SimSometimes.WAIT_INTERRUPTED);
        } finally {
            waits = false;
        }
    }

    private @Nullable Lease acquired(LockRequest request, boolean optional) throws InterruptedException {
        SimTimeLimit timeLimit = new SimTimeLimit(world, process, request);
        try {
            return optional ? process.locks.tryAcquire(request).orElse(null) : process.locks.acquire(request);
        } finally {
            timeLimit.requireInTime();
        }
    }

    private void interruptSometimes(LockRequest request) {
        Duration wait = request.waitTime() == null ? Duration.ZERO : request.waitTime();
        SimThread thread = me;
        int step = operations;
        if (thread != null && world.faults().happens(SimFault.INTERRUPT, 0.3)) {
            long moment = world.scheduler().now()
                    + world.faults().chance(SimFault.INTERRUPT).nextLong(wait.toNanos());
            world.scheduler().schedule(moment, process, () -> {
                if (waits && operations == step) {
                    thread.interrupt();
                }
            });
        }
    }

    private void async() {
        String owner = process.newOwner();
        LockRequest request = request().owner(owner).waitTime(chance.nextBoolean() ? Duration.ZERO : someWait());
        long start = world.scheduler().now();
        CompletableFuture<Optional<Lease>> future = process.locks.tryAcquireAsync(request);
        if (chance.nextInt(3) == 0) {
            process.sleep(chance.nextLong(plan.lease.toNanos()));
            if (future.cancel(true)) {
                reached(SimSometimes.ASYNC_CANCELLED);
            }
        }
        try {
            Optional<Lease> lease = process.join(future, Duration.ofDays(1).multipliedBy(plan.slowness()));
            if (lease.isEmpty()) {
                world.checker().gotBusy(process, request.name(), start, owner);
            } else {
                reached(SimSometimes.ASYNC_SERVED);
                work(lease.get());
            }
        } catch (CancellationException cancelled) {
            world.trace().note(process.number, "gets", "cancelled");
        }
    }

    private void reenter() {
        LockRequest request = LockRequest.of(name()).reentrant(true);
        try {
            Optional<Lease> first = process.locks.tryAcquire(request);
            if (first.isPresent()) {
                process.sleep(chance.nextLong(plan.lease.toNanos()));
                Optional<Lease> second = process.locks.tryAcquire(request);
                if (second.isPresent() && second.get().id().equals(first.get().id())) {
                    reached(SimSometimes.REENTERED);
                }
                second.ifPresent(holder::release);
                work(first.get());
            }
        } catch (InterruptedException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private void resume() {
        if (world.faults().happens(SimFault.TOKEN_FORGED, 0.5)) {
            resumeByForgery();
            return;
        }
        LeaseToken token = mailbox.take();
        if (token == null) {
            return;
        }
        try {
            Lease lease = process.locks.resume(token);
            reached(SimSometimes.RESUMED);
            work(lease);
        } catch (LeaseLostException rejected) {
            reached(SimSometimes.RESUME_REJECTED);
        } catch (LockManagerClosedException | LockManagerDrainingException rejected) {
            throw rejected;
        } catch (IllegalStateException notDetached) {
            if (!world.faults().changedRow(token.name())) { // an old copy of the row was put back
                throw notDetached;
            }
            reached(SimSometimes.RESUME_REJECTED);
        }
    }

    /** Every reader of the table knows the lease id. */
    private void resumeByForgery() {
        LockState state = process.locks.inspect(name());
        if (state.leaseId() == null) {
            return;
        }
        LeaseToken forged = LeaseToken.of(process.context.client.describe(), state.name(), state.leaseId(), null);
        try {
            work(process.locks.resume(forged));
        } catch (LeaseLostException gone) {
            reached(SimSometimes.RESUME_REJECTED);
        } catch (LockManagerClosedException | LockManagerDrainingException rejected) {
            throw rejected;
        } catch (IllegalStateException notDetached) {
            reached(SimSometimes.FORGED_TOKEN_REJECTED);
        }
    }

    private void runUnder() {
        LockRequest request = request().waitTime(Duration.ZERO);
        long start = world.scheduler().now();
        if (!holder.runUnder(chance.nextBoolean() ? request.onLost(OnLost.INTERRUPT) : request)) {
            world.checker().gotBusy(process, request.name(), start, "");
        }
    }

    private void revoke() {
        String name = name();
        LockState state = process.locks.inspect(name);
        if (state.leaseId() != null) {
            process.locks.revoke(name, state.leaseId());
        }
    }

    /** While a process drains, no lease begins; one that is being rejected may be listed for a moment. */
    private void drain() {
        if (!process.beginDraining()) {
            return;
        }
        process.locks.startDraining();
        Set<HeldLease> held = Set.copyOf(process.registry.held);
        process.sleep(chance.nextLong(2 * plan.lease.toNanos()));
        Set<HeldLease> begun = new HashSet<>(List.copyOf(process.registry.held));
        begun.removeAll(held);
        if (!begun.isEmpty()) {
            process.sleep(REJECTING_NANOS);
        }
        begun.retainAll(List.copyOf(process.registry.held));
        if (!begun.isEmpty()) {
            world.checker().verdict.broken(5, "p" + process.number + " acquired a lock while it drained");
        }
        process.locks.stopDraining();
        process.endDraining();
    }

    private void close() {
        if (!process.registry.acquisitions.isEmpty()) {
            reached(SimSometimes.CLOSED_WITH_WAITERS);
        }
        if (!process.registry.held.isEmpty()) {
            reached(SimSometimes.CLOSED_WITH_LEASES);
        }
        world.trace().note(process.number, "closes", "");
        boolean mine = !process.isClosing();
        process.locks.close();
        if (mine) {
            process.markClosed();
        }
        world.trace().note(process.number, "is closed", "");
    }

    // what comes of it

    private void work(Lease lease) {
        world.trace().note(process.number, "holds", lease.id());
        world.checker().tokens.granted(lease.id());
        if (chance.nextInt(10) == 0) {
            kept.add(lease);
        } else {
            holder.work(lease);
        }
    }

    private void reached(SimSometimes path) {
        world.checker().verdict.reached(path);
    }
}
