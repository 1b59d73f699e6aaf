/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.ConditionFailures.RenewRefusal;
import io.dynamolock.LeaseValidity.PendingRenewal;
import io.dynamolock.LockStore.Response;
import io.dynamolock.LockWrite.Acquire;
import io.dynamolock.LockWrite.Rest;
import io.dynamolock.Observations.Observation;
import io.dynamolock.time.IntervalClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One state of a search: the true time, the row, the processes, and the messages in flight. */
final class ModelState {

    final ModelBounds scope;
    final int skew;
    final Machine[] processes;

    int time;
    int pauses;
    int revocations;
    int unanswered;

    /** The highest token of a lease that somebody came to hold. */
    long granted;

    @Nullable
    LockRow row;

    /** The invariant violated on the way to this state; null if none. */
    @Nullable
    String broken;

    ModelState(ModelBounds scope, int skew) {
        this.scope = scope;
        this.skew = skew;
        this.processes = new Machine[scope.processes()];
        for (int p = 0; p < processes.length; p++) {
            processes[p] = new Machine();
            processes[p].clock =
                    scope.samples() ? IntervalClock.empty(Duration.ofMillis(2L * scope.halfWidth())) : null;
        }
    }

    ModelState copy() {
        ModelState copy = new ModelState(scope, skew);
        copy.time = time;
        copy.pauses = pauses;
        copy.revocations = revocations;
        copy.unanswered = unanswered;
        copy.granted = granted;
        copy.row = row;
        copy.broken = broken;
        for (int p = 0; p < processes.length; p++) {
            processes[p].copyTo(copy.processes[p]);
        }
        return copy;
    }

    Holder holder(int process, int nth) {
        return processes[process].leases.get(nth);
    }

    void breaks(String invariant) {
        broken = broken == null ? invariant : broken;
    }

    String start() {
        return "%s, %s off by %s"
                .formatted(
                        scope.name(),
                        scope.samples() ? "the store's dates" : "wall clocks",
                        scope.offsets().get(skew));
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("then ").append(StateText.of(row));
        for (Machine process : processes) {
            for (Holder holder : process.leases) {
                text.append("\n  ").append(holder);
            }
        }
        return text.toString();
    }

    /** One process: its memory, and its leases in request order. */
    static final class Machine {

        final List<Holder> leases = new ArrayList<>(2);

        /** For how many ticks it stood still. */
        int paused;

        long lastToken;

        @Nullable
        Observation seen;

        /** What it knows of the store's time, if it learns it from dates. */
        @Nullable
        IntervalClock clock;

        private void copyTo(Machine copy) {
            for (Holder lease : leases) {
                copy.leases.add(lease.copy());
            }
            copy.paused = paused;
            copy.lastToken = lastToken;
            copy.seen = seen;
            copy.clock = clock;
        }
    }

    enum Stage {
        ACQUIRING,
        FREEING,
        RAISING,
        GRANTED,
        DONE
    }

    /** One proposal, and the lease that came of it. */
    static final class Holder {

        Stage stage = Stage.ACQUIRING;
        Acquire write;
        int lease;

        int sentTime;
        int sentPaused;
        boolean acquiring;
        boolean applied;

        @Nullable
        Response acquired;

        @Nullable
        LeaseValidity validity;

        final List<Extension> extensions = new ArrayList<>(2);

        /** Whether a release is under way, and what it leaves behind. */
        boolean releasing;

        @Nullable
        Rest rest;

        boolean releaseSent;

        /** Whether messages of the undoing are under way. */
        boolean freeing;

        boolean raising;

        /** Whether a release of it was applied. */
        boolean freed;

        /** Whether it must never be in the row again. */
        boolean dead;

        /** Whether it was once not held any more. */
        boolean over;

        Holder(Acquire write, int lease) {
            this.write = write;
            this.lease = lease;
        }

        String id() {
            return write.leaseId();
        }

        private Holder copy() {
            Holder copy = new Holder(write, lease);
            copy.stage = stage;
            copy.sentTime = sentTime;
            copy.sentPaused = sentPaused;
            copy.acquiring = acquiring;
            copy.applied = applied;
            copy.acquired = acquired;
            copy.validity = validity == null
                    ? null
                    : new LeaseValidity(
                            validity.state(), validity.end(), validity.newestNumber(), validity.newestEnd());
            for (Extension extension : extensions) {
                copy.extensions.add(extension.copy());
            }
            copy.releasing = releasing;
            copy.rest = rest;
            copy.releaseSent = releaseSent;
            copy.freeing = freeing;
            copy.raising = raising;
            copy.freed = freed;
            copy.dead = dead;
            copy.over = over;
            return copy;
        }

        @Override
        public String toString() {
            return "%s: %s%s".formatted(id(), stage, validity == null ? "" : " " + validity.state());
        }
    }

    /** One renewal that was sent. */
    static final class Extension {

        final PendingRenewal renewal;
        boolean underWay = true;
        boolean awaited = true;

        @Nullable
        RenewRefusal response;

        /** The date of the response, if dates are looked at. */
        @Nullable
        Instant date;

        Extension(PendingRenewal renewal) {
            this.renewal = renewal;
        }

        private Extension copy() {
            Extension copy = new Extension(renewal);
            copy.underWay = underWay;
            copy.awaited = awaited;
            copy.response = response;
            copy.date = date;
            return copy;
        }
    }
}
