/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.dynamolock.LeaseTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Processes whose wall clocks are twenty minutes apart, by libfaketime. */
@Tag("soak")
class WrongClockTests {

    private static final Duration LEASE = Duration.ofSeconds(3);
    private static final Duration SKEW = Duration.ofSeconds(1);
    private static final Duration WIDTHS = Duration.ofSeconds(2);

    /** A quarter of a second, and more for a machine that is busy with other things. */
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private static String library = "";

    private final String table = LocalDynamoDb.newTable();
    private final RawItems items = new RawItems(table);

    @BeforeAll
    static void findLibrary() throws IOException {
        Optional<Path> found = Optional.empty();
        try (Stream<Path> folders = Files.list(Path.of("/usr/lib"))) {
            found = folders.map(folder -> folder.resolve("faketime").resolve("libfaketime.so.1"))
                    .filter(Files::exists)
                    .findFirst();
        }
        assumeTrue(found.isPresent(), "libfaketime is not installed (on Debian: the package faketime)");
        library = found.orElseThrow().toString();
    }

    private OtherJvm process(LeaseTime time, String wallError) throws IOException, InterruptedException {
        return process(time, wallError, LEASE);
    }

    private OtherJvm process(LeaseTime time, String wallError, Duration lease)
            throws IOException, InterruptedException {
        OtherJvm process = OtherJvm.start(
                table,
                lease,
                time,
                SKEW,
                Map.of(
                        "LD_PRELOAD",
                        library,
                        "FAKETIME",
                        wallError,
                        "FAKETIME_DONT_FAKE_MONOTONIC",
                        "1",
                        "FAKETIME_FORCE_MONOTONIC_FIX",
                        "0"));
        assertThat(process.hear()).isEqualTo("ready");
        process.tell("clock");
        long apart = process.hearNumber("clock") - System.currentTimeMillis();
        assertThat(Math.abs(apart)).as("its wall clock is wrong").isBetween(595_000L, 605_000L);
        return process;
    }

    @ParameterizedTest
    @EnumSource(names = {"SERVER", "OBSERVED"})
    void theyExcludeEachOther(LeaseTime time, @TempDir Path folder) throws Exception {
        Path counter = Files.writeString(folder.resolve("counter"), "0");
        Path journal = Files.createFile(folder.resolve("journal"));
        Duration generous = Duration.ofSeconds(30);
        try (OtherJvm ahead = process(time, "+10m", generous);
                OtherJvm behind = process(time, "-10m", generous)) {
            ahead.tell("count", "job", folder, 10);
            behind.tell("count", "job", folder, 10);

            assertThat(ahead.hear()).isEqualTo("counted");
            assertThat(behind.hear()).isEqualTo("counted");
        }
        List<String> entries = Files.readAllLines(journal);
        assertThat(Files.readString(counter)).isEqualTo("160");
        assertThat(entries.stream().map(entry -> Long.parseLong(entry.split(" ", -1)[0])))
                .hasSize(160)
                .isSorted()
                .doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @EnumSource(names = {"SERVER", "OBSERVED"})
    void aHolderKeepsItsLockFromARivalWithAnotherClock(LeaseTime time) throws Exception {
        for (String holders : List.of("+10m", "-10m")) {
            String job = "job" + holders;
            try (OtherJvm holder = process(time, holders);
                    OtherJvm rival = process(time, holders.startsWith("+") ? "-10m" : "+10m")) {
                holder.tell("hold", job);
                holder.hearNumber("token");

                for (int i = 0; i < 25; i++) {
                    rival.tell("try", job);
                    assertThat(rival.hear()).isEqualTo("busy");
                    Thread.sleep(LEASE.dividedBy(10).toMillis());
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"SERVER", "OBSERVED"})
    void aDeadHoldersLockIsTakenWithinTheBoundAndNeverBefore(LeaseTime time) throws Exception {
        for (String holders : List.of("+10m", "-10m")) {
            String job = "job" + holders;
            try (OtherJvm holder = process(time, holders);
                    OtherJvm fresh = process(time, holders.startsWith("+") ? "-10m" : "+10m")) {
                holder.tell("hold", job);
                long token = holder.hearNumber("token");
                await().until(() -> Integer.parseInt(items.text(job, "renewals")) >= 2);
                long before = System.nanoTime();
                holder.kill();
                long killed = System.nanoTime();

                fresh.tell("wait", job);
                long next = fresh.hearNumber("token");
                Duration sinceKill = Duration.ofNanos(System.nanoTime() - killed);
                Duration sinceBefore = Duration.ofNanos(System.nanoTime() - before);

                Duration bound = time == LeaseTime.SERVER ? LEASE.plus(SKEW).plus(WIDTHS) : LEASE.multipliedBy(2);
                System.out.printf("%s, holder at %s: taken %s after the kill%n", time, holders, sinceKill);
                assertThat(next).isGreaterThan(token);
                assertThat(sinceKill).isLessThan(bound.plus(PATIENCE));
                assertThat(sinceBefore).isGreaterThan(LEASE.dividedBy(2));
            }
        }
    }
}
