/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.takeover.show;

import io.dynamolock.samples.takeover.show.Event.Kind;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Timing of the demonstration: after a third of the time, the first worker in the middle of the job is killed; the run
 * does not end before its lock was taken over, or should have been.
 */
final class Script {

    /** The middle of the job, which takes at least twice this time. */
    private static final Duration MIDDLE = Duration.ofMillis(700);

    private static final Duration START_UP = Duration.ofSeconds(90);
    private static final Duration TIMEOUT = Duration.ofSeconds(15);

    private final String lock;
    private final Duration time;
    private final Duration takeover;
    private final Instant latestStart;

    private @Nullable Instant begun;
    private @Nullable Event inside;
    private @Nullable Instant killed;
    private String victim = "";
    private boolean takenOver;

    /** Starts the script; the time counts from the first section that any worker enters. */
    Script(Instant now, String lock, Duration time, Duration takeover) {
        this.latestStart = now.plus(START_UP);
        this.lock = lock;
        this.time = time;
        this.takeover = takeover;
    }

    void see(Event event) {
        if (killed != null && event.is(Kind.ENTERED, lock) && event.at().isAfter(killed)) {
            takenOver = true;
        }
        if (begun == null && event.kind() == Kind.ENTERED) {
            begun = event.at();
        }
        if (event.is(Kind.ENTERED, lock) && inside == null && isDue(event.at())) {
            inside = event;
        } else if (event.is(Kind.LEFT, lock)
                && inside != null
                && inside.worker().equals(event.worker())) {
            inside = null;
        }
    }

    private boolean isDue(Instant at) {
        return begun != null && !at.isBefore(begun.plus(time.dividedBy(3)));
    }

    /** Chooses the victim, once, when it is due; returns whether that is now. */
    boolean choosesVictim(Instant now) {
        if (killed != null || inside == null || now.isBefore(inside.at().plus(MIDDLE))) {
            return false;
        }
        killed = now;
        victim = inside.worker();
        return true;
    }

    /** Returns the worker chosen to be killed; empty before. */
    String victim() {
        return victim;
    }

    /**
     * Returns whether the end of a worker is part of the demonstration.
     *
     * @param end the end of a process, which may be reported long after it was killed
     * @param stopping whether the workers were asked to stop
     */
    boolean allows(Event end, boolean stopping) {
        return end.worker().equals(victim) || (stopping && end.detail().equals(WorkerProcess.IN_ORDER));
    }

    boolean hasBegun() {
        return begun != null;
    }

    boolean isOver(Instant now) {
        if (begun == null) {
            return now.isAfter(latestStart);
        }
        Instant enough = begun.plus(time);
        if (killed == null) {
            return now.isAfter(enough.plus(TIMEOUT));
        }
        return now.isAfter(enough) && (takenOver || now.isAfter(killed.plus(takeover)));
    }
}
