/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.Lease;
import io.dynamolock.LockManager;
import io.dynamolock.memory.InMemoryLockStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** In-memory lock manager with which a test controls when a call continues whose lock was acquired asynchronously. */
final class SteppedManager {

    private final LockManager locks = LockManager.builder(new InMemoryLockStore())
            .shutdownGrace(Duration.ofMillis(100)) // for leases that a test does not release
            .build();
    private final List<CompletableFuture<Lease>> acquisitions = new CopyOnWriteArrayList<>();
    private final BlockingQueue<Runnable> steps = new LinkedBlockingQueue<>();

    LockManager manager() {
        return (LockManager) Proxy.newProxyInstance(
                LockManager.class.getClassLoader(),
                new Class<?>[] {LockManager.class},
                (proxy, method, arguments) -> invoke(method, arguments));
    }

    /** Executor of futures whose tasks are run as steps. */
    Executor executor() {
        return steps::add;
    }

    @SuppressWarnings("unchecked") // what the method returns
    private @Nullable Object invoke(Method method, Object @Nullable [] arguments) throws Throwable {
        try {
            Object result = method.invoke(locks, arguments);
            if (method.getName().equals("acquireAsync")) {
                acquisitions.add((CompletableFuture<Lease>) result);
            }
            return result;
        } catch (InvocationTargetException failure) {
            throw failure.getCause() == null ? failure : failure.getCause();
        }
    }

    /** Returns the pending and answered asynchronous requests. */
    List<CompletableFuture<Lease>> acquisitions() {
        return acquisitions;
    }

    /** Waits until a call can continue; it continues when the returned step is run. */
    Runnable nextStep() throws InterruptedException {
        Runnable step = steps.poll(60, TimeUnit.SECONDS);
        assertThat(step).isNotNull();
        return step;
    }
}
