/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.takeover.show;

import io.dynamolock.samples.localdynamodb.LocalDynamoDbProcess;
import io.dynamolock.samples.takeover.show.Event.Kind;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Starts DynamoDB Local and several workers, kills one of them during the job, lets the others continue, and
 * summarizes their journals.
 */
public final class Launcher {

    static final String WORKER = "takeover-demo.worker";
    static final String JOURNALS = "takeover-demo.journals";

    private static final String JOB = "job-x";
    private static final String NAME = "launcher";
    private static final Duration TICK = Duration.ofMillis(50);
    private static final Duration LEASE = Duration.ofSeconds(5);
    /** The lease, one second of clock skew, and two for the next run and a slow machine. */
    private static final Duration BOUND = LEASE.plusSeconds(3);

    private final InstantSource clock = InstantSource.system();
    private final Timeline timeline = new Timeline(clock);
    private final List<String> failures = new ArrayList<>();
    private final Class<?> application;
    private final Options options;
    private final Path journals;
    private final PrintStream out;
    private final Story story;

    private Launcher(Class<?> application, Options options, PrintStream out) throws IOException {
        this.application = application;
        this.options = options;
        this.journals = options.emptyDirectory();
        this.out = out;
        this.story = new Story(out, clock.instant(), options.locks());
    }

    /**
     * Returns whether a process is a worker.
     *
     * @param args the arguments of the process
     * @return false for the launcher
     */
    public static boolean isForWorker(String... args) {
        return Arrays.stream(args).anyMatch(arg -> arg.startsWith("--" + WORKER + "="));
    }

    /**
     * Runs the demonstration.
     *
     * @param application the main class of the workers
     * @param out where to print
     * @param args the command line
     * @return the exit code
     * @throws IOException if a process cannot be started, or a journal cannot be written or read
     * @throws InterruptedException if this thread is interrupted
     */
    public static int run(Class<?> application, PrintStream out, String... args)
            throws IOException, InterruptedException {
        if (Arrays.asList(args).contains("--help")) {
            out.println(Options.USAGE);
            return 0;
        }
        Launcher launcher;
        try {
            launcher = new Launcher(application, Options.parse(args), out);
        } catch (IllegalArgumentException wrong) {
            out.println(wrong.getMessage());
            out.println(Options.USAGE);
            return 2;
        }
        return launcher.run();
    }

    private int run() throws IOException, InterruptedException {
        say("starting DynamoDB Local and %d workers".formatted(options.workers()));
        try (LocalDynamoDbProcess dynamoDb = LocalDynamoDbProcess.start();
                Journal journal = Journal.open(journals, NAME, clock, timeline::add);
                Workers workers = Workers.start(options.workers(), name -> start(name, dynamoDb.endpoint()))) {
            Script script = new Script(clock.instant(), JOB, options.time(), BOUND);
            watch(script, workers, journal);
            stop(script, workers);
        }
        return judge();
    }

    private WorkerProcess start(String name, URI dynamoDb) throws IOException {
        List<String> arguments = List.of(
                "--" + WORKER + "=" + name,
                "--" + JOURNALS + "=" + journals,
                "--dynamolock.enabled=" + options.locks(),
                "--dynamolock.owner=" + name,
                "--dynamolock.lease.duration=" + LEASE,
                "--dynamolock.client.endpoint=" + dynamoDb);
        return WorkerProcess.start(name, application, arguments, clock, timeline::add);
    }

    private void say(String text) {
        timeline.add(new Event(clock.instant(), NAME, Kind.SAID, "", 0, text));
    }

    private void watch(Script script, Workers workers, Journal journal) throws InterruptedException {
        while (failures.isEmpty() && !script.isOver(clock.instant())) {
            timeline.next(TICK).ifPresent(event -> {
                script.see(event);
                story.print(event);
                if (event.kind() == Kind.ENDED && !script.allows(event, false)) {
                    failures.add(event.worker() + " ended unexpectedly with " + event.detail());
                }
            });
            if (script.choosesVictim(clock.instant())) {
                kill(script.victim(), workers, journal);
            }
        }
        if (!script.hasBegun()) {
            failures.add("no worker started its work");
        }
    }

    /** Records the kill first: what the victim does until it is dead does not count. */
    private void kill(String victim, Workers workers, Journal journal) {
        journal.add(new Event(clock.instant(), victim, Kind.KILLED, JOB, 0, ""));
        workers.kill(victim);
    }

    private void stop(Script script, Workers workers) throws InterruptedException {
        say("stopping the workers after their current work");
        CompletableFuture<Void> stopped = CompletableFuture.runAsync(workers::stop);
        while (!stopped.isDone() || !timeline.isEmpty()) {
            timeline.next(TICK).ifPresent(event -> {
                story.print(event);
                if (event.kind() == Kind.ENDED && !script.allows(event, true)) {
                    failures.add(event.worker() + " did not stop regularly: " + event.detail());
                }
            });
        }
    }

    private int judge() throws IOException {
        Summary summary = Summary.of(Journal.readAll(journals), JOB, BOUND);
        Verdict verdict =
                options.locks() ? Verdict.withLocks(summary, failures) : Verdict.withoutLocks(summary, failures);
        out.println();
        summary.lines(options.locks()).forEach(out::println);
        out.println();
        out.println("journals: " + journals);
        out.println(verdict.result());
        return verdict.ok() ? 0 : 1;
    }
}
