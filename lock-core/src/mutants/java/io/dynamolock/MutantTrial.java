/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.CancellationToken;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestExecutionResult.Status;
import org.junit.platform.launcher.EngineFilter;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherExecutionRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * The result of judging a mutant.
 *
 * @param verdict the invariant that detected it; empty if none did
 * @param effort number of histories or states needed
 */
public record MutantTrial(String verdict, long effort) {

    private static final int MAX_HISTORIES = 10_000;
    private static final int ATTEMPTS = 3;
    private static final String IN_SCOPE = " in scope: ";

    /** Runs the search that judges a mutant, without logging. */
    static MutantTrial of(Mutant mutant, long firstSeed) {
        return SimQuiet.quietly(() -> {
            try (MutantClasses classes = MutantClasses.of(mutant)) {
                return searched(classes, mutant, firstSeed);
            } catch (Exception notJudged) {
                throw new AssertionError(notJudged);
            }
        });
    }

    private static MutantTrial searched(MutantClasses classes, Mutant mutant, long firstSeed) throws Exception {
        return switch (mutant.judge()) {
            case EXPLORER -> explored(classes, mutant.proof());
            case TEST -> throw new IllegalArgumentException(mutant + " is judged by a test");
            case SIMULATION -> simulated(classes, "", mutant, firstSeed);
            default -> simulated(classes, mutant.judge().name(), mutant, firstSeed);
        };
    }

    /** Fails unless the source has, exactly once, each text that the mutant replaces. */
    public static void requireSource(Mutant mutant) throws IOException {
        MutantClasses.sourcesOf(mutant);
    }

    private static MutantTrial simulated(MutantClasses classes, String time, Mutant mutant, long firstSeed)
            throws Exception {
        Method run = method(classes, "SimRun", "run", long.class, int.class, String.class, int.class);
        int invariant = Integer.parseInt(mutant.proof().substring("invariant ".length()));
        long[] result = (long[]) call(run, firstSeed, MAX_HISTORIES, time, invariant);
        if (result[1] < 0) {
            return new MutantTrial("", result[0]);
        }
        requireUnbrokenWithout(mutant, result[2], time);
        return new MutantTrial("invariant " + result[1], result[0]);
    }

    /** Fails if the history that detects a mutant breaks a promise of the unchanged library, too. */
    private static void requireUnbrokenWithout(Mutant mutant, long seed, String time) {
        long[] unchanged = SimRun.run(seed, 1, time, 0);
        if (unchanged[1] >= 0) {
            throw new AssertionError("Seed %d, which detects '%s', breaks invariant %d of the unchanged library"
                    .formatted(seed, mutant.fault(), unchanged[1]));
        }
    }

    private static MutantTrial explored(MutantClasses classes, String proof) throws Exception {
        String scope = proof.substring(proof.indexOf(IN_SCOPE) + IN_SCOPE.length());
        long[] states = new long[1];
        Method explore = method(classes, "ModelChecker", "explore", String.class, LongConsumer.class);
        Object violation = call(explore, scope, (LongConsumer) worlds -> states[0] = worlds);
        return new MutantTrial(
                violation == null ? "" : "invariant " + violation.toString().charAt(0) + IN_SCOPE + scope, states[0]);
    }

    /**
     * A test detects a mutant only if it passes on the unchanged library. Some mutants leave threads behind, whose logs
     * can disturb a later test of this JVM: it is run again. If it passes only then, its results are random, or were
     * disturbed: it must fail on the mutant again.
     */
    private static boolean isNoticed(MutantClasses classes, String test, Path mark) throws Exception {
        if (run(classes, test).failed == 0) {
            return false;
        }
        for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
            if (passesUnchanged(test, mark)) {
                return attempt == 1 || run(classes, test).failed > 0;
            }
        }
        return false;
    }

    private static boolean passesUnchanged(String test, Path mark) throws Exception {
        if (Files.exists(mark)) {
            return true;
        }
        try (MutantClasses unchanged = MutantClasses.unchanged()) {
            Tally tally = run(unchanged, test);
            if (tally.failed == 0 && tally.succeeded > 0) {
                Files.write(mark, new byte[0]);
                return true;
            }
            System.out.printf("%s fails on the unchanged library: %s%n", test, tally.failure);
            return false;
        }
    }

    /**
     * Returns the first of these tests that detects a mutant, or an empty string.
     *
     * @param passed a folder with a file for each test that has passed on the unchanged library
     */
    static String firstToNotice(Mutant mutant, List<String> tests, Path passed) throws Exception {
        try (MutantClasses classes = MutantClasses.of(mutant)) {
            for (String test : tests) {
                if (isNoticed(classes, test, passed.resolve(test))) {
                    return test;
                }
            }
            return "";
        }
    }

    private static Tally run(MutantClasses classes, String test) throws Exception {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(classes);
        try {
            int dot = test.lastIndexOf('.');
            Class<?> type = classes.loadClass("io.dynamolock." + test.substring(0, dot));
            LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                    .selectors(selectMethod(type, named(type, test.substring(dot + 1))))
                    .filters(EngineFilter.includeEngines("junit-jupiter"))
                    .build();
            CancellationToken noMore = CancellationToken.create();
            Tally tally = new Tally(noMore);
            LauncherFactory.create()
                    .execute(LauncherExecutionRequestBuilder.request(request)
                            .listeners(tally)
                            .cancellationToken(noMore)
                            .build());
            return tally;
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    /** Counts results until one test has failed. */
    private static final class Tally implements TestExecutionListener {

        private final CancellationToken noMore;
        private int succeeded;
        private int failed;
        private @Nullable Throwable failure;

        Tally(CancellationToken noMore) {
            this.noMore = noMore;
        }

        @Override
        public void executionFinished(TestIdentifier test, TestExecutionResult result) {
            if (result.getStatus() == Status.FAILED) {
                failed++;
                failure = result.getThrowable().orElse(null);
                noMore.cancel();
            } else if (test.isTest() && result.getStatus() == Status.SUCCESSFUL) {
                succeeded++;
            }
        }
    }

    private static Method named(Class<?> type, String name) {
        return Stream.of(type.getDeclaredMethods(), type.getMethods())
                .flatMap(Stream::of)
                .filter(method -> method.getName().equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError("There is no test " + name + " in " + type));
    }

    private static Method method(MutantClasses classes, String type, String name, Class<?>... parameters)
            throws Exception {
        Method method = classes.loadClass("io.dynamolock." + type).getDeclaredMethod(name, parameters);
        method.setAccessible(true);
        return method;
    }

    private static Object call(Method method, Object... arguments) throws Exception {
        try {
            return method.invoke(null, arguments);
        } catch (InvocationTargetException thrown) {
            throw thrown.getCause() instanceof Exception cause ? cause : thrown;
        }
    }
}
