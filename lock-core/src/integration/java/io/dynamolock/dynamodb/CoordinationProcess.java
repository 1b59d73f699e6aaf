/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import io.dynamolock.Lease;
import io.dynamolock.LockListener;
import io.dynamolock.LockManager;
import io.dynamolock.LockRequest;
import io.dynamolock.LockSettings;
import io.dynamolock.coordination.Acquirable;
import io.dynamolock.coordination.DistributedReadWriteLock;
import io.dynamolock.coordination.DistributedSemaphore;
import io.dynamolock.coordination.LeaderElection;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Main class of a JVM that uses what is built on locks, on command. */
final class CoordinationProcess {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    private final LockManager locks;

    private CoordinationProcess(URI endpoint, String table, Duration lease) throws Exception {
        DynamoDbLockStore store = DynamoDbLockStore.builder(
                        LocalDynamoDb.newClient(endpoint).build())
                .tableName(table)
                .build();
        store.table().createIfMissing(Duration.ofSeconds(30));
        this.locks = LockManager.builder(store)
                .leaseDuration(lease)
                .pollMin(Duration.ofMillis(5))
                .pollMax(Duration.ofMillis(50))
                .listener(new LockListener() {
                    @Override
                    public void onRenewed(Lease renewed, Duration took) {
                        print(ChildJvm.RENEWED + renewed.expiresAt().toEpochMilli());
                    }
                })
                .build();
        String warmUp = "warm-up-" + ProcessHandle.current().pid();
        locks.tryCall(LockRequest.of(warmUp).leaseDuration(LockSettings.DEFAULTS.leaseDuration()), () -> warmUp);
    }

    public static void main(String[] args) throws Exception {
        CoordinationProcess process =
                new CoordinationProcess(URI.create(args[0]), args[1], Duration.ofMillis(Long.parseLong(args[2])));
        say("ready");
        process.obey();
        System.exit(0);
    }

    private void obey() throws Exception {
        for (String order = orders.readLine(); order != null; order = orders.readLine()) {
            String[] words = order.split(" ", -1);
            switch (words[0]) {
                case "permit" ->
                    say("token " + semaphore().tryAcquire(MINUTE).orElseThrow().fencingToken());
                case "permits" -> {
                    count(semaphore(), 1, Path.of(words[1]), 15);
                    say("counted");
                }
                case "readAndWrite" -> {
                    DistributedReadWriteLock lock = DistributedReadWriteLock.of(locks, "map", 3);
                    Thread writer = new Thread(() -> count(lock.write(), 1_000, Path.of(words[1]), 5));
                    writer.start();
                    count(lock.read(), 1, Path.of(words[1]), 15);
                    writer.join();
                    say("counted");
                }
                case "lead" -> lead();
                default -> throw new IllegalArgumentException(order);
            }
        }
    }

    private DistributedSemaphore semaphore() {
        return DistributedSemaphore.of(locks, "pool", 2);
    }

    private void lead() {
        LeaderElection.of(locks, "leader")
                .onElected(lease -> say("token " + lease.fencingToken()))
                .onRevoked(() -> say("revoked"))
                .start();
        say("campaigns");
    }

    /** Adds a number to a file while it holds a lease, and subtracts it again, from three threads. */
    private static void count(Acquirable acquirable, int weight, Path file, int times) {
        ExecutorService threads = Executors.newFixedThreadPool(3);
        try {
            List<Future<?>> work = new ArrayList<>();
            for (int thread = 0; thread < (weight == 1 ? 3 : 1); thread++) {
                work.add(threads.submit(() -> {
                    for (int i = 0; i < times; i++) {
                        try (Lease lease = acquirable.tryAcquire(MINUTE).orElseThrow()) {
                            add(file, weight);
                            LockSupport.parkNanos(2_000_000);
                            add(file, -weight);
                            lease.ensureHeld();
                        }
                    }
                    return null;
                }));
            }
            for (Future<?> one : work) {
                one.get(2, TimeUnit.MINUTES);
            }
        } catch (Exception failure) {
            say("failed " + failure);
        } finally {
            threads.shutdown();
        }
    }

    /** The file has the sum now and each sum that there was. */
    private static synchronized void add(Path file, int number) throws IOException {
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE)) {
            var unused = channel.lock(); // until the channel is closed
            ByteBuffer sum = ByteBuffer.allocate(4);
            int before = channel.read(sum, 0) == 4 ? sum.getInt(0) : 0;
            channel.write(ByteBuffer.allocate(4).putInt(0, before + number), 0);
            channel.write(ByteBuffer.allocate(4).putInt(0, before + number), Math.max(4, channel.size()));
        }
    }

    private static void say(String text) {
        print(ChildJvm.SAYS + text);
    }

    private static synchronized void print(String line) {
        System.out.println(line);
        System.out.flush();
    }
}
