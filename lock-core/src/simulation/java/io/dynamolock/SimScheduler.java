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
 * Runs everything of all simulated processes one at a time, in the order of a virtual time that passes only between events;
 * a seed decides between events of one moment. What can wait runs on a thread of its own: who has to wait looks for the next
 * event itself, and hands its turn on only if that is another thread's.
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

    /** Of the thread that runs the histories. */
    SimScheduler(String name) {
        this.name = name;
    }

    /** Begins a history: the observer looks after each event, and is told of threads that are interrupted while they wait. */
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

    /** Whether code runs that must not wait. */
    boolean isQuick() {
        return quick || current == main;
    }

    boolean isStopping() {
        return stopping;
    }

    /** What went wrong in a task. */
    @Nullable
    Throwable failure() {
        return failure;
    }

    void failed(Throwable unexpected) {
        if (failure == null && !stopping) {
            failure = unexpected;
        }
    }

    /** Calls quick code at a moment; while its process stands still it has to wait, and it never comes after its end. */
    void schedule(long moment, @Nullable SimProcess process, Runnable action) {
        push(SimEvent.Kind.ACTION, moment, process, action, null, 0);
    }

    /** Starts work on a thread of its own. */
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

    /** Lets the current thread wait until it is woken, or until a moment. */
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

    /** Where the threads wait. */
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

    /** Lets a thread that waits go on after a delay. */
    void wake(SimThread thread, long delay) {
        if (thread.blocked) {
            push(SimEvent.Kind.GO_ON, now + delay, thread.process, null, thread, thread.ticket);
        }
    }

    void wakeMain() {
        wake(main, 0);
    }

    /** Finds the next event for a thread, having run those before it that need none. */
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
            if (process != null && process.standsStillUntil() > event.at) {
                event.at = process.standsStillUntil();
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

    /** A thread's task has ended; returns when it has another one. */
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

    /** Lets its threads end. */
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
