/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.benchmarks.report;

import io.dynamolock.samples.benchmarks.worker.Worker;
import io.dynamolock.samples.localdynamodb.Main;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** DynamoDB Local in a process of its own, fresh for each scenario, and the processes under test. */
final class Lab implements AutoCloseable {

    private static final Pattern ADDRESS = Pattern.compile("http://localhost:(\\d+)");
    private static final Duration LONGEST = Duration.ofMinutes(10);
    private static final String LEASE = "lease=";
    private static final String THIS_JAVA = System.getProperty("java.home");

    private final Options options;
    private final Jvm dynamoDb;
    private final int port;
    private final Network network;
    private final Set<Peer> tables = EnumSet.noneOf(Peer.class);

    Lab(Options options) throws IOException, InterruptedException {
        this.options = options;
        this.dynamoDb = Jvm.start(
                THIS_JAVA,
                System.getProperty("java.class.path"),
                List.of(
                        "--enable-native-access=ALL-UNNAMED",
                        "-Dlogback.configurationFile=io/dynamolock/samples/localdynamodb/logback.xml"),
                Main.class.getName(),
                List.of("0", "--until-input-ends"));
        Matcher address = ADDRESS.matcher(dynamoDb.await("http://localhost:", Duration.ofMinutes(1)));
        if (!address.find()) {
            throw new IllegalStateException("DynamoDB Local printed no port");
        }
        this.port = Integer.parseInt(address.group(1));
        this.network = new Network(port);
    }

    Options options() {
        return options;
    }

    /** Starts a process: the name of a scenario, and arguments {@code key=value}. */
    Jvm start(Peer peer, String scenario, String... arguments) throws IOException, InterruptedException {
        return startOn(THIS_JAVA, peer, scenario, arguments);
    }

    /** Starts a process on a certain JDK. */
    Jvm startOn(String javaHome, Peer peer, String scenario, String... arguments)
            throws IOException, InterruptedException {
        createTable(peer);
        return process(javaHome, port, peer, scenario, arguments);
    }

    /** Starts a process whose requests and responses pass a network. */
    Jvm startBehind(Network.Behavior behavior, Peer peer, String scenario, String... arguments)
            throws IOException, InterruptedException {
        createTable(peer);
        network.set(behavior);
        return process(THIS_JAVA, network.port(), peer, scenario, arguments);
    }

    private void createTable(Peer peer) throws IOException, InterruptedException {
        if (tables.add(peer)) {
            try (Jvm creator = process(THIS_JAVA, port, peer, Worker.CREATE_TABLE)) {
                creator.await(Worker.RESULT, LONGEST);
            }
        }
    }

    private Jvm process(String javaHome, int at, Peer peer, String scenario, String... arguments) throws IOException {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.add("scenario=" + scenario);
        all.add("endpoint=http://localhost:" + at);
        all.add("table=" + peer.table());
        all.add("retries=" + peer.hasRetries());
        if (all.stream().noneMatch(argument -> argument.startsWith(LEASE))) {
            all.add(LEASE + 30);
        }
        return Jvm.start(javaHome, peer.classPath(options), List.of("-Xmx2g"), peer.mainClass(), all);
    }

    static void awaitReady(Jvm process) throws InterruptedException {
        process.await(Worker.READY, LONGEST);
    }

    static void letGo(Jvm process) {
        process.send(Worker.GO);
    }

    static Sample result(Jvm process) throws InterruptedException {
        return Sample.parse(process.await(Worker.RESULT, LONGEST).substring(Worker.RESULT.length()));
    }

    /** Returns the only result of a process, which need not wait for others. */
    static Sample resultOf(Jvm started) throws InterruptedException {
        try (started) {
            letGo(started);
            return result(started);
        }
    }

    @Override
    public void close() {
        network.close();
        dynamoDb.close();
    }
}
