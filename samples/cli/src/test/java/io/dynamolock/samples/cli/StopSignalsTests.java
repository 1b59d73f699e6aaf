/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Signals to this JVM, while a command runs. */
@Timeout(60)
class StopSignalsTests {

    private static final Duration LONGER_THAN_COPIES_TAKE = Duration.ofMillis(700);

    @Test
    void copyCountsFromItsArrivalHoweverLongTheFirstIsHandled(@TempDir Path folder) throws Exception {
        Path count = folder.resolve("count");
        String script = "exec 2> /dev/null; trap 'echo TERM >> %1$s' TERM; touch %1$s; while :; do sleep 0.1; done"
                .formatted(count);
        LockedProcess command = LockedProcess.start(List.of("sh", "-c", script), Map.of(), Duration.ZERO);
        try (StopSignals signals = StopSignals.listen(report -> {})) {
            assertThat(signals.unlessReceived(() -> command)).isPresent();
            await().until(() -> Files.exists(count));

            synchronized (command) { // which the handler needs to end it
                raise("TERM");
                raise("TERM");
                await().during(LONGER_THAN_COPIES_TAKE).until(() -> true);
            }

            await().during(LONGER_THAN_COPIES_TAKE)
                    .until(() -> Files.readString(count).equals("TERM\n"));
        } finally {
            ProcessHandle.of(command.pid()).ifPresent(ProcessHandle::destroyForcibly);
        }
    }

    private static void raise(String name) throws ReflectiveOperationException {
        Class<?> type = Class.forName("sun.misc.Signal");
        Object signal = type.getConstructor(String.class).newInstance(name);
        type.getMethod("raise", type).invoke(null, signal);
    }
}
