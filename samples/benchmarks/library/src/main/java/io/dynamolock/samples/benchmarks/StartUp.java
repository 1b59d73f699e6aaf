/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.benchmarks;

import io.dynamolock.dynamodb.DynamoDbLockStore;
import io.dynamolock.samples.localdynamodb.LocalDynamoDbProcess;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * Measures how much longer an application that uses DynamoDB takes to start with the starter on its class path than
 * without it, on an existing table, and than with the {@link FloorStarter}. The three take turns, and each is compared
 * with the others of its round, so that the machine's drift does not count; the range is that of the middle half.
 */
final class StartUp {

    static final String RESULT = "started: ";
    static final String FLOOR = "--floor";
    static final String TABLE = "locks";

    private static final int ROUNDS = 21;
    private static final Pattern OURS = Pattern.compile("[/\\\\]lock-(core|spring-boot-\\w+)[/\\\\]");

    private record Start(long millis, long requests) {}

    private StartUp() {}

    /**
     * Runs the measurement.
     *
     * @param unused ignored
     * @throws Exception if an application does not start
     */
    public static void main(String[] unused) throws Exception {
        List<Start> without = new ArrayList<>();
        List<Start> floor = new ArrayList<>();
        List<Start> with = new ArrayList<>();
        try (LocalDynamoDbProcess dynamoDb = LocalDynamoDbProcess.start()) {
            createTable(dynamoDb.endpoint());
            for (int round = 0; round < ROUNDS; round++) {
                without.add(start(classPath(false), dynamoDb.endpoint()));
                floor.add(start(classPath(false), dynamoDb.endpoint(), FLOOR));
                with.add(start(classPath(true), dynamoDb.endpoint()));
            }
        }
        long[] more = differences(with, without);
        System.out.printf(
                "application startup, median of %d: %d ms without the starter, %d ms with it; of one round, %d to %d and in the median %d ms more, %d requests more%n",
                ROUNDS,
                median(without),
                median(with),
                more[ROUNDS / 4],
                more[ROUNDS - 1 - ROUNDS / 4],
                more[ROUNDS / 2],
                with.get(0).requests() - without.get(0).requests());
        System.out.printf(
                "the least of a starter (two properties, an advisor, and one DescribeTable): in the median %d ms%n",
                differences(floor, without)[ROUNDS / 2]);
    }

    /** Returns the differences within each round, in milliseconds, in ascending order. */
    private static long[] differences(List<Start> longer, List<Start> shorter) {
        return IntStream.range(0, ROUNDS)
                .mapToLong(
                        round -> longer.get(round).millis() - shorter.get(round).millis())
                .sorted()
                .toArray();
    }

    private static void createTable(URI endpoint) {
        try (DynamoDbClient client = DynamoDbClient.builder()
                .endpointOverride(endpoint)
                .region(Region.EU_WEST_1)
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("local", "local")))
                .build()) {
            DynamoDbLockStore.builder(client).tableName(TABLE).build().table().createIfMissing(Duration.ofMinutes(1));
        }
    }

    private static String classPath(boolean withLocks) {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(place -> withLocks || !OURS.matcher(place).find())
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static Start start(String classPath, URI endpoint, String... options)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                ProcessHandle.current().info().command().orElse("java"),
                "-cp",
                classPath,
                StartedApplication.class.getName(),
                "--endpoint=" + endpoint,
                "--dynamolock.table.name=" + TABLE,
                "--spring.main.banner-mode=off"));
        command.addAll(List.of(options));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        List<String> output;
        try (BufferedReader reader = process.inputReader()) {
            output = reader.lines().toList();
        }
        process.waitFor();
        String[] result = output.stream()
                .filter(line -> line.startsWith(RESULT))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(String.join("\n", output)))
                .substring(RESULT.length())
                .split(" ", -1);
        return new Start(Long.parseLong(result[0]), Long.parseLong(result[1]));
    }

    private static long median(List<Start> starts) {
        return starts.stream().mapToLong(Start::millis).sorted().toArray()[starts.size() / 2];
    }
}
