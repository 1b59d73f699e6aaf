/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.coordination;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.Lease;
import io.dynamolock.LockListener.Operation;
import io.dynamolock.LockManager;
import io.dynamolock.LockRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Lock;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The table of costs in COORDINATION.md is what the requests are. */
class CoordinationCostTests {

    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final int NUMBER = 5;

    private final Cluster cluster = new Cluster();
    private final LockManager another = cluster.another();
    private final List<String> counted = new ArrayList<>();

    private interface Action {
        void run() throws Exception;
    }

    @AfterEach
    void close() {
        cluster.close();
    }

    @Test
    void tableIsCounted() throws Exception {
        countLocks();
        countPermits();
        countElection();
        countSwitch();
        countOnce();

        assertThat(counted).containsExactlyElementsOf(documented());
    }

    /** As the text below the table says. */
    @Test
    void singlePermitCostsNoRead() throws Exception {
        DistributedSemaphore single = DistributedSemaphore.of(cluster.locks, "single", 1);
        DistributedSemaphore other = DistributedSemaphore.of(another, "single", 1);
        other.acquire().close();
        single.acquire().close(); // learns the token that the other one has used

        count("free", () -> single.acquire().close());
        assertThat(other.tryAcquire()).isPresent();
        count("taken", () -> assertThat(single.tryAcquire()).isEmpty());

        assertThat(counted).containsExactly("free: 0 2", "taken: 0 1");
    }

    private static List<String> documented() throws Exception {
        return Pattern.compile("(?m)^\\| (`[^|]*) \\| ([^|]+) \\| ([^|]+) \\| ([^|]+) \\|$")
                .matcher(Files.readString(Path.of("COORDINATION.md")))
                .results()
                .map(row -> row.group(1) + " " + row.group(2) + ": " + value(row.group(3)) + " " + value(row.group(4)))
                .toList();
    }

    private static int value(String formula) {
        return switch (formula) {
            case "2k" -> 2 * 2;
            case "N - 2" -> NUMBER - 2;
            case "2N + 2" -> 2 * NUMBER + 2;
            default -> Integer.parseInt(formula);
        };
    }

    private void count(String row, Action action) throws Exception {
        cluster.forgetRequests();
        action.run();
        List<Operation> requests = cluster.requests();
        long reads = requests.stream().filter(Operation.READ::equals).count();
        counted.add(row + ": " + reads + " " + (requests.size() - reads));
    }

    private void countLocks() throws Exception {
        Lock lock = cluster.locks.asLock("lock");
        count("`asLock` lock and unlock", () -> {
            if (lock.tryLock()) {
                lock.unlock();
            }
        });
        MultiLock two = MultiLock.of(cluster.locks, List.of(LockRequest.of("a"), LockRequest.of("b")));
        count(
                "`MultiLock` acquire and release k locks",
                () -> two.tryAcquire().orElseThrow().close());
    }

    private void countPermits() throws Exception {
        DistributedSemaphore semaphore = fromFirstPermit(cluster.locks);
        DistributedSemaphore other = fromFirstPermit(another);
        semaphore.acquire().close();
        count(
                "`DistributedSemaphore` acquire and release a permit",
                () -> semaphore.acquire().close());
        for (int i = 0; i < NUMBER - 1; i++) {
            assertThat(other.tryAcquire()).isPresent();
        }
        count(
                "`DistributedSemaphore` acquire and release the last free permit of N, at most",
                () -> semaphore.acquire().close());
        assertThat(other.tryAcquire()).isPresent();
        count(
                "`DistributedSemaphore` attempt while all N permits are taken elsewhere",
                () -> assertThat(semaphore.tryAcquire()).isEmpty());
        DistributedReadWriteLock lock = DistributedReadWriteLock.of(cluster.locks, "map", NUMBER);
        lock.read().acquire().close();
        count(
                "`DistributedReadWriteLock` read and release",
                () -> lock.read().acquire().close());
        count("`DistributedReadWriteLock` write and release, N readers", () -> {
            Lease lease = lock.write().acquire();
            lease.close();
        });
    }

    private static DistributedSemaphore fromFirstPermit(LockManager locks) {
        return new DistributedSemaphore(locks, LockRequest.of("pool"), NUMBER, FutureAwaiter.ofThread(), bound -> 0);
    }

    private void countElection() throws Exception {
        LeaderElection election = LeaderElection.of(cluster.locks, "leader");
        count("`LeaderElection` elected, and stopped", () -> {
            election.start();
            Cluster.await(election::isLeader);
            election.stop();
        });
    }

    private void countSwitch() throws Exception {
        CircuitSwitch circuit = CircuitSwitch.of(cluster.locks, "circuit");
        CircuitSwitch other = CircuitSwitch.of(cluster.locks, "circuit");
        count("`CircuitSwitch` open", () -> circuit.open(MINUTE));
        count("`CircuitSwitch` open again", () -> circuit.open(MINUTE));
        count("`CircuitSwitch` close", circuit::close);
        count("`CircuitSwitch` close a closed one", circuit::close);
        count("`CircuitSwitch` isOpen", () -> assertThat(other.isOpen()).isFalse());
        count(
                "`CircuitSwitch` isOpen within a second",
                () -> assertThat(other.isOpen()).isFalse());
    }

    private void countOnce() throws Exception {
        Once once = Once.of(cluster.locks, "once");
        Once other = Once.of(cluster.locks, "once");
        count("`Once` run", () -> assertThat(once.run(() -> {})).isTrue());
        count("`Once` skip what is done", () -> assertThat(other.run(() -> {})).isFalse());
        count(
                "`Once` skip what this object knows to be done",
                () -> assertThat(other.run(() -> {})).isFalse());
    }
}
