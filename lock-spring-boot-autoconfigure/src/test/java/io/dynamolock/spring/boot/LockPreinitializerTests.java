/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.preinitialize.BackgroundPreinitializer;
import org.springframework.core.io.support.SpringFactoriesLoader;

/** Spring Boot ignores a preinitializer that fails. */
class LockPreinitializerTests {

    @Test
    void preinitializationSucceedsWithoutThreads() {
        Set<Thread> before = threads();

        assertThatCode(new LockPreinitializer()::preinitialize).doesNotThrowAnyException();

        Set<Thread> started = threads();
        started.removeAll(before);
        assertThat(started).noneMatch(thread -> thread.getName().contains("dynamolock"));
    }

    @Test
    void springBootFindsThePreinitializer() {
        assertThat(SpringFactoriesLoader.forDefaultResourceLocation().load(BackgroundPreinitializer.class))
                .hasAtLeastOneElementOfType(LockPreinitializer.class);
    }

    private static Set<Thread> threads() {
        return new HashSet<>(Thread.getAllStackTraces().keySet());
    }
}
