/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.files;

import io.dynamolock.samples.files.Event.Kind;
import io.dynamolock.samples.localdynamodb.ChildJvm;
import io.dynamolock.samples.localdynamodb.LocalDynamoDbProcess;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Writes files and starts three consumers. Kills the first one that comes to the middle of a file, pauses the second one
 * there for two leases, and at the end counts how often each line is stored.
 */
public final class FileConsumers {

    private static final String USAGE = """
            Usage: file-consumers [--without-locks | --without-fencing]

              --without-locks    turn locking off: lines are stored more than once
              --without-fencing  lock, but let late writes through: one line is stored twice

            Exit code: 0 if the lines are stored as expected, 1 if not, 2 for invalid options""";

    private static final int FILES = 6;
    private static final int LINES = 10;
    private static final Duration TWO_LEASES = Duration.ofSeconds(4);
    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    private final long start = System.nanoTime();
    private final Path folder = Files.createTempDirectory("dynamolock-file-consumers-");
    private final Map<String, ChildJvm> consumers = new ConcurrentHashMap<>();
    private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();
    private final List<Event> seen = new ArrayList<>();
    private final PrintStream out;
    private final Mode mode;

    private FileConsumers(PrintStream out, Mode mode) throws IOException {
        this.out = out;
        this.mode = mode;
    }

    /**
     * Starts the launcher.
     *
     * @param args the command line
     * @throws Exception if a process cannot be started
     */
    public static void main(String[] args) throws Exception {
        System.exit(run(System.out, String.join(" ", args)));
    }

    static int run(PrintStream out, String option) throws IOException, InterruptedException {
        for (Mode mode : Mode.values()) {
            if (mode.option.equals(option)) {
                return new FileConsumers(out, mode).run();
            }
        }
        boolean help = option.equals("--help");
        out.println(help ? USAGE : "Unknown option: " + option + System.lineSeparator() + USAGE);
        return help ? 0 : 2;
    }

    private int run() throws IOException, InterruptedException {
        out.println("starting DynamoDB Local and three consumers");
        Runtime.getRuntime().addShutdownHook(new Thread(this::kill)); // a paused process ends by nothing else
        String result;
        try (LocalDynamoDbProcess dynamoDb = LocalDynamoDbProcess.start()) {
            LineStore store = new LineStore(dynamoDb.endpoint(), mode.fencing);
            store.createTable();
            List<String> lines = writeFiles();
            for (String name : List.of("consumer-1", "consumer-2", "consumer-3")) {
                start(name, dynamoDb.endpoint());
            }
            Event late = control();
            stop();
            long rejections = seen(Kind.REJECTED).count();
            result = mode.result(lines, late.detail(), rejections, store.readAll());
        } catch (IllegalStateException failure) {
            result = "RESULT: FAILED: " + failure.getMessage();
        } finally {
            kill();
        }
        out.println(result);
        return result.startsWith("RESULT: OK") ? 0 : 1;
    }

    private List<String> writeFiles() throws IOException {
        List<String> all = new ArrayList<>();
        for (int i = 1; i <= FILES; i++) {
            String name = "orders-" + i;
            List<String> lines = IntStream.rangeClosed(1, LINES)
                    .mapToObj(line -> name + ", line " + line)
                    .toList();
            Files.write(folder.resolve(name), lines);
            all.addAll(lines);
        }
        return all;
    }

    private void start(String name, URI dynamoDb) throws IOException {
        List<String> arguments = List.of(
                "--folder=" + folder,
                "--fencing=" + mode.fencing,
                "--dynamolock.enabled=" + mode.locks,
                "--dynamolock.owner=" + name,
                "--dynamolock.client.endpoint=" + dynamoDb);
        ChildJvm consumer = ChildJvm.start(
                List.of("-Xmx96m"),
                Consumer.class,
                arguments,
                line -> events.add(Event.parse(name, line)),
                code -> events.add(new Event(name, Kind.EXIT, "with " + code)));
        consumers.put(name, consumer);
    }

    /** Kills a consumer, pauses another one until the third one has imported all files, and returns where it paused. */
    private Event control() throws IOException, InterruptedException {
        Event killed = await(event -> event.kind() == Kind.MIDDLE);
        consumer(killed).kill();
        show(new Event(killed.consumer(), Kind.KILLED, "by SIGKILL"));

        Event paused = await(event -> event.kind() == Kind.MIDDLE);
        consumer(paused).pause();
        show(new Event(paused.consumer(), Kind.STOPPED, "by SIGSTOP"));
        CompletableFuture.delayedExecutor(TWO_LEASES.toMillis(), TimeUnit.MILLISECONDS)
                .execute(() -> events.add(new Event(paused.consumer(), Kind.ELAPSED, "two leases")));
        await(event -> seen(Kind.FINISHED).map(Event::detail).distinct().count() == FILES
                && seen(Kind.ELAPSED).count() == 1);

        show(new Event(paused.consumer(), Kind.WOKEN, "by SIGCONT"));
        consumer(paused).wake();
        consumer(paused).send("go on");
        await(event -> event.consumer().equals(paused.consumer())
                && (event.kind() == Kind.LOST || event.kind() == Kind.FINISHED));
        return paused;
    }

    /** Waits for an event, and meanwhile lets each consumer go on that is in the middle of a file. */
    private Event await(Predicate<Event> expected) throws InterruptedException {
        while (true) {
            Event event = events.poll(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
            if (event == null) {
                throw new IllegalStateException("nothing happened for " + TIMEOUT);
            }
            show(event);
            seen.add(event);
            if (event.kind() == Kind.EXIT && !event.detail().endsWith(" 137")) { // 128 + SIGKILL
                throw new IllegalStateException(event.consumer() + " ended unexpectedly");
            }
            if (expected.test(event)) {
                return event;
            }
            if (event.kind() == Kind.MIDDLE) {
                consumer(event).send("go on");
            }
        }
    }

    private ChildJvm consumer(Event event) {
        return Objects.requireNonNull(consumers.get(event.consumer()));
    }

    private Stream<Event> seen(Kind kind) {
        return seen.stream().filter(event -> event.kind() == kind);
    }

    private void show(Event event) {
        double seconds = (System.nanoTime() - start) / 1e9;
        out.printf(Locale.ROOT, "%6.2f s  %s  %-9s %s%n", seconds, event.consumer(), event.kind(), event.detail());
    }

    private void stop() throws InterruptedException, IOException {
        consumers.values().forEach(ChildJvm::stop);
        for (ChildJvm consumer : consumers.values()) {
            consumer.join(TIMEOUT);
        }
        Files.delete(folder);
    }

    private void kill() {
        consumers.values().forEach(ChildJvm::kill);
    }
}
