/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import io.dynamolock.Lease;
import io.dynamolock.LeaseLostException;
import io.dynamolock.LeaseTime;
import io.dynamolock.LeaseToken;
import io.dynamolock.LockListener;
import io.dynamolock.LockManager;
import io.dynamolock.LockManagerBuilder;
import io.dynamolock.LockRequest;
import io.dynamolock.LockSettings;
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
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** Main class of a JVM that {@link ChildJvm} starts: reads commands line by line and prints their results. */
final class ChildProcess {

    /** Wall clocks: all processes run on one machine. */
    static final Duration SKEW = Duration.ofMillis(100);

    /** The store's time. */
    static final Duration STORE_SKEW = LockSettings.DEFAULTS.maxClockSkew();

    private final BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    private final FaultyHttpClient http = new FaultyHttpClient(LocalDynamoDb.newHttpClient());
    private final DynamoDbLockStore store;
    private final Duration lease;
    private final LeaseTime time;
    private final LockManager locks;
    private final AtomicInteger retries = new AtomicInteger();
    private volatile Duration clockWidth = Duration.ZERO;
    private @Nullable Lease held;

    private ChildProcess(URI endpoint, String table, Duration lease, LeaseTime time) {
        DynamoDbClient client =
                LocalDynamoDb.newClient(endpoint).httpClient(http).build();
        this.store = DynamoDbLockStore.builder(client).tableName(table).build();
        this.lease = lease;
        this.time = time;
        this.locks = settings().build();
    }

    private LockManagerBuilder settings() {
        return LockManager.builder(store)
                .time(time)
                .maxClockSkew(time == LeaseTime.SYSTEM ? SKEW : STORE_SKEW)
                .leaseDuration(lease)
                .listener(new LockListener() {
                    @Override
                    public void onClockSample(Duration skew, Duration width) {
                        clockWidth = width;
                    }

                    @Override
                    public void onRetry(String name, Operation operation, Throwable failure) {
                        retries.incrementAndGet();
                    }

                    @Override
                    public void onRenewed(Lease renewed, Duration took) {
                        print(ChildJvm.RENEWED + renewed.expiresAt().toEpochMilli());
                    }
                });
    }

    public static void main(String[] args) throws Exception {
        ChildProcess process = new ChildProcess(
                URI.create(args[0]), args[1], Duration.ofMillis(Long.parseLong(args[2])), LeaseTime.valueOf(args[3]));
        process.warmUp();
        process.say("ready");
        process.obey();
        System.exit(0);
    }

    /** Warms up as applications do: the first request of a cold client takes seconds, too long for a short lease. */
    private void warmUp() throws Exception {
        store.table().createIfMissing(Duration.ofSeconds(30));
        String name = "warm-up-" + ProcessHandle.current().pid();
        LockRequest longLease = LockRequest.of(name).leaseDuration(LockSettings.DEFAULTS.leaseDuration());
        locks.tryCall(longLease, () -> name);
        http.forget();
        retries.set(0);
    }

    private void obey() throws Exception {
        for (String order = orders.readLine(); order != null; order = orders.readLine()) {
            String[] words = order.split(" ", -1);
            switch (words[0]) {
                case "try" -> say(tryOnce(words[1]));
                case "wait" -> say(waitFor(words[1]));
                case "talk" -> talkFor(Duration.ofMillis(Long.parseLong(words[1])));
                case "clock" -> say("clock " + System.currentTimeMillis());
                case "width" -> say("width " + clockWidth.toMillis());
                case "hold" -> hold(words[1]);
                case "release" -> say("release " + Objects.requireNonNull(held).release());
                case "resume" -> resume(words[1]);
                case "count" -> say(count(words[1], Path.of(words[2]), Integer.parseInt(words[3])));
                default -> throw new IllegalArgumentException(order);
            }
        }
    }

    /** Tries to acquire a lock; attempts that a stalled machine let time out are not counted. */
    private String tryOnce(String lock) {
        return locks.tryAcquire(lock)
                .map(lease -> "token " + lease.fencingToken() + " requests "
                        + (http.attempts().size() - retries.get()))
                .orElse("busy");
    }

    private String waitFor(String lock) throws InterruptedException {
        Lease lease = locks.acquire(LockRequest.of(lock).waitTime(Duration.ofMinutes(1)));
        return "token " + lease.fencingToken();
    }

    /** Sends many requests like a busy process, which narrows its clock interval. */
    private void talkFor(Duration duration) {
        long end = System.nanoTime() + duration.toNanos();
        while (System.nanoTime() - end < 0) {
            locks.inspect("talk");
            LockSupport.parkNanos(10_000_000);
        }
        say("talked");
    }

    /** Holds a lock, and prints its lease state after a pause of a whole lease. */
    private void hold(String lock) {
        Lease taken = locks.tryAcquire(lock).orElseThrow();
        held = taken;
        taken.onLost(lost -> say("lost " + lost.reason() + " " + lost.newHolder()));
        Thread detectPauses = new Thread(() -> detectPauses(taken));
        detectPauses.setDaemon(true);
        detectPauses.start();
        say("token " + taken.fencingToken());
    }

    /** Resumes a lease that another process detached, until the command to release it. */
    private void resume(String token) {
        try {
            Lease resumed = locks.resume(LeaseToken.parse(token));
            held = resumed;
            resumed.renew();
            say("token " + resumed.fencingToken() + " " + resumed.id());
        } catch (LeaseLostException rejected) {
            say("rejected " + rejected);
        }
    }

    private void detectPauses(Lease taken) {
        long last = System.nanoTime();
        while (true) {
            LockSupport.parkNanos(100_000);
            long now = System.nanoTime();
            boolean first = taken.isHeld();
            if (now - last > lease.toNanos()) {
                say("woke " + first);
            }
            last = now;
        }
    }

    /** Increments a number in a file from eight threads, guarded by the lock only; a stalled machine may be slow. */
    private String count(String lock, Path folder, int times) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(8);
        List<Future<?>> work = new ArrayList<>();
        try (LockManager fastPolling = settings()
                .leaseDuration(Duration.ofMinutes(1))
                .attemptTimeout(Duration.ofSeconds(20))
                .callTimeout(Duration.ofSeconds(50))
                .pollMin(Duration.ofMillis(5))
                .pollMax(Duration.ofMillis(20))
                .build()) {
            for (int thread = 0; thread < 8; thread++) {
                work.add(threads.submit(() -> {
                    for (int i = 0; i < times; i++) {
                        LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(20_000_000));
                        addOne(fastPolling, lock, folder);
                    }
                    return null;
                }));
            }
            for (Future<?> one : work) {
                one.get(1, TimeUnit.MINUTES);
            }
        }
        return "counted";
    }

    private static void addOne(LockManager locks, String lock, Path folder) throws InterruptedException, IOException {
        Path counter = folder.resolve("counter");
        try (Lease lease = locks.acquire(LockRequest.of(lock).waitTime(Duration.ofMinutes(1)))) {
            long before = Long.parseLong(Files.readString(counter));
            LockSupport.parkNanos(500_000);
            Files.writeString(counter, Long.toString(before + 1));
            String entry = lease.fencingToken() + " " + ProcessHandle.current().pid() + "\n";
            Files.writeString(folder.resolve("journal"), entry, StandardOpenOption.APPEND);
        }
    }

    private void say(String text) {
        print(ChildJvm.SAYS + text);
    }

    private synchronized void print(String line) {
        System.out.println(line);
        System.out.flush();
    }
}
