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
import io.dynamolock.LockRequest;
import io.dynamolock.LockState.Status;
import io.dynamolock.LockStoreException;
import io.dynamolock.TestRun;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DistributedSemaphoreTests {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final Cluster cluster = new Cluster();
    private final DistributedSemaphore here = DistributedSemaphore.of(cluster.locks, "pool", 3);
    private final DistributedSemaphore there = DistributedSemaphore.of(cluster.another(), "pool", 3);

    @AfterEach
    void close() {
        cluster.close();
    }

    @Test
    void givesOutAsManyPermitsAsThereAre() {
        List<Lease> leases = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            leases.add((i % 2 == 0 ? here : there).tryAcquire().orElseThrow());
        }

        assertThat(here.tryAcquire()).isEmpty();
        assertThat(there.tryAcquire()).isEmpty();
        assertThat(leases).extracting(Lease::name).containsExactlyInAnyOrder("pool#1", "pool#2", "pool#3");
        leases.get(1).close();
        assertThat(here.tryAcquire().orElseThrow().name())
                .isEqualTo(leases.get(1).name());
    }

    @Test
    void uncontendedPermitIsTwoRequestsWhateverTheirNumber() {
        DistributedSemaphore large = DistributedSemaphore.of(cluster.locks, "large", 1_000);
        large.tryAcquire().orElseThrow().close();
        cluster.forgetRequests();

        large.tryAcquire().orElseThrow().close();

        assertThat(cluster.requests()).containsExactly(Operation.ACQUIRE, Operation.RELEASE);
    }

    @Test
    void permitsHeldHereAreSkipped() {
        var unused = here.tryAcquire();
        cluster.forgetRequests();

        assertThat(here.tryAcquire()).isPresent();
        assertThat(here.tryAcquire()).isPresent();
        assertThat(here.tryAcquire()).isEmpty();

        assertThat(cluster.requests()).containsExactly(Operation.ACQUIRE, Operation.ACQUIRE);
    }

    @Test
    void allTakenElsewhereIsTwoWritesAndReads() {
        DistributedSemaphore large = DistributedSemaphore.of(cluster.locks, "large", 5);
        DistributedSemaphore other = DistributedSemaphore.of(cluster.another(), "large", 5);
        for (int i = 0; i < 5; i++) {
            assertThat(other.tryAcquire()).isPresent();
        }
        assertThat(large.tryAcquire()).isEmpty();
        cluster.forgetRequests();

        assertThat(large.tryAcquire()).isEmpty();

        assertThat(cluster.requests())
                .containsExactly(Operation.ACQUIRE, Operation.ACQUIRE, Operation.READ, Operation.READ, Operation.READ);
    }

    @Test
    void deadHoldersPermitComesBack() {
        for (int i = 0; i < 3; i++) {
            assertThat(there.tryAcquire()).isPresent();
        }
        assertThat(here.tryAcquire()).isEmpty();

        cluster.clock.pauseProcess(Cluster.LEASE.plusSeconds(1));

        assertThat(here.tryAcquire()).isPresent();
    }

    @Test
    void permitHasTokenMetadataAndHeartbeat() {
        DistributedSemaphore annotated = DistributedSemaphore.of(
                cluster.locks, LockRequest.of("jobs").metadata(Map.of("a", "b")).reentrant(true), 1);

        Lease lease = annotated.tryAcquire().orElseThrow();
        cluster.clock.advance(Cluster.LEASE.multipliedBy(3));

        assertThat(lease.isHeld()).isTrue();
        assertThat(lease.fencingToken()).isPositive();
        assertThat(cluster.locks.inspect("jobs#1").metadata()).containsEntry("a", "b");
        assertThat(annotated.tryAcquire()).isEmpty();
    }

    @Test
    void anotherNumberOfPermitsIsRejectedBeforeAnything() {
        assertThat(here.tryAcquire()).isPresent();
        DistributedSemaphore wrong = DistributedSemaphore.of(cluster.another(), "pool", 4);

        assertThatIllegalStateException()
                .isThrownBy(wrong::tryAcquire)
                .withMessageContaining("4")
                .withMessageContaining("3")
                .withMessageContaining("forceFree(\"pool#permits\")");
        assertThatIllegalStateException().isThrownBy(() -> wrong.tryAcquire(MINUTE));

        assertThat(cluster.locks.held()).hasSize(1);
        cluster.clock.pauseProcess(Duration.ofDays(10_000));
        assertThatIllegalStateException().isThrownBy(wrong::tryAcquire);
        assertThat(cluster.locks.forceFree("pool#permits")).isPresent();
        assertThat(wrong.tryAcquire()).isPresent();
    }

    @Test
    void numberThatWasNotKeptIsVerifiedAgain() {
        DistributedSemaphore other = DistributedSemaphore.of(cluster.another(), "pool", 4);
        cluster.beforeNextRelease(() -> {
            cluster.clock.pauseProcess(Cluster.LEASE.plusSeconds(2));
            assertThat(other.tryAcquire()).isPresent();
        });

        assertThatIllegalStateException().isThrownBy(here::tryAcquire).withMessageContaining("its row says 4");
    }

    @Test
    void numberIsVerifiedOncePerObject() {
        var unused = here.tryAcquire();
        assertThat(cluster.requests())
                .containsExactly(Operation.READ, Operation.ACQUIRE, Operation.RELEASE, Operation.ACQUIRE);
        cluster.forgetRequests();
        unused = there.tryAcquire();
        assertThat(cluster.requests().subList(0, 2)).containsExactly(Operation.READ, Operation.ACQUIRE);
    }

    @Test
    void numberThatItsWriterIsAboutToKeepCounts() throws Exception {
        LockManager writer = cluster.another();
        writer.acquire(LockRequest.of("pool#permits").metadata(Map.of("permits", "4")));

        assertThatIllegalStateException().isThrownBy(here::tryAcquire);
        cluster.clock.pauseProcess(Cluster.LEASE.plusSeconds(1));

        assertThat(here.tryAcquire()).isPresent();
    }

    /** After the end of its lease, another number could be written while permits are held. */
    @Test
    void noPermitIsGivenOutUnderTheNumberOfACrashedWriter() throws Exception {
        cluster.another().acquire(LockRequest.of("pool#permits").metadata(Map.of("permits", "3")));

        assertThatExceptionOfType(LockStoreException.class)
                .isThrownBy(here::tryAcquire)
                .withMessageContaining("not recorded yet")
                .matches(LockStoreException::isRetryable);
        cluster.clock.pauseProcess(Cluster.LEASE.plusSeconds(1));

        assertThat(here.tryAcquire()).isPresent();
        assertThat(cluster.locks.inspect("pool#permits").kept()).isTrue();
    }

    @Test
    void interruptedThreadGetsAFreePermit() {
        Thread.currentThread().interrupt();

        assertThat(here.tryAcquire()).isPresent();

        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void rejectsNumbersOutOfRange() {
        for (int permits : new int[] {Integer.MIN_VALUE, 0, 1_001}) {
            assertThatExceptionOfType(InvalidSettingException.class)
                    .isThrownBy(() -> DistributedSemaphore.of(cluster.locks, "pool", permits))
                    .withMessageContaining("permits");
        }
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> here.tryAcquire(Duration.ofNanos(-1)));
    }

    @Test
    void waiterGetsPermitReleasedHereImmediately() throws Exception {
        List<Lease> all = List.of(here.acquire(), here.acquire(), here.acquire());
        CompletableFuture<Optional<Lease>> waiting = Background.run(() -> here.tryAcquire(MINUTE));
        Cluster.await(
                () -> cluster.requests().stream().filter(Operation.READ::equals).count() > 10);

        all.get(1).close();

        assertThat(waiting.get(10, TimeUnit.SECONDS).orElseThrow().name())
                .isEqualTo(all.get(1).name());
        assertThat(all.get(0).isHeld()).isTrue();
    }

    @Test
    void waiterGetsPermitReleasedElsewhere() throws Exception {
        List<Lease> all = List.of(there.acquire(), there.acquire(), there.acquire());
        CompletableFuture<Optional<Lease>> waiting = Background.run(() -> here.tryAcquire(MINUTE));
        Cluster.await(() -> cluster.requests().size() > 30);

        all.get(2).close();

        assertThat(waiting.get(10, TimeUnit.SECONDS)).isPresent();
    }

    @Test
    void waiterForManyPermitsFindsAnyOfThem() throws Exception {
        DistributedSemaphore large = DistributedSemaphore.of(cluster.locks, "large", 12);
        DistributedSemaphore other = DistributedSemaphore.of(cluster.another(), "large", 12);
        List<Lease> all = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            all.add(other.acquire());
        }
        for (Lease lease : all.subList(0, 3)) {
            CompletableFuture<Optional<Lease>> waiting = Background.run(() -> large.tryAcquire(MINUTE));
            Cluster.await(() -> cluster.requests().size() > 60);
            lease.close();
            assertThat(waiting.get(10, TimeUnit.SECONDS)).isPresent();
            cluster.forgetRequests();
        }
    }

    @Test
    void extraPermitsOfWaiterAreReleased() throws Exception {
        int[] all = {0, 1, 2};
        try (PermitWait wait = new PermitWait(
                cluster.locks,
                all,
                permit -> LockRequest.of("pool#" + (permit + 1)).waitTime(MINUTE))) {
            Cluster.await(() -> acquisitions() == 3);

            Lease won = wait.take().orElseThrow().lease();

            Cluster.await(() -> held() == 1);
            assertThat(won.isHeld()).isTrue();
        }
        assertThat(held()).isEqualTo(1);
    }

    @Test
    void onlyPermitThatIsUsedHasMinimumHold() throws Exception {
        LockRequest request = LockRequest.of("pool").minHold(MINUTE).waitTime(MINUTE);
        int[] all = {0, 1, 2};
        try (PermitWait wait = new PermitWait(cluster.locks, all, permit -> request.name("pool#" + (permit + 1)))) {
            Cluster.await(() -> acquisitions() == 3);
            Cluster.await(() -> held() == 1);
            wait.take().orElseThrow().lease().close();
        }
        Cluster.await(() -> held() == 1);

        cluster.clock.advance(MINUTE.plusSeconds(1));
        PermitWait untaken = new PermitWait(cluster.locks, all, permit -> request.name("pool#" + (permit + 1)));
        Cluster.await(untaken.result()::isDone);
        untaken.close();

        Cluster.await(() -> held() == 0);
    }

    private long acquisitions() {
        return cluster.requests().stream().filter(Operation.ACQUIRE::equals).count();
    }

    private long held() {
        return List.of("pool#1", "pool#2", "pool#3").stream()
                .filter(name -> cluster.locks.inspect(name).status() == Status.HELD)
                .count();
    }

    @Test
    void waitEndsWithWaitTimeAndLeavesNothing() throws Exception {
        List<Lease> all = List.of(there.acquire(), there.acquire(), there.acquire());
        CompletableFuture<Optional<Lease>> waiting = Background.run(() -> here.tryAcquire(MINUTE));
        Cluster.await(() -> cluster.requests().size() > 30);
        assertThat(waiting).isNotDone();

        cluster.clock.advance(MINUTE);

        assertThat(waiting.get(10, TimeUnit.SECONDS)).isEmpty();
        all.forEach(Lease::close);
        assertThat(held()).isZero();
    }

    @Test
    void interruptEndsWaitAndLeavesNothing() throws Exception {
        List<Lease> all = List.of(there.acquire(), there.acquire(), there.acquire());
        CompletableFuture<Throwable> thrown = new CompletableFuture<>();
        Thread waiter = new Thread(() -> {
            try {
                thrown.completeExceptionally(
                        new AssertionError(here.tryAcquire(MINUTE).toString()));
            } catch (InterruptedException interrupt) {
                thrown.complete(interrupt);
            }
        });
        waiter.start();
        Cluster.await(() -> cluster.requests().size() > 30);

        waiter.interrupt();

        assertThat(thrown.get(10, TimeUnit.SECONDS)).isInstanceOf(InterruptedException.class);
        cluster.clock.advance(Duration.ofSeconds(1));
        cluster.forgetRequests();
        cluster.clock.advance(Duration.ofSeconds(1)); // a waiter sends at least one request, however slow the machine
        assertThat(cluster.requests()).isEmpty();
        all.forEach(Lease::close);
        List.of(here.acquire(), here.acquire(), here.acquire()).forEach(Lease::close); // to whoever waits here
        cluster.clock.advance(Duration.ofSeconds(1));
        assertThat(held()).isZero();
        assertThat(cluster.locks.held()).isEmpty();
    }

    @Test
    void waitTimeEndsSearchAmongManyPermits() throws Exception {
        DistributedSemaphore large = largeTakenElsewhere();
        cluster.beforeRead(() -> cluster.clock.pauseProcess(Duration.ofSeconds(1)));

        assertThat(large.tryAcquire(Duration.ofSeconds(1))).isEmpty();

        assertThat(cluster.requests().stream().filter(Operation.READ::equals)).hasSize(8); // after two writes
    }

    @Test
    void interruptEndsSearchAmongManyPermits() {
        DistributedSemaphore large = largeTakenElsewhere();
        cluster.beforeRead(Thread.currentThread()::interrupt);

        assertThatExceptionOfType(InterruptedException.class).isThrownBy(() -> large.tryAcquire(MINUTE));

        assertThat(cluster.requests()).hasSize(3);
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void shortestWaitTimeStillTriesSomePermits() throws Exception {
        List<Lease> all =
                List.of(there.tryAcquire().orElseThrow(), there.tryAcquire().orElseThrow());
        cluster.beforeRead(() -> cluster.clock.pauseProcess(Duration.ofSeconds(1)));

        assertThat(here.tryAcquire(Duration.ofNanos(1))).isPresent();
        assertThat(all).allMatch(Lease::isHeld);
    }

    private DistributedSemaphore largeTakenElsewhere() {
        DistributedSemaphore other = DistributedSemaphore.of(cluster.another(), "large", 30);
        for (int i = 0; i < 30; i++) {
            assertThat(other.tryAcquire()).isPresent();
        }
        DistributedSemaphore large = DistributedSemaphore.of(cluster.locks, "large", 30);
        assertThat(large.tryAcquire()).isEmpty();
        cluster.forgetRequests();
        return large;
    }

    @Test
    void failureIsNeverBusy() throws Exception {
        List<Lease> all = List.of(there.acquire(), there.acquire(), there.acquire());
        assertThat(here.tryAcquire()).isEmpty();
        CompletableFuture<Optional<Lease>> waiting = Background.run(() -> here.tryAcquire(MINUTE));
        Cluster.await(() -> cluster.requests().size() > 30);
        cluster.storeIsDown(true);

        assertThatExceptionOfType(java.util.concurrent.ExecutionException.class)
                .isThrownBy(() -> waiting.get(10, TimeUnit.SECONDS))
                .withStackTraceContaining("the store is down");
        assertThatExceptionOfType(LockStoreException.class).isThrownBy(here::tryAcquire);
        assertThat(all).allMatch(Lease::isHeld);
    }

    @Test
    void failureOfOnePermitEndsWait() throws Exception {
        List<Lease> all = List.of(there.acquire(), there.acquire(), there.acquire());
        AtomicBoolean fails = new AtomicBoolean();
        cluster.beforeRead(() -> {
            if (fails.getAndSet(false)) {
                throw new LockStoreException("x", "one read failed", null, false, true);
            }
        });
        CompletableFuture<Optional<Lease>> waiting = Background.run(() -> here.tryAcquire(MINUTE));
        Cluster.await(() -> cluster.requests().size() > 30);

        fails.set(true);

        assertThat(waiting)
                .failsWithin(TestRun.TIMEOUT)
                .withThrowableThat()
                .withStackTraceContaining("one read failed");
        assertThat(all).allMatch(Lease::isHeld);
    }

    @Test
    void exceptionThrownByAManagerLeavesNoPermitAcquired() throws Exception {
        List<Lease> all = List.of(there.acquire(), there.acquire(), there.acquire());
        AtomicInteger calls = new AtomicInteger();
        LockManager throwing = (LockManager) Proxy.newProxyInstance(
                LockManager.class.getClassLoader(), new Class<?>[] {LockManager.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("tryAcquireAsync") && calls.incrementAndGet() == 3) {
                        throw new IllegalStateException("on purpose");
                    }
                    return method.invoke(cluster.locks, arguments);
                });
        DistributedSemaphore pool = DistributedSemaphore.of(throwing, "pool", 3);

        assertThatIllegalStateException()
                .isThrownBy(() -> pool.tryAcquire(MINUTE))
                .withMessage("on purpose");
        all.forEach(Lease::close);

        cluster.awaitSilence();
        assertThat(cluster.locks.held()).isEmpty();
    }

    @Test
    void closedManagerRejects() {
        cluster.locks.close();

        assertThatExceptionOfType(LockManagerClosedException.class).isThrownBy(here::tryAcquire);
        assertThatExceptionOfType(LockManagerClosedException.class).isThrownBy(() -> here.tryAcquire(MINUTE));
    }

    @Test
    void neverMoreThanItsPermitsUnderContention() throws Exception {
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        List<CompletableFuture<Integer>> users = new ArrayList<>();
        for (int user = 0; user < 8; user++) {
            DistributedSemaphore semaphore = user % 2 == 0 ? here : there;
            users.add(Background.run(() -> {
                for (int i = 0; i < 40; i++) {
                    try (Lease lease = semaphore.acquire()) {
                        most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                        Thread.sleep(1);
                        inside.decrementAndGet();
                        lease.ensureHeld();
                    }
                }
                return 40;
            }));
        }

        for (CompletableFuture<Integer> user : users) {
            assertThat(user.get(60, TimeUnit.SECONDS)).isEqualTo(40);
        }
        assertThat(most.get()).isBetween(2, 3);
    }

    @Test
    void withoutLockingThereIsNoLimit() throws Exception {
        DistributedSemaphore unlocked = DistributedSemaphore.of(LockManager.unlocked(), "pool", 1);

        assertThat(unlocked.tryAcquire()).isPresent();
        assertThat(unlocked.tryAcquire()).isPresent();
        assertThat(unlocked.tryAcquire(MINUTE)).isPresent();
    }
}
