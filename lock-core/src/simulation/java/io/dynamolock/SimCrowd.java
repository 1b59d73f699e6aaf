/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of a history in which many callers of each process wait for one lock. Drawn from a chance of its own, so
 * that other histories stay as they are.
 */
final class SimCrowd {

    /** Polls this rare leave it to the process to hand a lock over. */
    private static final Duration RARE = Duration.ofSeconds(20);

    /** One of so many histories has crowds. */
    private static final int CROWDED = 12;

    /** Faults that end when the request does. */
    private static final Set<SimFault> BRIEF = EnumSet.of(
            SimFault.REQUEST_LOST,
            SimFault.RESPONSE_LOST,
            SimFault.RESPONSE_LATE,
            SimFault.THROTTLED,
            SimFault.SERVER_ERROR,
            SimFault.NO_CONNECTION);

    private static final int MOST_WORKERS = 4;
    private static final int MILLIS = 1_000_000;

    final int callersEach;

    /** Worker threads of each manager. */
    final int workers;

    /** Whether each request takes long. */
    final boolean slow;

    /** The only kinds of faults; null for those that the history has anyway. */
    final @Nullable Set<SimFault> faults;

    /** Whether each process has a lock of its own, which its callers hand over to each other. */
    final boolean handsOver;

    private SimCrowd(SplittableRandom chance) {
        this.handsOver = chance.nextBoolean();
        this.callersEach = 2 + chance.nextInt(handsOver ? 7 : 4);
        this.workers = 1 + chance.nextInt(MOST_WORKERS);
        this.slow = chance.nextInt(3) == 0;
        this.faults = faults(chance);
    }

    static @Nullable SimCrowd of(long seed) {
        return seed % CROWDED == 7 ? new SimCrowd(new SplittableRandom(seed * 37)) : null;
    }

    /** None, or those that end with the request. */
    private static @Nullable Set<SimFault> faults(SplittableRandom chance) {
        Set<SimFault> kinds = EnumSet.noneOf(SimFault.class);
        int which = chance.nextInt(4);
        if (which > 1) {
            kinds.addAll(BRIEF);
            kinds.removeIf(kind -> chance.nextBoolean());
        }
        return which == 0 ? null : kinds;
    }

    String name(SimProcess process) {
        return handsOver ? "crowd-" + process.number : "job-0";
    }

    LockRequest request(SimProcess process, SplittableRandom chance) {
        LockRequest request = LockRequest.of(name(process)).waitTime(wait(chance));
        if (handsOver) {
            return request.pollMin(RARE).pollMax(RARE);
        }
        if (chance.nextInt(4) == 0) {
            request = request.pollMin(Duration.ofMillis(20 + chance.nextInt(400)));
        }
        return chance.nextInt(4) == 0 ? request.leaseDuration(Duration.ofMillis(800 + chance.nextInt(3_000))) : request;
    }

    private static Duration wait(SplittableRandom chance) {
        return switch (chance.nextInt(10)) {
            case 0 -> Duration.ZERO;
            case 1 -> Duration.ofNanos(1);
            case 2 -> Duration.ofMillis(1 + chance.nextInt(200));
            case 3, 4 -> Duration.ofMillis(1 + chance.nextInt(3_000));
            case 5, 6 -> Duration.ofSeconds(3 + chance.nextInt(20));
            default -> Duration.ofSeconds(60);
        };
    }

    /** Returns how soon a free lock is acquired by those that wait, if no request fails. */
    Duration promptness() {
        return handsOver ? Duration.ofMillis(2_500) : Duration.ofSeconds(6);
    }

    /** Returns how long the consequences of a fault last: a late request, a pause of a process, an outage. */
    Duration aftermath() {
        return faults == null ? RARE.plusSeconds(25) : Duration.ofSeconds(2);
    }

    /** Draws the time between two actions of a caller, mostly short. */
    static long pause(SplittableRandom chance) {
        return SimPlan.log(chance, MILLIS, chance.nextInt(3) == 0 ? 20_000L * MILLIS : 60L * MILLIS);
    }
}
