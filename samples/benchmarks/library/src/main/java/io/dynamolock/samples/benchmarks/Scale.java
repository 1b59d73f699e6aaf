/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.benchmarks;

import io.dynamolock.LockSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Computes the tables of SCALE.md from the library's defaults, and DynamoDB's prices and limits, and compares them with
 * what the benchmarks have measured.
 */
final class Scale {

    private static final LockSettings DEFAULTS = LockSettings.DEFAULTS;
    private static final Duration MONTH = Duration.ofHours(730);

    /** Dollars on demand in us-east-1. */
    private static final double MILLION_WRITES = 0.625;

    private static final double MILLION_READS = 0.125;

    /** Units per second of one partition, and so of one key. */
    private static final double WRITES_OF_PARTITION = 1_000;

    private static final double READS_OF_PARTITION = 3_000;

    /** A lookup reads with eventual consistency. */
    private static final double UNITS_OF_LOOKUP = 0.5;

    /** Acquire and release. */
    private static final int WRITES_OF_JOB = 2;

    private static final List<Integer> COUNTS = List.of(10, 1_000, 100_000);
    private static final List<Duration> LEASES =
            Stream.of(10, 30, 60, 300).map(Duration::ofSeconds).toList();
    private static final List<Duration> LATENCIES =
            Stream.of(5, 10, 25).map(Duration::ofMillis).toList();
    private static final List<Integer> NAMES_LOCKED_PER_SECOND = List.of(1, 100, 10_000);
    private static final List<Integer> WAITERS = List.of(1, 100, 10_000);

    private static final List<Measurement> MEASUREMENTS = List.of(
            new Measurement("10,000 held locks of one manager", 10_000, DEFAULTS.leaseDuration()),
            new Measurement("1,000 held locks, short leases, a slow network", 1_000, Duration.ofSeconds(5)));

    /** A scenario of the benchmarks, with its title in the report. */
    private record Measurement(String title, int locks, Duration lease) {

        /** Returns the medians of this library: locks kept, CPU, requests per second, heap per lock. */
        MatchResult in(String report) {
            String cell = " \\| ([\\d.,]+)(?: \\([^|]*\\))?";
            Matcher row = Pattern.compile("## " + title + "\n[^#]*\n\\| dynamolock" + cell.repeat(4) + " \\|")
                    .matcher(report);
            if (!row.find()) {
                throw new IllegalArgumentException("The report has no figures of dynamolock under \"" + title + '"');
            }
            return row.toMatchResult();
        }
    }

    private Scale() {}

    /**
     * Prints the tables.
     *
     * @param arguments the report of the benchmarks
     * @throws IOException if the report cannot be read
     */
    public static void main(String[] arguments) throws IOException {
        tables().forEach(System.out::println);
        System.out.println(measured(Files.readString(Path.of(arguments[0]))));
    }

    static List<String> tables() {
        return List.of(heldLocks(), leases(), processes(), shortJobs(), waiters());
    }

    /** Returns the writes that the benchmarks have measured, beside those that are computed. */
    static String measured(String report) {
        return table(
                List.of(
                        "held locks",
                        "lease, s",
                        "computed writes per second",
                        "measured",
                        "kept locks",
                        "cores",
                        "heap per lock, bytes"),
                MEASUREMENTS,
                each -> {
                    MatchResult medians = each.in(report);
                    return List.of(
                            number(each.locks()),
                            number(seconds(each.lease())),
                            number(renewalsPerSecond(each.locks(), each.lease())),
                            medians.group(3),
                            medians.group(1),
                            medians.group(2),
                            medians.group(4));
                });
    }

    private static String heldLocks() {
        return table(List.of("held locks", "writes per second", "$ per month", "partitions"), COUNTS, count -> {
            double writes = renewalsPerSecond(count, DEFAULTS.leaseDuration());
            return List.of(number(count), number(writes), dollars(writes, 0), partitions(writes));
        });
    }

    private static String leases() {
        return table(
                List.of(
                        "lease, s",
                        "heartbeat every, s",
                        "writes per second of 1,000 locks",
                        "$ per month",
                        "lock of a dead process is free after, s"),
                LEASES,
                lease -> {
                    double writes = renewalsPerSecond(1_000, lease);
                    return List.of(
                            number(seconds(lease)),
                            number(seconds(heartbeat(lease))),
                            number(writes),
                            dollars(writes, 0),
                            number(seconds(lease.plus(DEFAULTS.maxClockSkew()))));
                });
    }

    private static String processes() {
        return table(
                List.of("latency of DynamoDB, ms", "renewals per second of a process", "held locks of a process"),
                LATENCIES,
                latency -> {
                    double renewals = DEFAULTS.heartbeatThreads() / seconds(latency);
                    return List.of(
                            number(1_000 * seconds(latency)),
                            number(renewals),
                            number(renewals * seconds(heartbeat(DEFAULTS.leaseDuration()))));
                });
    }

    private static String shortJobs() {
        return table(
                List.of("jobs per second", "writes per second", "$ per month", "partitions"),
                NAMES_LOCKED_PER_SECOND,
                jobs -> {
                    double writes = jobs * WRITES_OF_JOB;
                    return List.of(number(jobs), number(writes), dollars(writes, 0), partitions(writes));
                });
    }

    private static String waiters() {
        return table(
                List.of(
                        "processes that wait for one lock",
                        "reads per second",
                        "$ per month",
                        "of what one key allows"),
                WAITERS,
                waiters -> {
                    double reads = waiters / (MEAN_GAP * seconds(DEFAULTS.pollMax()));
                    double units = reads * UNITS_OF_LOOKUP;
                    return List.of(
                            number(waiters),
                            number(reads),
                            dollars(0, units),
                            "%s %%".formatted(number(100 * units / READS_OF_PARTITION)));
                });
    }

    /** The mean time between two polls, as a part of the longest. */
    private static final double MEAN_GAP = 0.9;

    private static Duration heartbeat(Duration lease) {
        return LockSettings.builder().leaseDuration(lease).build().heartbeatIntervalFor(lease);
    }

    private static double renewalsPerSecond(int locks, Duration lease) {
        return locks / seconds(heartbeat(lease));
    }

    private static double seconds(Duration duration) {
        return duration.toMillis() / 1_000.0;
    }

    private static String dollars(double writesPerSecond, double readUnitsPerSecond) {
        double perSecond = (writesPerSecond * MILLION_WRITES + readUnitsPerSecond * MILLION_READS) / 1e6;
        return String.format(Locale.ROOT, "%,.2f", perSecond * MONTH.toSeconds());
    }

    /** Returns how many partitions these writes need at least if they are spread evenly. */
    private static String partitions(double writesPerSecond) {
        return number(Math.ceil(writesPerSecond / WRITES_OF_PARTITION));
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%,.3f", value).replaceFirst("\\.?0+$", "");
    }

    private static <T> String table(List<String> head, List<T> rows, Function<T, List<String>> cells) {
        return Stream.concat(
                        Stream.of(head, head.stream().map(any -> "---:").toList()),
                        rows.stream().map(cells))
                .map(row -> "| " + String.join(" | ", row) + " |\n")
                .collect(Collectors.joining());
    }
}
