/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.live;

import io.dynamolock.samples.live.Worker.Kind;
import io.dynamolock.samples.live.Worker.Report;
import io.dynamolock.samples.localdynamodb.ChildJvm;
import java.io.IOException;
import java.net.URI;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The processes that run {@link Worker}: starts, disturbs and kills them, and collects what they report. Thread-safe. */
final class Processes implements AutoCloseable {

    private static final int MAXIMUM = 6;
    private static final int EVENTS = 60;
    private static final int TEXT = 200;
    private static final Set<Status> ALIVE = EnumSet.complementOf(EnumSet.of(Status.ENDED));

    /** State of a process. */
    enum Status {
        STARTING,
        RUNNING,
        PAUSED,
        ENDED
    }

    /**
     * A process, as the page shows it.
     *
     * @param pid the process id of its last start
     * @param locks what it last reported about each lock
     */
    record View(String name, long pid, Status status, boolean losesAnswers, List<LockView> locks) {}

    /**
     * What a process last reported about a lock.
     *
     * @param remaining the milliseconds that the lease has left, on the clock of the process
     * @param renewals the number of renewals of the lease
     */
    record LockView(String lock, Kind last, long token, long remaining, int renewals) {}

    /**
     * An event.
     *
     * @param process the process; empty for all
     * @param lock the lock; empty if none is concerned
     * @param token the fencing token; 0 without a lease
     * @param count the number of its successive occurrences
     */
    record Event(long id, Instant time, String process, String kind, String lock, long token, String text, int count) {}

    /** A report, and when it came in. */
    private record Received(Report report, int renewals, long nanoTime) {

        static Received of(Report report, @Nullable Received last) {
            int earlier = last != null && last.report.token() == report.token() ? last.renewals : 0;
            int renewals = report.kind() == Kind.RENEWED ? earlier + 1 : earlier;
            return new Received(report, renewals, System.nanoTime());
        }

        LockView view() {
            long remaining = report.remaining() - (System.nanoTime() - nanoTime) / 1_000_000;
            return new LockView(report.lock(), report.kind(), report.token(), Math.max(0, remaining), renewals);
        }
    }

    private static final class Member {

        final Map<String, Received> locks = new TreeMap<>();
        final Proxy proxy;
        Status status = Status.ENDED;

        @Nullable
        ChildJvm jvm;

        Member(Proxy proxy) {
            this.proxy = proxy;
        }

        View view(String name) {
            List<LockView> views = locks.values().stream().map(Received::view).toList();
            return new View(name, jvm == null ? 0 : jvm.pid(), status, proxy.losesAnswers(), views);
        }
    }

    private final URI dynamoDb;
    private final Map<String, Member> members = new TreeMap<>();
    private final Deque<Event> events = new ArrayDeque<>();
    private boolean tableAway;
    private boolean closed;

    /** Starts no process yet. */
    Processes(URI dynamoDb) {
        this.dynamoDb = dynamoDb;
    }

    /** Starts a process, named by the next letter. */
    synchronized void start() throws IOException {
        if (members.size() == MAXIMUM) {
            throw new IllegalStateException("There are " + MAXIMUM + " processes already");
        }
        String name = Character.toString('A' + members.size());
        Proxy proxy = new Proxy(dynamoDb);
        proxy.takeTableAway(tableAway);
        members.put(name, new Member(proxy));
        start(name);
    }

    /** Starts a process that has ended. */
    synchronized void start(String name) throws IOException {
        Member member = member(name, Set.of(Status.ENDED));
        if (closed) {
            return;
        }
        List<String> arguments = List.of(
                "--dynamolock.owner=" + name,
                "--dynamolock.client.endpoint=" + member.proxy.endpoint(),
                "--dynamolock.table.initialization=none"); // so that it starts without the table, too
        member.jvm = ChildJvm.start(
                List.of("-Xmx96m"), Worker.class, arguments, line -> read(name, line), code -> end(name, code));
        member.status = Status.STARTING;
        add(name, "STARTED", "is started");
    }

    /** Kills a process, also a paused one. */
    synchronized void kill(String name) {
        jvm(member(name, ALIVE)).kill();
        add(name, "KILLED", "is killed by SIGKILL");
    }

    synchronized void pause(String name) throws IOException {
        Member member = member(name, Set.of(Status.RUNNING));
        jvm(member).pause();
        member.status = Status.PAUSED;
        add(name, "PAUSED", "is paused by SIGSTOP");
    }

    synchronized void wake(String name) throws IOException {
        Member member = member(name, Set.of(Status.PAUSED));
        jvm(member).wake();
        member.status = Status.RUNNING;
        add(name, "WOKEN", "is woken by SIGCONT");
    }

    synchronized void loseAnswers(String name, boolean lost) {
        member(name, EnumSet.allOf(Status.class)).proxy.loseAnswers(lost);
        add(name, "NETWORK", lost ? "gets no more answers from the table" : "gets answers again");
    }

    synchronized void takeTableAway(boolean away) {
        tableAway = away;
        members.values().forEach(member -> member.proxy.takeTableAway(away));
        add("", "NETWORK", away ? "the table is away for all processes" : "the table is back");
    }

    synchronized boolean isTableAway() {
        return tableAway;
    }

    synchronized List<View> views() {
        return members.entrySet().stream()
                .map(member -> member.getValue().view(member.getKey()))
                .toList();
    }

    /** Returns the last events, the newest one first. */
    synchronized List<Event> events() {
        return List.copyOf(events);
    }

    /** Kills all processes. */
    @Override
    public synchronized void close() {
        closed = true;
        for (Member member : members.values()) {
            if (member.jvm != null) {
                member.jvm.close();
            }
            member.proxy.close();
        }
    }

    private synchronized void read(String name, String line) {
        if (!line.startsWith("{")) {
            add(name, "LOG", line);
            return;
        }
        Report report = Report.parse(line);
        Member member = member(name, ALIVE);
        if (report.kind() == Kind.READY) {
            member.status = Status.RUNNING;
        } else {
            Received received = Received.of(report, member.locks.get(report.lock()));
            member.locks.put(report.lock(), received);
        }
        if (report.kind() != Kind.RENEWED) {
            add(name, report.kind().name(), report.lock(), report.token(), report.text());
        }
    }

    private synchronized void end(String name, int code) {
        Member member = member(name, ALIVE);
        member.status = Status.ENDED;
        member.locks.clear();
        add(name, "ENDED", "has ended with exit code " + code);
    }

    private Member member(String name, Set<Status> allowed) {
        Member member = members.get(name);
        if (member == null || !allowed.contains(member.status)) {
            throw new IllegalStateException("Process " + name + " is " + (member == null ? "unknown" : member.status));
        }
        return member;
    }

    private static ChildJvm jvm(Member member) {
        return Objects.requireNonNull(member.jvm);
    }

    private void add(String process, String kind, String text) {
        add(process, kind, "", 0, text);
    }

    /** An event that repeats the last one replaces it. */
    private void add(String process, String kind, String lock, long token, String text) {
        String shown = text.length() <= TEXT ? text : text.substring(0, TEXT) + "…";
        Event last = events.peekFirst();
        boolean again = last != null
                && List.of(process, kind, lock, token, shown)
                        .equals(List.of(last.process, last.kind, last.lock, last.token, last.text));
        long id = last == null ? 0 : last.id + 1;
        int count = 1;
        if (again) {
            events.removeFirst();
            id = last.id;
            count = last.count + 1;
        }
        events.addFirst(new Event(id, Instant.now(), process, kind, lock, token, shown, count));
        if (events.size() > EVENTS) {
            events.removeLast();
        }
    }
}
