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
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * JVMs in which tests judge mutants in parallel. Such a test mostly waits for what the fault prevents; in one JVM,
 * tests that run at the same time would see each other's logs and threads.
 */
public final class TrialJvms implements AutoCloseable {

    private static final String VERDICT = "verdict: ";

    private final Class<?> main;
    private final List<Mutant> mutants;
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
        this.callers = Executors.newFixedThreadPool(2 * Runtime.getRuntime().availableProcessors());
    }

    /** Judges what the standard input asks, until it ends. */
    public static void serve(List<Mutant> mutants) throws Exception {
        BufferedReader questions = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String question = questions.readLine(); question != null; question = questions.readLine()) {
            List<String> words = List.of(question.split(" ", -1));
            Mutant mutant = mutants.get(Integer.parseInt(words.get(0)));
            List<String> tests = words.subList(1, words.size());
            System.out.println("\n" + VERDICT + MutantTrial.firstToNotice(mutant, tests));
        }
        System.exit(0);
    }

    /** Returns the first of these tests that detects a mutant, or an empty string. */
    public Future<String> firstToNotice(Mutant mutant, List<String> tests) {
        String question = mutants.indexOf(mutant) + " " + String.join(" ", tests);
        return callers.submit(() -> jvm.get().answer(question, mutant));
    }

    private Jvm start() {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(argument -> !argument.startsWith("-javaagent"))
                .forEach(command::add);
        command.add("-Dproof.full=" + System.getProperty("proof.full"));
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
