/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class LockListenersTests {

    private static final LeaseLost LOST = new LeaseLost("job", "me", LeaseLost.Reason.TAKEN, Instant.EPOCH, null);

    private record RecordedCall(int listener, Method event, List<Object> arguments) {}

    private final List<RecordedCall> calls = new ArrayList<>();

    static Stream<Method> events() {
        return Arrays.stream(LockListener.class.getDeclaredMethods())
                .filter(method -> !Modifier.isStatic(method.getModifiers()) && !method.isSynthetic())
                .sorted(Comparator.comparing(Method::getName));
    }

    @ParameterizedTest
    @MethodSource("events")
    void notifiesListenersInOrder(Method event) throws Exception {
        LockListener all = LockListener.all(List.of(listener(1), listener(2), listener(3)));
        Object[] arguments = argumentsOf(event);

        event.invoke(all, arguments);

        List<Object> same = List.of(arguments);
        assertThat(calls)
                .containsExactly(
                        new RecordedCall(1, event, same),
                        new RecordedCall(2, event, same),
                        new RecordedCall(3, event, same));
    }

    @ParameterizedTest
    @MethodSource("events")
    void throwingListenerAffectsNeitherOthersNorLock(Method event) throws Exception {
        LockListener all = LockListener.all(List.of(
                throwing(new IllegalStateException("on purpose")),
                throwing(new StackOverflowError("on purpose")),
                listener(3)));
        Object[] arguments = argumentsOf(event);

        event.invoke(all, arguments);

        assertThat(calls).containsExactly(new RecordedCall(3, event, List.of(arguments)));
    }

    @ParameterizedTest
    @MethodSource("events")
    void listenerMayImplementSomeMethodsOnly(Method event) {
        LockListener indifferent = new LockListener() {};

        assertThatNoException().isThrownBy(() -> event.invoke(indifferent, argumentsOf(event)));
    }

    @Test
    void ignoresListenersAddedLater() {
        List<LockListener> mine = new ArrayList<>(List.of(listener(1)));
        LockListener all = LockListener.all(mine);
        mine.add(listener(2));

        all.onHeartbeatLag(Duration.ZERO);

        assertThat(calls).extracting(RecordedCall::listener).containsExactly(1);
    }

    private LockListener listener(int number) {
        return proxy(LockListener.class, (self, event, arguments) -> {
            calls.add(new RecordedCall(number, event, List.of(arguments)));
            return null;
        });
    }

    private static LockListener throwing(Throwable failure) {
        return proxy(LockListener.class, (self, event, arguments) -> {
            throw failure;
        });
    }

    private static Object[] argumentsOf(Method event) {
        return Arrays.stream(event.getParameterTypes())
                .map(LockListenersTests::argument)
                .toArray();
    }

    private static Object argument(Class<?> type) {
        if (type == Lease.class) {
            return proxy(Lease.class, (self, method, arguments) -> self == arguments[0]);
        }
        LockStoreException failure = new LockStoreException("job", "failed", null, true, true);
        List<Object> samples = List.of(
                "job",
                Duration.ofMillis(7),
                failure,
                LOST,
                LockState.of("job", null, false),
                ReleaseOutcome.NOT_OWNED,
                LockListener.Operation.UNDO,
                LockListener.RequestOutcome.REJECTED,
                LockListener.ClockProblem.UNDATED,
                List.of("expiresAt"));
        return samples.stream()
                .filter(type::isInstance)
                .findFirst()
                .orElse(type == boolean.class ? (Object) true : type);
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }
}
