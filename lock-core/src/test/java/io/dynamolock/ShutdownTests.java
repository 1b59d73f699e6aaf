/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import io.dynamolock.LeaseLost.Reason;
import io.dynamolock.LockListener.Operation;
import io.dynamolock.memory.InMemoryLockStore;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class ShutdownTests {

    @Test
    void closeLetsOpenLeaseExpireAndReportsIt() {
        Node node = Node.alone();
        Lease lease = node.take("job");

        node.locks.close();

        assertThat(node.row("job").isFree()).isFalse();
        assertThat(lease.isHeld()).isFalse();
        assertThat(lease.state()).isEqualTo(LeaseState.LOST);
        assertThat(node.events.losses).extracting(LeaseLost::reason).containsExactly(Reason.CLOSED);
        assertThat(node.scheduler.isClosed()).isTrue();
        lease.close();
        assertThat(node.store.operations()).containsExactly(Operation.ACQUIRE);
    }

    @Test
    void holderMayReleaseAfterClose() {
        Node node = Node.alone();
        Lease lease = node.take("job");
        node.locks.close();

        assertThat(lease.release()).isEqualTo(ReleaseOutcome.LOST);
        assertThat(node.row("job").isFree()).isTrue();
    }

    @Test
    void leaseWhoseWorkNeverBeganIsReleasedAfterClose() {
        Node node = Node.alone();
        Lease here = node.take("here");
        Lease elsewhere = node.take("elsewhere");
        node.locks.close();

        LeasedWork.endUnused(here);
        CompletionStage<Void> ended = LeasedWork.endUnusedAsync(elsewhere);

        assertThat(ended.toCompletableFuture()).isCompleted();
        assertThat(node.row("here").isFree()).isTrue();
        assertThat(node.row("elsewhere").isFree()).isTrue();
    }

    @Test
    void endOfAcquiringThreadDoesNotRelease() throws Exception {
        Node node = Node.alone();
        Thread acquiring = new Thread(() -> node.take("job"));
        acquiring.start();
        acquiring.join(TestRun.TIMEOUT.toMillis());

        node.locks.close();

        assertThat(node.events.losses).extracting(LeaseLost::reason).containsExactly(Reason.CLOSED);
        assertThat(node.row("job").isFree()).isFalse();
        assertThat(node.store.operations()).containsExactly(Operation.ACQUIRE);
    }

    @Test
    void renewsOpenLeasesUntilReleased() throws Exception {
        InMemoryLockStore rows = new InMemoryLockStore();
        LockManager locks = LockManager.builder(rows)
                .heartbeatInterval(Duration.ofMillis(20))
                .shutdownGrace(Duration.ofMinutes(10))
                .build();
        Lease lease = locks.tryAcquire("job").orElseThrow();
        Thread closer = new Thread(locks::close);
        closer.start();
        await().until(() -> isClosed(locks));
        Instant end = lease.expiresAt();
        await().until(() -> lease.expiresAt().isAfter(end));
        boolean waits = closer.isAlive();

        lease.release();
        closer.join(TestRun.TIMEOUT.toMillis());

        assertThat(waits).isTrue();
        assertThat(closer.isAlive()).isFalse();
        assertThat(Node.row(rows, "job").isFree()).isTrue();
    }

    @Test
    void closesImmediatelyWithoutOpenLeases() {
        LockManager locks = LockManager.builder(new InMemoryLockStore())
                .shutdownGrace(Duration.ofMinutes(10))
                .build();
        locks.tryAcquire("job").orElseThrow().release();

        assertTimeout(TestRun.TIMEOUT, locks::close);
    }

    @Test
    void gracePeriodRenewsAndHandsOverLeases() throws Exception {
        InMemoryLockStore rows = new InMemoryLockStore();
        LockManager locks =
                LockManager.builder(rows).shutdownGrace(Duration.ofMinutes(10)).build();
        Lease lease = locks.tryAcquire("job").orElseThrow();
        Thread closer = new Thread(locks::close);
        closer.start();
        await().until(() -> isClosed(locks));

        lease.renew();
        lease.renew(Duration.ofSeconds(20));
        LeaseToken token = lease.detach();
        closer.join(TestRun.TIMEOUT.toMillis());

        assertThat(closer.isAlive()).isFalse();
        try (LockManager successor = LockManager.builder(rows).build();
                Lease resumed = successor.resume(token)) {
            assertThat(resumed.isHeld()).isTrue();
        }
    }

    @Test
    void detachAndResumeInProgressAreAwaited() throws Exception {
        InMemoryLockStore rows = new InMemoryLockStore();
        PausingStore store = new PausingStore(rows);
        LockManager locks =
                LockManager.builder(store).shutdownGrace(Duration.ofMinutes(10)).build();
        Lease lease = locks.tryAcquire("job").orElseThrow();
        LeaseToken token = store.pauseWhileClosing(locks, lease::detach).get();

        LockManager successor = LockManager.builder(store).build();
        CompletableFuture<Lease> resumed = store.pauseWhileClosing(successor, () -> successor.resume(token));

        assertThat(resumed).isCompletedExceptionally();
        assertThat(Node.row(rows, "job").isFree()).isTrue();
    }

    /** A store that delays a write until the manager, which closes meanwhile, waits for it. */
    private static final class PausingStore extends ForwardingStore {

        private volatile CountDownLatch sent = new CountDownLatch(0);
        private volatile CountDownLatch answered = new CountDownLatch(0);

        private PausingStore(LockStore rows) {
            super(rows);
        }

        private <T> CompletableFuture<T> pauseWhileClosing(LockManager locks, Supplier<T> action) throws Exception {
            sent = new CountDownLatch(1);
            answered = new CountDownLatch(1);
            CompletableFuture<T> result = CompletableFuture.supplyAsync(action);
            Latches.await(sent);
            Thread closer = new Thread(locks::close);
            closer.start();
            await().until(() -> !closer.isAlive() || closer.getState() == Thread.State.TIMED_WAITING);
            boolean waits = closer.isAlive();

            answered.countDown();
            closer.join(TestRun.TIMEOUT.toMillis());

            assertThat(waits).isTrue();
            assertThat(closer.isAlive()).isFalse();
            await().until(result::isDone);
            return result;
        }

        @Override
        public Response acquire(LockWrite.Acquire write, Duration timeout) {
            return delayed(() -> super.acquire(write, timeout));
        }

        @Override
        public Response renew(LockWrite.Renew write, Duration timeout) {
            return delayed(() -> super.renew(write, timeout));
        }

        private Response delayed(Supplier<Response> write) {
            sent.countDown();
            Latches.await(answered);
            return write.get();
        }
    }

    @Test
    void listenerOfReleaseClosesWithoutWaitingForIt() throws Exception {
        Thread holder = new Thread(closingOnRelease()::release);
        holder.start();
        holder.join(TestRun.TIMEOUT.toMillis());
        boolean waits = holder.isAlive();
        holder.interrupt();

        assertThat(waits).isFalse();
        assertThat(closingOnRelease().closeAsync().toCompletableFuture()).succeedsWithin(TestRun.TIMEOUT);
    }

    @Test
    void continuationOfRepeatedCloseClosesWithoutWaitingForIt() {
        CountDownLatch registered = new CountDownLatch(1);
        LockManager locks = LockManager.builder(new InMemoryLockStore())
                .shutdownGrace(Duration.ofMinutes(10))
                .asyncExecutor(continuation -> {
                    Latches.await(registered);
                    continuation.run();
                })
                .build();
        Lease lease = locks.tryAcquire("job").orElseThrow();
        ReleaseOutcome released = lease.release();

        CompletableFuture<Void> closed =
                lease.closeAsync().thenRun(locks::close).toCompletableFuture();
        registered.countDown();

        assertThat(closed).succeedsWithin(TestRun.TIMEOUT);
        assertThat(released).isEqualTo(ReleaseOutcome.RELEASED);
    }

    private static Lease closingOnRelease() {
        AtomicReference<@Nullable LockManager> manager = new AtomicReference<>();
        LockManager locks = LockManager.builder(new InMemoryLockStore())
                .shutdownGrace(Duration.ofMinutes(10))
                .listener(new LockListener() {
                    @Override
                    public void onReleased(Lease lease, ReleaseOutcome outcome, Duration took) {
                        LockManagers.closeAll(List.of(Objects.requireNonNull(manager.get())));
                    }
                })
                .build();
        manager.set(locks);
        return locks.tryAcquire("job").orElseThrow();
    }

    private static boolean isClosed(LockManager locks) {
        try {
            locks.inspect("job");
            return false;
        } catch (LockManagerClosedException closed) {
            return true;
        }
    }

    @Test
    void neverReleasesUnderRunningWork() throws Exception {
        InMemoryLockStore rows = new InMemoryLockStore();
        LockManager locks =
                LockManager.builder(rows).shutdownGrace(Duration.ofMillis(100)).build();
        CountDownLatch works = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        Thread worker = new Thread(() -> {
            try {
                locks.tryRun(LockRequest.of("job").onLost(OnLost.EVENT), () -> {
                    works.countDown();
                    Latches.await(mayEnd);
                });
            } catch (InterruptedException unexpected) {
                throw new AssertionError(unexpected);
            }
        });
        worker.start();
        assertThat(works.await(TestRun.TIMEOUT.toSeconds(), TimeUnit.SECONDS)).isTrue();

        locks.close();

        LockRow row = Node.row(rows, "job");
        assertThat(row.isFree()).isFalse();
        mayEnd.countDown();
        worker.join(TestRun.TIMEOUT.toMillis());
        assertThat(Node.row(rows, "job")).isEqualTo(row);
    }

    @Test
    void neverReleasesUnderWorkThatClosesManager() throws InterruptedException {
        Node node = Node.alone();

        node.locks.tryRun(LockRequest.of("job").onLost(OnLost.EVENT), () -> {
            node.locks.close();
            assertThat(node.row("job").isFree()).isFalse();
        });

        assertThat(node.store.operations()).containsExactly(Operation.ACQUIRE);
    }

    /** An acquire reads the clock many times; the manager is closed once at each of them. */
    @Test
    void acquireDuringCloseEndsHeldOrFree() {
        int moments = 0;
        boolean closed = true;
        while (closed) {
            closed = closesAt(++moments);
        }

        assertThat(moments).isGreaterThan(5);
    }

    /** Closes a manager at the nth clock read of an acquire. Returns whether there was such a read. */
    private static boolean closesAt(int moment) {
        InMemoryLockStore rows = new InMemoryLockStore();
        AtomicInteger readings = new AtomicInteger(Integer.MIN_VALUE);
        AtomicReference<@Nullable CompletableFuture<Void>> closing = new AtomicReference<>();
        AtomicReference<@Nullable LockManager> manager = new AtomicReference<>();
        LockManager locks = LockManager.builder(rows)
                .shutdownGrace(Duration.ofMinutes(1))
                .nanoTime(() -> {
                    if (readings.incrementAndGet() == moment) {
                        LockManager open = Objects.requireNonNull(manager.get());
                        closing.set(CompletableFuture.runAsync(open::close));
                        await().until(() -> isClosed(open));
                    }
                    return System.nanoTime();
                })
                .build();
        manager.set(locks);
        Optional<Lease> lease = Optional.empty();
        readings.set(0);
        try {
            lease = locks.tryAcquire("job");
        } catch (LockManagerClosedException closed) {
            assertThat(closing.get()).isNotNull();
        }
        readings.set(Integer.MIN_VALUE);

        lease.ifPresent(held -> {
            assertThat(held.isHeld()).isTrue();
            assertThat(held.release()).isEqualTo(ReleaseOutcome.RELEASED);
        });
        locks.close();
        CompletableFuture<Void> closedHere = closing.get();
        if (closedHere != null) {
            closedHere.join();
        }
        LockRow row = rows.read("job", true, Duration.ofSeconds(1)).row();
        assertThat(row == null || row.isFree()).isTrue();
        return closedHere != null;
    }

    @Test
    void acquireStartedDuringCloseEnds() {
        AtomicReference<Runnable> next = new AtomicReference<>(() -> {});
        LockManager locks = LockManager.builder(new InMemoryLockStore())
                .nanoTime(() -> {
                    next.getAndSet(() -> {}).run();
                    return System.nanoTime();
                })
                .build();
        next.set(locks::close);

        CompletableFuture<Optional<Lease>> late =
                locks.tryAcquireAsync(LockRequest.of("job").waitTime(Duration.ofHours(1)));

        assertThat(late)
                .failsWithin(TestRun.TIMEOUT)
                .withThrowableThat()
                .withCauseInstanceOf(LockManagerClosedException.class);
    }

    @Test
    @Tag("scaled")
    void hundredStartsAndStopsLeaveNoThread() throws Exception {
        Set<Thread> before = threads();
        for (int i = 0; i < Scale.of(10, 100); i++) {
            LockManager locks = LockManager.builder(new InMemoryLockStore())
                    .heartbeatInterval(Duration.ofMillis(5))
                    .shutdownGrace(Duration.ZERO)
                    .build();
            assertThat(locks.tryAcquire("job")).isPresent();
            CompletableFuture<Void> underWay =
                    locks.tryAcquireAsync(LockRequest.of("other")).thenAccept(lease -> lease.ifPresent(Lease::release));
            locks.close();
            locks.close();
            await().until(underWay::isDone);
        }

        await().untilAsserted(() -> assertThat(threads()).isSubsetOf(before));
    }

    private static Set<Thread> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("dynamolock-"))
                .collect(Collectors.toSet());
    }

    @Test
    @Timeout(60)
    void managersCloseConcurrentlyAndIndependently() {
        CountDownLatch together = new CountDownLatch(3);
        AtomicInteger closed = new AtomicInteger();
        Runnable close = () -> {
            together.countDown();
            Latches.await(together);
            closed.incrementAndGet();
        };
        Runnable fail = () -> {
            together.countDown();
            Latches.await(together);
            throw new IllegalStateException("on purpose");
        };

        assertThatThrownBy(() -> LockManagers.closeAll(List.of(closing(fail), closing(close), closing(close))))
                .hasMessage("on purpose");

        assertThat(closed).hasValue(2);
    }

    @Test
    void managersCloseAlsoIfNoThreadStarts() {
        AtomicInteger closed = new AtomicInteger();
        Closing closing = new Closing(
                List.of(closing(closed::incrementAndGet), closing(closed::incrementAndGet)),
                action -> new Thread(action) {
                    @Override
                    public synchronized void start() {
                        throw new OutOfMemoryError("no thread");
                    }
                });

        closing.run();

        assertThat(closed).hasValue(2);
    }

    @Test
    void managerThatIsGivenTwiceIsClosedOnceOnCallingThread() {
        AtomicInteger closed = new AtomicInteger();
        LockManager manager = closing(closed::incrementAndGet);
        AtomicInteger threads = new AtomicInteger();

        new Closing(List.of(manager, manager), action -> {
                    threads.incrementAndGet();
                    return new Thread(action);
                })
                .run();

        assertThat(closed).hasValue(1);
        assertThat(threads).hasValue(0);
    }

    @Test
    void errorOfOneManagerIsThrownOnceOthersAreClosed() {
        AtomicInteger closed = new AtomicInteger();
        Runnable fail = () -> {
            throw new NoClassDefFoundError("on purpose");
        };

        assertThatThrownBy(() -> LockManagers.closeAll(List.of(closing(fail), closing(closed::incrementAndGet))))
                .isInstanceOf(NoClassDefFoundError.class);
        assertThatThrownBy(() -> LockManagers.closeAll(List.of(closing(closed::incrementAndGet), closing(fail))))
                .isInstanceOf(NoClassDefFoundError.class);

        assertThat(closed).hasValue(2);
    }

    /** A manager that only supports close. */
    private static LockManager closing(Runnable close) {
        return (LockManager) Proxy.newProxyInstance(
                LockManager.class.getClassLoader(), new Class<?>[] {LockManager.class}, (proxy, method, arguments) -> {
                    close.run();
                    return null;
                });
    }
}
