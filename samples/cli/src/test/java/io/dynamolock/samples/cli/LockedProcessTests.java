/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.io.OutputStream;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The order in which the processes of a command are asked to end. */
class LockedProcessTests {

    private final List<String> signalled = new ArrayList<>();

    /** A shell whose child ends before it would go on to its next line. */
    @Test
    void commandIsAskedToEndBeforeItsChildren() {
        new LockedProcess(new Shell(), Duration.ZERO).terminate();

        assertThat(signalled).containsExactly("shell", "child", "grandchild");
    }

    private ProcessHandle handle(String name) {
        return (ProcessHandle) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {ProcessHandle.class}, (handle, method, arguments) -> {
                    return switch (method.getName()) {
                        case "destroy" -> signalled.add(name);
                        case "hashCode" -> name.hashCode();
                        case "equals" -> handle == arguments[0];
                        default -> throw new UnsupportedOperationException(method.getName());
                    };
                });
    }

    private final class Shell extends Process {

        @Override
        public ProcessHandle toHandle() {
            return handle("shell");
        }

        @Override
        public Stream<ProcessHandle> descendants() {
            return Stream.of("child", "grandchild").map(LockedProcessTests.this::handle);
        }

        @Override
        public OutputStream getOutputStream() {
            return OutputStream.nullOutputStream();
        }

        @Override
        public InputStream getInputStream() {
            return InputStream.nullInputStream();
        }

        @Override
        public InputStream getErrorStream() {
            return InputStream.nullInputStream();
        }

        @Override
        public int waitFor() {
            return 0;
        }

        @Override
        public int exitValue() {
            return 0;
        }

        @Override
        public void destroy() {}
    }
}
