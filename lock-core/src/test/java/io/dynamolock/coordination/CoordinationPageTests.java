/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.coordination;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.Lease;
import io.dynamolock.LockManager;
import io.dynamolock.LockRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.Lock;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** COORDINATION.md shows code of this file, which is compiled and run. */
class CoordinationPageTests {

    private static final Path SOURCE = Path.of("src/test/java/io/dynamolock/coordination/CoordinationPageTests.java");
    private static final Pattern EXAMPLE =
            Pattern.compile("// tag::(\\w+)\\[]\\R(.*?)\\h*// end::\\1\\[]", Pattern.DOTALL);
    private static final Pattern SHOWN = Pattern.compile("```java\\R(.*?)```", Pattern.DOTALL);

    private final Cluster cluster = new Cluster();
    private final LockManager locks = cluster.locks;
    private final LockManager another = cluster.another();
    private final List<String> done = new CopyOnWriteArrayList<>();
    private final Scheduler scheduler = new Scheduler();

    private static final class PartnerDownException extends RuntimeException {}

    private final class Scheduler {

        void resume() {
            done.add("resumed");
        }

        void pause() {
            done.add("paused");
        }

        void step() {
            done.add("step");
        }
    }

    @AfterEach
    void close() {
        cluster.close();
    }

    @Test
    void pageShowsTheTestedCode() throws IOException {
        List<String> examples = EXAMPLE.matcher(Files.readString(SOURCE))
                .results()
                .map((MatchResult example) -> withoutLineBreaks(example.group(2)))
                .toList();
        List<String> shown = SHOWN.matcher(Files.readString(Path.of("COORDINATION.md")))
                .results()
                .map((MatchResult code) -> withoutLineBreaks(code.group(1)))
                .toList();

        assertThat(shown).isEqualTo(examples).hasSize(8);
    }

    private static String withoutLineBreaks(String code) {
        return code.replaceAll("\\s+", "");
    }

    @Test
    void lockExcludesOthers() {
        // tag::lock[]
        Lock lock = locks.asLock("job-x");
        lock.lock();
        try {
            work();
        } finally {
            lock.unlock(); // LeaseLostException if the lease was lost meanwhile
        }
        // end::lock[]

        assertThat(done).containsExactly("worked");
        assertThat(another.tryAcquire("job-x")).isPresent();
    }

    private void work() {
        assertThat(another.tryAcquire("job-x")).isEmpty();
        done.add("worked");
    }

    @Test
    void severalLocksHaveOptionsOfTheirOwn() throws InterruptedException {
        // tag::several[]
        MultiLock both = MultiLock.of(
                locks,
                List.of(LockRequest.of("account-7"), LockRequest.of("ledger").leaseDuration(Duration.ofMinutes(2))));
        try (MultiLease lease = both.tryAcquire(Duration.ofSeconds(10)).orElseThrow()) {
            transfer(lease.leases());
        }
        // end::several[]

        assertThat(done).containsExactly("account-7", "ledger");
    }

    private void transfer(List<Lease> leases) {
        leases.forEach(lease -> done.add(lease.name()));
        assertThat(leases.get(1).remaining()).isGreaterThan(Cluster.LEASE);
    }

    @Test
    @SuppressWarnings("try") // the lease is only held
    void semaphoreGivesPermits() throws InterruptedException {
        // tag::semaphore[]
        DistributedSemaphore pool = DistributedSemaphore.of(locks, "partner-api", 5);
        try (Lease permit = pool.tryAcquire(Duration.ofSeconds(10)).orElseThrow()) {
            call();
        }
        // end::semaphore[]

        assertThat(done).containsExactly("called");
        assertThat(another.inspect("partner-api#permits").kept()).isTrue();
    }

    private void call() {
        done.add("called");
    }

    @Test
    @SuppressWarnings("try") // the lease is only held
    void manyReadAndOneWrites() throws InterruptedException {
        // tag::readwrite[]
        DistributedReadWriteLock catalog = DistributedReadWriteLock.of(locks, "catalog", 10);
        try (Lease lease = catalog.read().tryAcquire(Duration.ofSeconds(5)).orElseThrow()) {
            read();
        }
        try (Lease lease = catalog.write().tryAcquire(Duration.ofMinutes(1)).orElseThrow()) {
            write(lease.leases().get(0).fencingToken());
        }
        // end::readwrite[]

        assertThat(done).containsExactly("read", "written");
    }

    private void read() {
        assertThat(DistributedReadWriteLock.of(another, "catalog", 10).read().tryAcquire())
                .isPresent();
        another.held().forEach(lock -> another.forceFree(lock.name()));
        done.add("read");
    }

    private void write(long fencingToken) {
        assertThat(another.inspect("catalog#gate").fencingToken()).isEqualTo(fencingToken);
        assertThat(DistributedReadWriteLock.of(another, "catalog", 10).read().tryAcquire())
                .isEmpty();
        done.add("written");
    }

    @Test
    void leaderResumesAndPauses() throws InterruptedException {
        // tag::election[]
        LeaderElection election = LeaderElection.of(locks, "scheduler")
                .onElected(lease -> scheduler.resume())
                .onRevoked(() -> scheduler.pause());
        election.start(); // returns immediately
        // end::election[]
        Cluster.await(() -> done.contains("resumed"));
        // tag::leader[]
        if (election.isLeader()) { // before each step of the work
            scheduler.step();
        }
        election.stop(); // pauses, then releases the lock
        // end::leader[]

        assertThat(done).containsExactly("resumed", "step", "paused");
        assertThat(another.tryAcquire("scheduler")).isPresent();
    }

    @Test
    void switchKeepsOthersFromCalling() {
        callPartner();
        callPartner();

        assertThat(done).containsExactly("failed");
        assertThat(CircuitSwitch.of(another, "partner-api-paused").isOpen()).isTrue();
    }

    private void callPartner() {
        class Partner {
            void call() {
                done.add("failed");
                throw new PartnerDownException();
            }
        }
        Partner partner = new Partner();
        // tag::circuit[]
        CircuitSwitch paused = CircuitSwitch.of(locks, "partner-api-paused");
        if (!paused.isOpen()) {
            try {
                partner.call();
            } catch (PartnerDownException down) {
                paused.open(Duration.ofMinutes(1));
            }
        }
        // end::circuit[]
    }

    @Test
    void workRunsOnce() throws InterruptedException {
        // tag::once[]
        Once migration = Once.of(locks, "migration-42");
        boolean here = migration.run(() -> migrate()); // waits while another process runs it
        // end::once[]

        assertThat(here).isTrue();
        assertThat(Once.of(another, "migration-42").run(this::migrate)).isFalse();
        assertThat(done).containsExactly("migrated");
    }

    private void migrate() {
        done.add("migrated");
    }
}
