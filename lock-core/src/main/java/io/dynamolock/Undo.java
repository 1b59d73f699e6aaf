/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.LockListener.Operation;
import io.dynamolock.LockStore.Acquire;
import io.dynamolock.LockStore.Release;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes acquisitions harmless whose outcome is unknown, in the background: frees the lock if it is theirs, else uses their
 * token up, so that a copy that is still under way is refused whenever it arrives. Tries until it has an answer, or until the
 * lease would have run out by itself.
 */
final class Undo {

    private static final Logger LOG = LoggerFactory.getLogger(Undo.class);

    private final Engine engine;
    private final Set<Case> open = Engine.oldestFirst();

    Undo(Engine engine) {
        this.engine = engine;
    }

    void start(String name, Acquire write, Duration lease) {
        long giveUp = engine.clock.nanos() + 2 * Durations.nanos(engine.grace.inRow(lease));
        Case one = new Case(name, write, engine.settings.attemptTimeoutFor(lease), giveUp);
        open.add(one);
        engine.inBackground(one::attempt);
    }

    boolean isSettled() {
        return open.isEmpty();
    }

    /** Tries what is left once more, without waiting. */
    void hurry() {
        List.copyOf(open).forEach(one -> engine.tasks.work(one::attempt));
    }

    private final class Case {

        private static final long LONGEST_DELAY_NANOS = 5_000_000_000L;

        private final String name;
        private final Acquire write;
        private final UndoPlan plan;
        private final Duration timeout;
        private final long giveUpNanos;
        private int failures;

        Case(String name, Acquire write, Duration timeout, long giveUpNanos) {
            this.name = name;
            this.write = write;
            this.plan = new UndoPlan(write);
            this.timeout = timeout;
            this.giveUpNanos = giveUpNanos;
        }

        void attempt() {
            try {
                settle();
                open.remove(this);
            } catch (LockStoreException failure) {
                later(failure);
            }
        }

        private void settle() {
            boolean settled = false;
            while (!settled) {
                settled = freed() || usedUp();
            }
        }

        private boolean freed() {
            Release release = plan.release(engine.clock.now());
            boolean freed =
                    engine.gate.release(name, Operation.UNDO, release, timeout).applied();
            if (freed) {
                engine.lines.handOver(write.name());
            }
            return freed;
        }

        private boolean usedUp() {
            return plan.isDone(engine.gate.raiseFloor(name, plan.raise(engine.clock.now()), timeout));
        }

        private void later(LockStoreException failure) {
            failures++;
            long delay = Math.min(100_000_000L << Math.min(failures, 16), LONGEST_DELAY_NANOS);
            long next = engine.clock.nanos() + (long) (delay * (1 - 0.5 * engine.random.getAsDouble()));
            if (engine.isClosed() || next - giveUpNanos > 0) {
                open.remove(this);
                LOG.warn(
                        "An unanswered acquire of lock '{}' could not be undone; the lock may stay taken until {}: {}",
                        name,
                        write.expiresAt(),
                        failure.getMessage());
            } else {
                engine.tasks.at(next, () -> engine.tasks.work(this::attempt));
            }
        }
    }
}
