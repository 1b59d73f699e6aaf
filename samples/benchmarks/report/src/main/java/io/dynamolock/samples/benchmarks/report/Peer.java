/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.benchmarks.report;

import java.awt.Color;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** The libraries, and the floor under them: each is a module with a class path of its own. */
enum Peer {
    FLOOR("floor", "worker", "worker.Floor", "dynamodb", new Color(0x9AA0A6)),
    SAME_REQUESTS("dynamolock's requests by hand", "worker", "worker.SameRequests", "dynamodb", new Color(0x5F6368)),
    DYNAMOLOCK("dynamolock", "dynamolock", "dynamolock.Dynamolock", "lock-core", new Color(0x1A73E8)),
    DYNAMOLOCK_CLIENT_FOR_LOCKS(
            "dynamolock, client for locks", "dynamolock", "dynamolock.Dynamolock", "lock-core", new Color(0x8AB4F8)),
    AWSLABS("awslabs", "awslabs", "awslabs.Awslabs", "dynamodb-lock-client", new Color(0xE8710A)),
    SHEDLOCK("ShedLock", "shedlock", "shedlock.ShedLock", "shedlock-provider-dynamodb2", new Color(0x188038)),
    SPRING_CLOUD_AWS(
            "Spring Cloud AWS",
            "spring-cloud-aws",
            "springcloudaws.SpringCloudAws",
            "spring-cloud-aws-dynamodb",
            new Color(0x9334E6));

    /** All of them, with clients that the SDK configures by default. */
    static final List<Peer> ALL = List.of(FLOOR, DYNAMOLOCK, AWSLABS, SHEDLOCK, SPRING_CLOUD_AWS);

    /** Those that show what this library adds, and what its requests cost anyway. */
    static final List<Peer> OVERHEAD = List.of(FLOOR, SAME_REQUESTS, DYNAMOLOCK, DYNAMOLOCK_CLIENT_FOR_LOCKS);

    /** Those that wait for a busy lock themselves. */
    static final List<Peer> WAITING = List.of(DYNAMOLOCK, AWSLABS, SPRING_CLOUD_AWS);

    /** Those with a heartbeat. */
    static final List<Peer> RENEWING = List.of(DYNAMOLOCK, AWSLABS);

    private static final String PACKAGE = "io.dynamolock.samples.benchmarks.";

    private final String label;
    private final String module;
    private final String mainClass;
    private final String artifact;
    private final Color color;

    Peer(String label, String module, String mainClass, String artifact, Color color) {
        this.label = label;
        this.module = module;
        this.mainClass = mainClass;
        this.artifact = artifact;
        this.color = color;
    }

    String label() {
        return label;
    }

    String module() {
        return module;
    }

    String mainClass() {
        return PACKAGE + mainClass;
    }

    Color color() {
        return color;
    }

    /** Whether the client itself retries, as the SDK does by default. */
    boolean hasRetries() {
        return this != DYNAMOLOCK_CLIENT_FOR_LOCKS && this != SAME_REQUESTS;
    }

    String table() {
        return "locks-" + name();
    }

    /** Returns the class path that Maven wrote. */
    String classPath(Options options) {
        return classPath(options, module);
    }

    static String classPath(Options options, String module) {
        Path build = options.buildFolderOf(module);
        try {
            return build.resolve("classes")
                    + File.pathSeparator
                    + Files.readString(build.resolve("class-path")).strip();
        } catch (IOException missing) {
            throw new UncheckedIOException("Module " + module + " is not built in profile \"benchmark\"", missing);
        }
    }

    /** Returns the name and version of the library, as its file has them. */
    String version(Options options) {
        return Pattern.compile("[/\\\\](" + artifact + "-\\d[^/\\\\]*)\\.jar")
                .matcher(classPath(options))
                .results()
                .map((MatchResult found) -> found.group(1))
                .findFirst()
                .orElse(artifact);
    }
}
