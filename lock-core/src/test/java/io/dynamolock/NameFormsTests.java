/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.dynamolock.memory.InMemoryLockStore;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Methods that take a name behave like those that take a request of that name. */
class NameFormsTests {

    private static final LockRequest REQUEST = LockRequest.of("job");
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final InMemoryLockStore rows = new InMemoryLockStore();
    private final LockManager locks = LockManager.builder(rows).build();
    private final LockManager rival = LockManager.builder(rows).build();
    private final AtomicInteger runs = new AtomicInteger();

    @AfterEach
    void close() {
        LockManagers.closeAll(List.of(locks, rival));
    }

    @Test
    void nameFormsDelegateToRequestForms() throws Exception {
        List<String> calls = new ArrayList<>();
        LockManager recording = recording(calls);

        assertThat(recording.tryAcquire("job", SECOND)).isEmpty();
        assertThat(recording.tryCall("job", () -> 1)).hasToString("Execution[not executed]");
        assertThat(recording.tryCall("job", Lease::name).executed()).isFalse();
        assertThat(recording.tryRun("job", runs::incrementAndGet)).isFalse();
        assertBusy(() -> recording.acquire("job"));
        assertBusy(() -> recording.acquire("job", SECOND));
        assertBusy(() -> recording.call("job", () -> 1));
        assertBusy(() -> recording.call("job", Lease::name));

        assertThat(calls)
                .containsExactly(
                        "tryAcquire " + REQUEST.waitTime(SECOND),
                        "tryAcquire " + REQUEST,
                        "tryAcquire " + REQUEST,
                        "tryAcquire " + REQUEST,
                        "acquire " + REQUEST,
                        "acquire " + REQUEST.waitTime(SECOND),
                        "acquire " + REQUEST,
                        "acquire " + REQUEST);
    }

    /** A manager that records calls of its abstract methods and reports every lock as busy. */
    private static LockManager recording(List<String> calls) {
        InvocationHandler handler = (proxy, method, arguments) -> {
            if (method.isDefault()) {
                return InvocationHandler.invokeDefault(proxy, method, arguments);
            }
            calls.add(method.getName() + " " + arguments[0]);
            if (method.getReturnType() == Optional.class) {
                return Optional.empty();
            }
            throw new LockBusyException(LockState.of("job", null, false), false, false);
        };
        return (LockManager)
                Proxy.newProxyInstance(LockManager.class.getClassLoader(), new Class<?>[] {LockManager.class}, handler);
    }

    private static void assertBusy(Callable<?> call) {
        assertThatExceptionOfType(LockBusyException.class).isThrownBy(call::call);
    }

    @Test
    void callAndTryCallRunWorkUnderLock() throws Exception {
        int called = locks.call("job", () -> runs.incrementAndGet());
        long token = locks.call("job", lease -> lease.fencingToken());
        Execution<Integer> tried = locks.tryCall("job", () -> runs.incrementAndGet());
        Execution<String> named = locks.tryCall("job", lease -> lease.name());

        assertThat(called).isEqualTo(1);
        assertThat(token).isPositive();
        assertThat(tried.result()).isEqualTo(2);
        assertThat(named.result()).isEqualTo("job");
    }

    @Test
    void workIsSkippedIfLockIsBusy() throws Exception {
        try (Lease held = rival.acquire("job")) {
            assertBusy(() -> locks.acquire(held.name()));
            assertThat(locks.tryRun("job", runs::incrementAndGet)).isFalse();
        }
        assertThat(runs).hasValue(0);
        assertThat(locks.tryRun("job", runs::incrementAndGet)).isTrue();
        assertThat(runs).hasValue(1);
    }

    @Test
    void exceptionOfWorkIsRethrownUnchanged() {
        IOException failure = new IOException("disk");

        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> locks.call("job", () -> {
                    throw failure;
                }))
                .isSameAs(failure);
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> locks.tryCall("job", lease -> {
                    throw failure;
                }))
                .isSameAs(failure);
    }
}
