/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.coordination;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.dynamolock.InvalidSettingException;
import io.dynamolock.Lease;
import io.dynamolock.LockListener.Operation;
import io.dynamolock.LockManager;
import io.dynamolock.LockManagerClosedException;
import io.dynamolock.LockState.Status;
import io.dynamolock.LockStoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DistributedReadWriteLockTests {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final Cluster cluster = new Cluster();
    private final DistributedReadWriteLock here = DistributedReadWriteLock.of(cluster.locks, "map", 3);
    private final DistributedReadWriteLock there = DistributedReadWriteLock.of(cluster.another(), "map", 3);

    @AfterEach
    void close() {
        cluster.close();
    }

    @Test
    void manyReadOrOneWrites() {
        Lease one = here.read().tryAcquire().orElseThrow();
        Lease two = there.read().tryAcquire().orElseThrow();
        assertThat(there.write().tryAcquire()).isEmpty();
        one.close();
        assertThat(here.write().tryAcquire()).isEmpty();
        two.close();

        Lease writer = here.write().tryAcquire().orElseThrow();
        assertThat(there.read().tryAcquire()).isEmpty();
        assertThat(here.read().tryAcquire()).isEmpty();
        assertThat(there.write().tryAcquire()).isEmpty();
        assertThat(writer.leases())
                .extracting(Lease::name)
                .containsExactly("map#gate", "map#read#1", "map#read#2", "map#read#3");
        writer.close();

        assertThat(there.read().tryAcquire()).isPresent();
    }

    @Test
    void readersAreLimited() {
        for (int i = 0; i < 3; i++) {
            assertThat(here.read().tryAcquire()).isPresent();
        }

        assertThat(here.read().tryAcquire()).isEmpty();
        assertThat(there.read().tryAcquire()).isEmpty();
    }

    @Test
    void waitingWriterKeepsNewReadersOut() throws Exception {
        Lease reader = cluster.locks.acquire("map#read#1"); // the writer waits for it first, others stay free
        CompletableFuture<Optional<Lease>> writer =
                Background.run(() -> there.write().tryAcquire(MINUTE));
        Cluster.await(() -> cluster.locks.inspect("map#gate").status() == Status.HELD);

        assertThat(here.read().tryAcquire()).isEmpty();
        CompletableFuture<Optional<Lease>> later =
                Background.run(() -> here.read().tryAcquire(MINUTE));
        assertThat(writer).isNotDone();
        reader.close();

        Lease written = writer.get(10, TimeUnit.SECONDS).orElseThrow();
        assertThat(later).isNotDone();
        written.close();
        assertThat(later.get(10, TimeUnit.SECONDS)).isPresent();
        Cluster.await(() -> cluster.locks.inspect("map#gate").status() == Status.FREE);
    }

    @Test
    void writerKeepsPermitsWhileItWaits() throws Exception {
        Lease last = cluster.locks.acquire("map#read#3");
        CompletableFuture<Optional<Lease>> writer =
                Background.run(() -> there.write().tryAcquire(MINUTE));

        Cluster.await(() -> cluster.locks.inspect("map#read#2").status() == Status.HELD);
        cluster.forgetRequests();
        Cluster.await(() -> cluster.requests().size() > 20);
        assertThat(cluster.requests()).doesNotContain(Operation.RELEASE);
        assertThat(cluster.locks.inspect("map#read#1").owner()).startsWith("another");
        last.close();

        assertThat(writer.get(10, TimeUnit.SECONDS)).isPresent();
    }

    @Test
    void writerThatTimesOutReleasesEverything() throws Exception {
        Lease reader = here.read().tryAcquire().orElseThrow();

        assertThat(there.write().tryAcquire(Duration.ofMillis(20))).isEmpty();

        assertThat(cluster.locks.inspect("map#gate").status()).isEqualTo(Status.FREE);
        assertThat(here.read().tryAcquire()).isPresent();
        assertThat(there.read().tryAcquire()).isPresent();
        assertThat(reader.isHeld()).isTrue();
    }

    @Test
    void deadWriterAndDeadReadersAreReplaced() {
        assertThat(there.write().tryAcquire()).isPresent();
        cluster.clock.pauseProcess(Cluster.LEASE.plusSeconds(1));
        assertThat(here.read().tryAcquire()).isPresent();
        cluster.clock.pauseProcess(Cluster.LEASE.plusSeconds(1));
        assertThat(there.write().tryAcquire()).isPresent();
    }

    @Test
    void uncontendedCostIsAsDocumented() {
        here.read().tryAcquire().orElseThrow().close();
        cluster.forgetRequests();

        Lease reader = here.read().tryAcquire().orElseThrow();
        assertThat(cluster.requests()).containsExactly(Operation.READ, Operation.ACQUIRE);
        reader.close();
        cluster.forgetRequests();
        here.write().tryAcquire().orElseThrow().close();
        assertThat(cluster.requests()).hasSize(8).doesNotContain(Operation.READ);
    }

    @Test
    void anotherNumberOfReadersIsRejected() {
        assertThat(here.read().tryAcquire()).isPresent();
        DistributedReadWriteLock wrong = DistributedReadWriteLock.of(cluster.another(), "map", 5);

        assertThatIllegalStateException()
                .isThrownBy(() -> wrong.read().tryAcquire())
                .withMessageStartingWith("'map' is used with 5 readers, but its row says 3")
                .withMessageContaining("that use 'map' ")
                .withMessageContaining("forceFree(\"map#read#permits\")");
        assertThatIllegalStateException().isThrownBy(() -> wrong.write().tryAcquire());
        assertThatIllegalStateException().isThrownBy(() -> wrong.write().tryAcquire(MINUTE));
        assertThatIllegalStateException().isThrownBy(() -> wrong.read().tryAcquire(MINUTE));
        assertThatExceptionOfType(InvalidSettingException.class)
                .isThrownBy(() -> DistributedReadWriteLock.of(cluster.locks, "map", 0))
                .withMessageStartingWith("maxReaders must be between 1 and 1,000");
    }

    @Test
    void failureAndClosedManagerAreNeverBusy() {
        assertThat(here.read().tryAcquire()).isPresent();
        cluster.storeIsDown(true);
        assertThatExceptionOfType(LockStoreException.class)
                .isThrownBy(() -> here.read().tryAcquire());
        assertThatExceptionOfType(LockStoreException.class)
                .isThrownBy(() -> here.write().tryAcquire());
        cluster.storeIsDown(false);
        cluster.locks.close();
        assertThatExceptionOfType(LockManagerClosedException.class)
                .isThrownBy(() -> here.read().tryAcquire(MINUTE));
        assertThatExceptionOfType(LockManagerClosedException.class)
                .isThrownBy(() -> here.write().tryAcquire(MINUTE));
    }

    @Test
    void neverWriterWithOthersUnderContention() throws Exception {
        AtomicInteger readers = new AtomicInteger();
        AtomicInteger writers = new AtomicInteger();
        List<CompletableFuture<Integer>> users = new ArrayList<>();
        for (int user = 0; user < 6; user++) {
            DistributedReadWriteLock lock = user % 2 == 0 ? here : there;
            boolean writes = user < 2;
            users.add(Background.run(() -> {
                for (int i = 0; i < 20; i++) {
                    try (Lease lease =
                            writes ? lock.write().acquire() : lock.read().acquire()) {
                        AtomicInteger mine = writes ? writers : readers;
                        mine.incrementAndGet();
                        assertThat(writers.get() == 0 || (writers.get() == 1 && readers.get() == 0))
                                .isTrue();
                        Thread.sleep(1);
                        mine.decrementAndGet();
                        lease.ensureHeld();
                    }
                }
                return 20;
            }));
        }

        for (CompletableFuture<Integer> user : users) {
            assertThat(user.get(60, TimeUnit.SECONDS)).isEqualTo(20);
        }
    }

    @Test
    void withoutLockingAllIsLetThrough() throws Exception {
        DistributedReadWriteLock unlocked = DistributedReadWriteLock.of(LockManager.unlocked(), "map");

        assertThat(unlocked.write().acquire().isHeld()).isTrue();
        assertThat(unlocked.read().tryAcquire(MINUTE)).isPresent();
        assertThat(unlocked.write().tryAcquire()).isPresent();
    }
}
