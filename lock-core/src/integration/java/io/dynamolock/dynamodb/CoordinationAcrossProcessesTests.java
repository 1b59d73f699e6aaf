/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.LockSettings;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Semaphores, read-write locks and elections of real processes, of which some are killed (SIGKILL). */
@Tag("proof")
class CoordinationAcrossProcessesTests {

    private static final Duration LEASE = Duration.ofSeconds(2);

    /** The lease, the skew, two widths of the store's time, and what a busy machine is late. */
    private static final Duration LATEST =
            LEASE.plus(LockSettings.DEFAULTS.maxClockSkew()).plusSeconds(4);

    private final String table = LocalDynamoDb.newTable();

    @TempDir
    Path folder;

    @Test
    void semaphoreNeverExceedsItsPermits() throws Exception {
        List<Integer> sums = sumsOf("permits", 3);

        assertThat(sums)
                .hasSize(2 * 3 * 3 * 15)
                .allMatch(sum -> sum >= 0 && sum <= 2)
                .contains(2);
    }

    @Test
    void writersExcludeAllAndAreNotStarved() throws Exception {
        List<Integer> sums = sumsOf("readAndWrite", 2);

        assertThat(sums)
                .hasSize(2 * 2 * (3 * 15 + 5))
                .allMatch(sum -> (sum >= 0 && sum <= 3) || sum == 1_000)
                .contains(1_000);
    }

    private List<Integer> sumsOf(String command, int processes) throws Exception {
        Path file = folder.resolve("sums");
        List<ChildJvm> all = new ArrayList<>();
        try {
            for (int i = 0; i < processes; i++) {
                all.add(start());
            }
            for (ChildJvm process : all) {
                process.whenReady();
            }
            all.forEach(process -> process.send(command, file));
            for (ChildJvm process : all) {
                assertThat(process.receive()).isEqualTo("counted");
            }
        } finally {
            all.forEach(ChildJvm::close);
        }
        ByteBuffer sums = ByteBuffer.wrap(Files.readAllBytes(file)).position(4);
        List<Integer> list = new ArrayList<>();
        while (sums.hasRemaining()) {
            list.add(sums.getInt());
        }
        return list;
    }

    @Test
    void permitsOfKilledProcessComeBackAfterTheirLease() throws Exception {
        try (ChildJvm holder = start();
                ChildJvm rival = start()) {
            holder.whenReady().send("permit");
            holder.receiveNumber("token");
            rival.whenReady().send("permit");
            rival.receiveNumber("token");

            TakeoverRun takeover = TakeoverRun.of(holder, LEASE);
            rival.send("permit");
            rival.receiveNumber("token");

            assertThat(takeover.time()).isBetween(LEASE, LATEST);
        }
    }

    @Test
    void killedLeaderIsSucceededAfterItsLease() throws Exception {
        try (ChildJvm leader = start();
                ChildJvm candidate = start()) {
            leader.whenReady().send("lead");
            Map<String, Long> elected = electionOf(leader);
            candidate.whenReady().send("lead");
            assertThat(candidate.receive()).isEqualTo("campaigns");

            TakeoverRun takeover = TakeoverRun.of(leader, LEASE);
            long token = candidate.receiveNumber("token");

            assertThat(takeover.time()).isBetween(LEASE, LATEST);
            assertThat(token).isGreaterThan(elected.get("token"));
        }
    }

    /** The two lines come in any order. */
    private static Map<String, Long> electionOf(ChildJvm process) throws InterruptedException {
        String one = process.receive();
        String other = process.receive();
        String token = one.startsWith("token ") ? one : other;
        return Map.of("token", Long.parseLong(token.substring("token ".length())));
    }

    private ChildJvm start() throws IOException {
        return ChildJvm.start(CoordinationProcess.class, LocalDynamoDb.endpoint(), table, LEASE.toMillis());
    }
}
