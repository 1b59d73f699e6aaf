/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.UndeclaredThrowableException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ForeignCodeTests {

    private final List<Throwable> failures = new ArrayList<>();

    static Stream<Throwable> whatCodeThrows() {
        return Stream.of(new IllegalStateException(), new IOException(), new NoClassDefFoundError());
    }

    @ParameterizedTest
    @MethodSource("whatCodeThrows")
    void failureReachesOnlyItsHandler(Throwable failure) {
        ForeignCode.run(
                () -> {
                    throw Undeclared.rethrow(failure);
                },
                failures::add);

        assertThat(failures).containsExactly(failure);
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    static Stream<Throwable> interruptions() {
        InterruptedException interrupted = new InterruptedException();
        return Stream.of(interrupted, new UndeclaredThrowableException(interrupted));
    }

    @ParameterizedTest
    @MethodSource("interruptions")
    void undeclaredInterruptionIsKept(Throwable interruption) {
        ForeignCode.run(
                () -> {
                    throw Undeclared.rethrow(interruption);
                },
                failures::add);

        assertThat(Thread.interrupted()).isTrue();
        assertThat(failures).hasSize(1);
    }

    @Test
    void resultIsThatOfTheCodeUnlessItFails() {
        assertThat(ForeignCode.call(() -> "result", "instead", failures::add)).isEqualTo("result");
        assertThat(ForeignCode.call(
                        () -> {
                            throw new IllegalStateException();
                        },
                        "instead",
                        failures::add))
                .isEqualTo("instead");
    }
}
