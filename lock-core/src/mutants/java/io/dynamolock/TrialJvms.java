/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * JVMs in which mutants are judged in parallel. A test mostly waits for what the fault prevents; in one JVM, tests that
 * run at the same time would see each other's logs and threads. They do without C2, which would compile the new classes
 * of each mutant again, and take longer than the searches themselves.
 */
public final class TrialJvms implements AutoCloseable {

    private static final String VERDICT = "verdict: ";
    private static final String PASSED = "trial.passed";

    private final Class<?> main;
    private final List<Mutant> mutants;
    private final Path passed;
    private final ExecutorService callers;
    private final Queue<Jvm> started = new ConcurrentLinkedQueue<>();
    private final ThreadLocal<Jvm> jvm = ThreadLocal.withInitial(this::start);

    /**
     * Starts a JVM when it is needed.
     *
     * @param main calls {@link #serve}
     * @param mutants the list that it serves
     */
    public TrialJvms(Class<?> main, List<Mutant> mutants) {
        this.main = main;
        this.mutants = mutants;
        this.passed = createTempDirectory();
        this.callers = Executors.newFixedThreadPool(
                Math.toIntExact(Scale.of(1, 2L * Runtime.getRuntime().availableProcessors())));
    }

    private static Path createTempDirectory() {
        try {
            return Files.createTempDirectory("passed");
        } catch (IOException notCreated) {
            throw new AssertionError(notCreated);
        }
    }

    /** Judges what the standard input asks, until it ends or a trial fails, and halts: threads of faults may never end. */
    public static void serve(List<Mutant> mutants) {
        try {
            answerAll(mutants);
        } catch (Throwable failure) {
            failure.printStackTrace(System.out);
        } finally {
            System.out.flush();
            Runtime.getRuntime().halt(0);
        }
    }

    private static void answerAll(List<Mutant> mutants) throws Exception {
        Path passed = Path.of(System.getProperty(PASSED));
        BufferedReader questions = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String question = questions.readLine(); question != null; question = questions.readLine()) {
            List<String> words = List.of(question.split(" ", -1));
            Mutant mutant = mutants.get(Integer.parseInt(words.get(0)));
            List<String> tests = words.subList(1, words.size());
            String verdict = tests.isEmpty()
                    ? MutantTrial.of(mutant, mutant.firstSeed()).verdict()
                    : MutantTrial.firstToNotice(mutant, tests, passed);
            System.out.println("\n" + VERDICT + verdict);
        }
    }

    /** Returns the verdict of a mutant's judge, or an empty string if it has not detected it. */
    public Future<String> verdict(Mutant mutant) {
        return mutant.judge() == Mutant.Judge.TEST
                ? firstToNotice(mutant, List.of(mutant.proof()))
                : ask(mutant, Stream.of());
    }

    /** Returns the first of these tests that detects a mutant, or an empty string. */
    public Future<String> firstToNotice(Mutant mutant, List<String> tests) {
        return ask(mutant, tests.stream());
    }

    private Future<String> ask(Mutant mutant, Stream<String> tests) {
        String question = Stream.concat(Stream.of(Integer.toString(mutants.indexOf(mutant))), tests)
                .collect(Collectors.joining(" "));
        return callers.submit(() -> answer(question, mutant));
    }

    /** A JVM that ends, as after a trial that failed, does so for this mutant only. */
    private String answer(String question, Mutant mutant) throws IOException {
        try {
            return jvm.get().answer(question, mutant);
        } catch (IOException | AssertionError ended) {
            jvm.remove();
            throw ended;
        }
    }

    private Jvm start() {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(argument -> !argument.startsWith("-javaagent"))
                .forEach(command::add);
        command.add("-XX:TieredStopAtLevel=1");
        command.add("-Xmx1g"); // all of them together need less than a small machine has
        command.add("-Dproof.full=" + System.getProperty("proof.full"));
        command.add("-D" + PASSED + "=" + passed);
        command.add("-Dtest.jvm=trial-" + Thread.currentThread().getId());
        command.add(main.getName());
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
        try {
            Jvm jvm = new Jvm(builder.start());
            started.add(jvm);
            return jvm;
        } catch (IOException notStarted) {
            throw new AssertionError(notStarted);
        }
    }

    /** Waits for all answers, and ends the JVMs. */
    @Override
    public void close() {
        callers.shutdown();
        try {
            if (!callers.awaitTermination(1, TimeUnit.HOURS)) {
                throw new AssertionError("Trials take longer than an hour");
            }
        } catch (InterruptedException interrupt) {
            throw new AssertionError(interrupt);
        } finally {
            started.forEach(jvm -> jvm.process.destroyForcibly());
            deleteMarks();
        }
    }

    private void deleteMarks() {
        try (Stream<Path> marks = Files.list(passed)) {
            for (Path mark : marks.toList()) {
                Files.delete(mark);
            }
            Files.delete(passed);
        } catch (IOException inUse) {
            System.out.println("Not deleted: " + passed);
        }
    }

    private record Jvm(Process process, PrintStream questions, BufferedReader output) {

        Jvm(Process process) {
            this(
                    process,
                    new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8),
                    process.inputReader(StandardCharsets.UTF_8));
        }

        /** Passes on what else is printed. */
        String answer(String question, Mutant mutant) throws IOException {
            questions.println(question);
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                if (line.startsWith(VERDICT)) {
                    return line.substring(VERDICT.length());
                }
                if (!line.isEmpty()) {
                    System.out.println(line);
                }
            }
            throw new AssertionError("The JVM that judges '%s' ended".formatted(mutant));
        }
    }
}
