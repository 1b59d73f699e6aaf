/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.coordination;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.dynamolock.InvalidSettingException;
import io.dynamolock.Lease;
import io.dynamolock.LockManager;
import io.dynamolock.LockRequest;
import io.dynamolock.OnLost;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a primitive could never use is rejected before its first request. */
class RequestsTests {

    private final Cluster cluster = new Cluster();

    @AfterEach
    void close() {
        cluster.close();
    }

    private List<Function<LockRequest, Object>> primitives() {
        return List.of(
                request -> DistributedSemaphore.of(cluster.locks, request, 3),
                request -> DistributedReadWriteLock.of(cluster.locks, request, 3),
                request -> LeaderElection.of(cluster.locks, request),
                request -> Once.of(cluster.locks, request),
                request -> MultiLock.of(cluster.locks, Collections.singleton(request)));
    }

    @Test
    void requestForSeveralLocksIsRejected() {
        for (Function<LockRequest, Object> primitive : primitives()) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> primitive.apply(LockRequest.ofAll(List.of("a", "b"))))
                    .withMessageContaining("must be for one lock, but is for [a, b]");
        }
        assertThat(cluster.requests()).isEmpty();
    }

    @Test
    void nameThatIsTooLongIsRejected() {
        for (Function<LockRequest, Object> primitive : primitives()) {
            assertThatExceptionOfType(InvalidSettingException.class)
                    .isThrownBy(() -> primitive.apply(LockRequest.of("x".repeat(2_049))))
                    .withMessageContaining("2,048 bytes");
        }
        assertThatExceptionOfType(InvalidSettingException.class)
                .isThrownBy(() -> CircuitSwitch.of(cluster.locks, "x".repeat(2_049)));
    }

    /** The mark of a writer is metadata, too, of at most 4,096 bytes. */
    @Test
    void metadataThatLeavesNoPlaceForTheMarkIsRejected() throws Exception {
        LockRequest request = LockRequest.of("map").metadata(Map.of("k", "v".repeat(4_089)));

        assertThatExceptionOfType(InvalidSettingException.class)
                .isThrownBy(() -> DistributedReadWriteLock.of(cluster.locks, request, 3));
        assertThat(cluster.locks.tryAcquire(LockRequest.of("map").metadata(request.metadata())))
                .isPresent();
    }

    /** Else a default of the manager could end the application for a lock under which nothing runs. */
    @Test
    void lossOfLocksWithoutWorkHasNoConsequences() throws Exception {
        Map<String, OnLost> policies = new ConcurrentHashMap<>();
        LockManager observed = (LockManager) Proxy.newProxyInstance(
                LockManager.class.getClassLoader(), new Class<?>[] {LockManager.class}, (proxy, method, arguments) -> {
                    if (arguments != null && arguments[0] instanceof LockRequest request && request.onLost() != null) {
                        policies.put(request.name(), request.onLost());
                    }
                    return method.invoke(cluster.locks, arguments);
                });

        CircuitSwitch.of(observed, "gate").open(Duration.ofSeconds(1));
        DistributedReadWriteLock lock = DistributedReadWriteLock.of(observed, "map");
        Lease writer = lock.write().tryAcquire().orElseThrow();
        lock.read().tryAcquire(Duration.ofMillis(1));
        writer.release();

        assertThat(policies)
                .containsEntry("gate", OnLost.EVENT)
                .containsEntry("map#read#permits", OnLost.EVENT)
                .containsEntry("map#gate", OnLost.EVENT);
    }

    @Test
    @SuppressWarnings("NullAway")
    void missingArgumentIsNamed() {
        DistributedReadWriteLock lock = DistributedReadWriteLock.of(cluster.locks, "map");
        CircuitSwitch paused = CircuitSwitch.of(cluster.locks, "paused");
        MultiLock several = MultiLock.of(cluster.locks, List.of(LockRequest.of("a")));

        assertMissing("duration", () -> paused.open(null));
        assertMissing("cacheTime", () -> CircuitSwitch.of(cluster.locks, "paused", null));
        assertMissing("waitTime", () -> several.tryAcquire(null));
        assertMissing("waitTime", () -> lock.read().tryAcquire(null));
        assertMissing("waitTime", () -> lock.write().tryAcquire(null));
        assertMissing(
                "waitTime",
                () -> DistributedSemaphore.of(cluster.locks, "pool", 3).tryAcquire(null));
        assertMissing("requests", () -> MultiLock.of(cluster.locks, null));
        assertMissing("request", () -> MultiLock.of(cluster.locks, Collections.singleton(null)));
        for (Function<LockRequest, Object> primitive : primitives()) {
            assertMissing("request", () -> primitive.apply(null));
        }
        assertThat(cluster.requests()).isEmpty();
    }

    private static void assertMissing(String name, ThrowingCallable call) {
        assertThatNullPointerException().isThrownBy(call).withMessage(name);
    }

    @Test
    void nameThatIsTooLongForPermitsIsRejected() {
        String name = "x".repeat(2_045);

        assertThatExceptionOfType(InvalidSettingException.class)
                .isThrownBy(() -> DistributedSemaphore.of(cluster.locks, name, 3));
        assertThatExceptionOfType(InvalidSettingException.class)
                .isThrownBy(() -> DistributedReadWriteLock.of(cluster.locks, name));
    }
}
