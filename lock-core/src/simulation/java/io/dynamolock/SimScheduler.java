/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs all events of all simulated processes one at a time, in virtual time that advances only between events; a seed orders
 * events of the same time. Code that may wait runs on its own thread: a waiting thread finds the next event itself, and
 * passes its turn on only if that event needs another thread.
 */
final class SimScheduler {

    static final long NEVER = Long.MAX_VALUE;

    private final PriorityQueue<SimEvent> queue = new PriorityQueue<>(256);
    private final Deque<SimThread> idle = new ArrayDeque<>();
    private final List<SimThread> busy = new ArrayList<>();
    private final SimThread main = new SimThread(this);
    private final String name;

    private SplittableRandom random = new SplittableRandom(0);
    private Runnable observer = () -> {};
    private Consumer<SimThread> interrupts = thread -> {};
    private SimThread current = main;
    private boolean quick;
    private boolean stopping;
    private long now;
    private long number;
    private int threads;
    private long switches;
    private @Nullable Throwable failure;

    /** Creates a scheduler with the name of the thread that runs the histories. */
    SimScheduler(String name) {
        this.name = name;
    }

    /** Starts a history: the observer is called after each event and for each interrupt of a waiting thread. */
    void begin(long start, SplittableRandom chance, Runnable afterEach, Consumer<SimThread> interrupted) {
        queue.clear();
        random = chance;
        observer = afterEach;
        interrupts = interrupted;
        now = start;
        number = 0;
        stopping = false;
        failure = null;
    }

    long now() {
        return now;
    }

    long switches() {
        return switches;
    }

    SimThread current() {
        return current;
    }

    /** Returns whether code runs that must not wait. */
    boolean isQuick() {
        return quick || current == main;
    }

    boolean isStopping() {
        return stopping;
    }

    /** Failures of tasks. */
    @Nullable
    Throwable failure() {
        return failure;
    }

    void failed(Throwable unexpected) {
        if (failure == null && !stopping) {
            failure = unexpected;
        }
    }

    /** Runs non-blocking code at a time; delayed while its process is paused, and never after its end. */
    void schedule(long moment, @Nullable SimProcess process, Runnable action) {
        push(SimEvent.Kind.ACTION, moment, process, action, null, 0);
    }

    /** Starts work on its own thread. */
    void start(long moment, SimProcess process, Runnable task) {
        push(SimEvent.Kind.START, moment, process, task, null, 0);
    }

    private void push(
            SimEvent.Kind kind,
            long moment,
            @Nullable SimProcess process,
            @Nullable Runnable action,
            @Nullable SimThread thread,
            long ticket) {
        if (!stopping) {
            long order = ((long) random.nextInt() << 32) | (number++ & 0xffff_ffffL);
            queue.add(new SimEvent(kind, Math.max(now, moment), order, process, action, thread, ticket));
        }
    }

    /** Blocks the current thread until it is woken or a time is reached. */
    void block(long until) {
        SimThread me = current;
        stopIfOver(me);
        me.ticket++;
        me.blocked = true;
        if (until != NEVER) {
            push(SimEvent.Kind.GO_ON, until, me.process, null, me, me.ticket);
        }
        boolean flagged = Thread.interrupted();
        SimEvent next = next();
        boolean interrupted = Thread.interrupted();
        if (next.thread != me) {
            handOn(next);
            interrupted |= me.awaitTurn();
        }
        me.blocked = false;
        stopIfOver(me);
        if (interrupted) {
            interrupts.accept(me);
        }
        if (flagged || interrupted) {
            Thread.currentThread().interrupt();
        }
        me.takeInterrupt();
    }

    /** Blocks a thread until its turn. */
    String whereabouts() {
        StringBuilder text = new StringBuilder();
        for (SimThread thread : busy) {
            text.append(thread.whereabouts());
        }
        return text.toString();
    }

    private void stopIfOver(SimThread me) {
        if (stopping && me != main) {
            throw new SimStopped();
        }
    }

    /** Wakes a waiting thread after a delay. */
    void wake(SimThread thread, long delay) {
        if (thread.blocked) {
            push(SimEvent.Kind.GO_ON, now + delay, thread.process, null, thread, thread.ticket);
        }
    }

    void wakeMain() {
        wake(main, 0);
    }

    /** Runs events that need no thread, and returns the next one that does. */
    private SimEvent next() {
        while (true) {
            runQuickly(observer);
            SimEvent event = dueEvent();
            now = event.at;
            if (event.kind != SimEvent.Kind.ACTION) {
                return event;
            }
            runQuickly(Objects.requireNonNull(event.action));
        }
    }

    private SimEvent dueEvent() {
        while (true) {
            SimEvent event = queue.remove();
            SimProcess process = event.process;
            boolean stale = event.thread != null && (!event.thread.blocked || event.thread.ticket != event.ticket);
            if (stale || (process != null && process.isDead())) {
                continue;
            }
            if (process != null && process.pausedUntil() > event.at) {
                event.at = process.pausedUntil();
                queue.add(event);
            } else {
                return event;
            }
        }
    }

    private void runQuickly(Runnable action) {
        quick = true;
        try {
            action.run();
        } catch (RuntimeException | Error unexpected) {
            failed(unexpected);
        } finally {
            quick = false;
        }
    }

    private void handOn(SimEvent next) {
        if (next.kind == SimEvent.Kind.START) {
            SimThread thread = idle.isEmpty() ? new SimThread(this, name + "-" + threads++) : idle.pop();
            take(thread, next);
            switchTo(thread);
        } else {
            switchTo(Objects.requireNonNull(next.thread));
        }
    }

    private void take(SimThread thread, SimEvent start) {
        thread.begin(start.action, start.process);
        busy.add(thread);
    }

    private void switchTo(SimThread thread) {
        switches++;
        current = thread;
        thread.giveTurn();
    }

    /** Ends the task of a thread; returns when it has another one. */
    void finished(SimThread thread) {
        busy.remove(thread);
        if (stopping) {
            idle.push(thread);
            switchTo(main);
            boolean unused = thread.awaitTurn();
            return;
        }
        SimEvent next = next();
        if (next.kind == SimEvent.Kind.START) {
            take(thread, next);
        } else {
            idle.push(thread);
            handOn(next);
            boolean unused = thread.awaitTurn();
        }
    }

    /** Ends its threads. */
    void close() {
        for (SimThread thread : idle) {
            thread.begin(null, null);
            thread.giveTurn();
        }
    }

    /** Ends the history: every thread unwinds. */
    void end() {
        stopping = true;
        while (!busy.isEmpty()) {
            SimThread thread = busy.get(busy.size() - 1);
            switchTo(thread);
            boolean unused = main.awaitTurn();
            current = main;
        }
    }
}
