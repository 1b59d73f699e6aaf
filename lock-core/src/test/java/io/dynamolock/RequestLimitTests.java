/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.dynamolock.time.Parker;
import io.dynamolock.time.ThreadParker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class RequestLimitTests {

    private static final Duration LONG = Duration.ofMinutes(1);

    private final RequestLimit limit = new RequestLimit(1, ThreadParker::new);
    private final List<String> order = new CopyOnWriteArrayList<>();

    @Test
    void rejectsAfterTimeout() throws InterruptedException {
        boolean first = limit.enter(true, LONG);
        boolean second = limit.enter(true, Duration.ofMillis(1));
        limit.exit();
        boolean third = limit.enter(true, Duration.ZERO);

        assertThat(first).isTrue();
        assertThat(second).isFalse();
        assertThat(third).isTrue();
    }

    @Test
    void heldLeasesGoFirstThenFifo() throws InterruptedException {
        limit.enter(true, LONG);
        List<Thread> threads =
                List.of(waiting("acquire 1", false), waiting("acquire 2", false), waiting("release 1", true));

        limit.exit();
        for (Thread thread : threads) {
            thread.join();
        }

        assertThat(order).containsExactly("release 1", "acquire 1", "acquire 2");
    }

    /** Otherwise reads of many threads would keep out each acquisition. */
    @Test
    void acquisitionsGetEveryFourthPermit() throws InterruptedException {
        limit.enter(true, LONG);
        List<Thread> threads = new ArrayList<>(List.of(waiting("acquire", false)));
        for (int i = 1; i <= 5; i++) {
            threads.add(waiting("read " + i, true));
        }

        limit.exit();
        for (Thread thread : threads) {
            thread.join();
        }

        assertThat(order).containsExactly("read 1", "read 2", "read 3", "acquire", "read 4", "read 5");
    }

    @Test
    void interruptedThreadGetsNoPermit() throws InterruptedException {
        limit.enter(true, LONG);
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Thread waiter = started(() -> {
            try {
                limit.enter(true, LONG);
            } catch (InterruptedException expected) {
                thrown.set(expected);
            }
        });

        waiter.interrupt();
        waiter.join();
        limit.exit();

        assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
        assertThat(limit.enter(true, Duration.ZERO)).isTrue();
    }

    @Test
    void interruptedThreadIsRejectedOnlyIfItMustWait() throws InterruptedException {
        Thread.currentThread().interrupt();
        boolean free = limit.enter(true, LONG);

        assertThat(free).isTrue();
        assertThatThrownBy(() -> limit.enter(true, LONG)).isInstanceOf(InterruptedException.class);
    }

    @Test
    void closeEndsWaitsOfAcquiresOnly() throws InterruptedException {
        limit.enter(false, LONG);
        Thread acquires = waiting("acquire", false);
        Thread releases = waiting("release", true);

        limit.close();
        acquires.join();
        boolean another = limit.enter(true, LONG);
        limit.exit();
        releases.join();

        assertThat(order).containsExactly("release");
        assertThat(another).isFalse();
        assertThat(limit.enter(true, LONG)).isFalse();
        assertThat(limit.enter(false, Duration.ZERO)).isTrue();
    }

    private Thread waiting(String name, boolean urgent) {
        return started(() -> {
            try {
                if (limit.enter(!urgent, LONG)) {
                    order.add(name);
                    limit.exit();
                }
            } catch (InterruptedException unexpected) {
                order.add("interrupted");
            }
        });
    }

    private static Thread started(Runnable action) {
        Thread thread = new Thread(action);
        thread.start();
        await().until(() -> thread.getState() == Thread.State.TIMED_WAITING);
        return thread;
    }

    @Test
    void permitArrivingWithInterruptPassesToNext() throws InterruptedException {
        AtomicReference<@Nullable RequestLimit> interrupting = new AtomicReference<>();
        RequestLimit one = new RequestLimit(1, () -> new Parker() {
            @Override
            public void wake() {}

            @Override
            public void await(long nanos) throws InterruptedException {
                Objects.requireNonNull(interrupting.get()).exit();
                throw new InterruptedException();
            }

            @Override
            public long nanos() {
                return 0;
            }
        });
        interrupting.set(one);
        boolean first = one.enter(true, LONG);

        assertThatThrownBy(() -> one.enter(true, LONG)).isInstanceOf(InterruptedException.class);

        assertThat(first).isTrue();
        assertThat(one.enter(true, Duration.ZERO)).isTrue();
    }
}
