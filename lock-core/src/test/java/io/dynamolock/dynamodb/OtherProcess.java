/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import io.dynamolock.Lease;
import io.dynamolock.LeaseLostException;
import io.dynamolock.LeaseTime;
import io.dynamolock.LeaseToken;
import io.dynamolock.LockManager;
import io.dynamolock.LockRequest;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** What runs in another JVM, which {@link OtherJvm} starts: it is told what to do line by line, and says what came of it. */
final class OtherProcess {

    static final Duration SKEW = Duration.ofMillis(100);

    private final BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    private final FaultyHttpClient http = new FaultyHttpClient(LocalDynamoDb.newHttpClient());
    private final LockManager locks;

    private OtherProcess(URI endpoint, String table, Duration lease, LeaseTime time, Duration skew) {
        DynamoDbClient client =
                LocalDynamoDb.newClient(endpoint).httpClient(http).build();
        this.locks = LockManager.builder(
                        DynamoDbLockStore.builder(client).tableName(table).build())
                .time(time)
                .maxClockSkew(skew)
                .pollMin(Duration.ofMillis(5))
                .pollMax(Duration.ofMillis(20))
                .leaseDuration(lease)
                .build();
    }

    public static void main(String[] args) throws Exception {
        Duration lease = Duration.ofMillis(Long.parseLong(args[2]));
        LeaseTime time = LeaseTime.valueOf(args[3]);
        Duration skew = Duration.ofMillis(Long.parseLong(args[4]));
        OtherProcess process = new OtherProcess(URI.create(args[0]), args[1], lease, time, skew);
        process.locks.inspect("warm-up");
        process.http.forget();
        process.say("ready");
        process.obey(lease);
        System.exit(0);
    }

    private void obey(Duration lease) throws Exception {
        for (String order = orders.readLine(); order != null; order = orders.readLine()) {
            String[] words = order.split(" ", -1);
            switch (words[0]) {
                case "try" -> say(tryOnce(words[1]));
                case "wait" -> say(waitFor(words[1]));
                case "clock" -> say("clock " + System.currentTimeMillis());
                case "hold" -> hold(words[1], lease);
                case "resume" -> resume(words[1]);
                case "count" -> say(count(words[1], Path.of(words[2]), Integer.parseInt(words[3])));
                default -> throw new IllegalArgumentException(order);
            }
        }
    }

    private String tryOnce(String lock) {
        return locks.tryAcquire(lock)
                .map(lease -> "token " + lease.fencingToken() + " requests "
                        + http.attempts().size())
                .orElse("busy");
    }

    private String waitFor(String lock) throws InterruptedException {
        return "token "
                + locks.acquire(LockRequest.of(lock).waitTime(Duration.ofMinutes(1)))
                        .fencingToken();
    }

    /** Holds a lock, and says what it believes when it wakes from a pause of a whole lease. */
    private void hold(String lock, Duration lease) throws IOException {
        Lease held = locks.tryAcquire(lock).orElseThrow();
        held.onLost(lost -> say("lost " + lost.reason() + " " + lost.newHolder()));
        Thread watch = new Thread(() -> watch(held, lease));
        watch.setDaemon(true);
        watch.start();
        say("token " + held.fencingToken());
        if ("release".equals(orders.readLine())) {
            say("release " + held.release());
        }
    }

    /** Carries on what another process detached, until it is told to release it. */
    private void resume(String token) throws IOException {
        try {
            Lease held = locks.resume(LeaseToken.parse(token));
            held.renew();
            say("token " + held.fencingToken() + " " + held.id());
            if ("release".equals(orders.readLine())) {
                say("release " + held.release());
            }
        } catch (LeaseLostException refused) {
            say("refused " + refused);
        }
    }

    private void watch(Lease held, Duration lease) {
        long last = System.nanoTime();
        while (true) {
            LockSupport.parkNanos(100_000);
            long now = System.nanoTime();
            boolean first = held.isHeld();
            if (now - last > lease.toNanos()) {
                say("woke " + first);
            }
            last = now;
        }
    }

    /** Adds to a number in a file from eight threads, with nothing but the lock between them and all the others. */
    private String count(String lock, Path folder, int times) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(8);
        List<Future<?>> work = new ArrayList<>();
        for (int thread = 0; thread < 8; thread++) {
            work.add(threads.submit(() -> {
                for (int i = 0; i < times; i++) {
                    LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(20_000_000));
                    addOne(lock, folder);
                }
                return null;
            }));
        }
        for (Future<?> one : work) {
            one.get(1, TimeUnit.MINUTES);
        }
        return "counted";
    }

    private void addOne(String lock, Path folder) throws InterruptedException, IOException {
        Path counter = folder.resolve("counter");
        try (Lease lease = locks.acquire(LockRequest.of(lock).waitTime(Duration.ofMinutes(1)))) {
            long before = Long.parseLong(Files.readString(counter));
            LockSupport.parkNanos(500_000);
            Files.writeString(counter, Long.toString(before + 1));
            String entry = lease.fencingToken() + " " + ProcessHandle.current().pid() + "\n";
            Files.writeString(folder.resolve("journal"), entry, StandardOpenOption.APPEND);
        }
    }

    private synchronized void say(String text) {
        System.out.println(OtherJvm.SAYS + text);
        System.out.flush();
    }
}
