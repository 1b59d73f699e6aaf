/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.dynamolock.LeaseTime;
import io.dynamolock.LockSettings;
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
    private static final Duration SHORT_LEASE = Duration.ofSeconds(2);
    private static final Duration ERROR = Duration.ofMinutes(10);

    /** Three quarters of a second, mostly for a busy machine. */
    private static final Duration TOLERANCE = Duration.ofMillis(750);

    private static String library = "";

    private final String table = LocalDynamoDb.newTable();

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

    private ChildJvm ahead(LeaseTime time, Duration lease) throws IOException {
        return start(time, lease, "+10m");
    }

    private ChildJvm behind(LeaseTime time, Duration lease) throws IOException {
        return start(time, lease, "-10m");
    }

    /** Fakes the wall clock only: a JVM with a faked monotonic clock hardly starts. */
    private ChildJvm start(LeaseTime time, Duration lease, String wallError) throws IOException {
        return ChildJvm.start(
                table,
                lease,
                time,
                Map.of(
                        "LD_PRELOAD",
                        library,
                        "FAKETIME",
                        wallError,
                        "FAKETIME_DONT_FAKE_MONOTONIC",
                        "1",
                        "FAKETIME_FORCE_MONOTONIC_FIX",
                        "0"));
    }

    private static void awaitReady(ChildJvm ahead, ChildJvm behind) throws InterruptedException {
        ahead.whenReady().send("clock");
        behind.whenReady().send("clock");
        long apart = ahead.receiveNumber("clock") - behind.receiveNumber("clock");
        assertThat(Duration.ofMillis(apart)).isCloseTo(ERROR.multipliedBy(2), Duration.ofMinutes(1));
    }

    @ParameterizedTest
    @EnumSource(names = {"SERVER", "OBSERVED"})
    void wrongClocksKeepExclusion(LeaseTime time, @TempDir Path folder) throws Exception {
        Path counter = Files.writeString(folder.resolve("counter"), "0");
        Path journal = Files.createFile(folder.resolve("journal"));
        Duration generous = Duration.ofSeconds(30);
        try (ChildJvm ahead = ahead(time, generous);
                ChildJvm behind = behind(time, generous)) {
            awaitReady(ahead, behind);
            ahead.send("count", "job", folder, 6);
            behind.send("count", "job", folder, 6);

            assertThat(ahead.receive()).isEqualTo("counted");
            assertThat(behind.receive()).isEqualTo("counted");
        }
        List<String> entries = Files.readAllLines(journal);
        assertThat(Files.readString(counter)).isEqualTo("96");
        assertThat(entries.stream().map(entry -> Long.parseLong(entry.split(" ", -1)[0])))
                .hasSize(96)
                .isSorted()
                .doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @EnumSource(names = {"SERVER", "OBSERVED"})
    void eachProcessKeepsItsLock(LeaseTime time) throws Exception {
        try (ChildJvm ahead = ahead(time, LEASE);
                ChildJvm behind = behind(time, LEASE)) {
            awaitReady(ahead, behind);
            ahead.send("hold", "job-ahead");
            ahead.receiveNumber("token");
            behind.send("hold", "job-behind");
            behind.receiveNumber("token");

            for (int i = 0; i < 15; i++) {
                ahead.send("try", "job-behind");
                behind.send("try", "job-ahead");
                assertThat(List.of(ahead.receive(), behind.receive())).containsOnly("busy");
                Thread.sleep(LEASE.dividedBy(10).toMillis());
            }
        }
    }

    /**
     * On the store's time, clocks with many samples need little more than the skew, and a waiter that starts shortly before
     * the end cannot take over by observation that early. The second holder is killed as well, so that the dead holder's
     * clock is wrong in either direction.
     */
    @ParameterizedTest
    @EnumSource(names = {"SERVER", "OBSERVED"})
    void deadHolderIsReplacedWithinBoundNeverEarlier(LeaseTime time) throws Exception {
        try (ChildJvm first = ahead(time, SHORT_LEASE);
                ChildJvm second = behind(time, SHORT_LEASE);
                ChildJvm third = ahead(time, SHORT_LEASE)) {
            awaitReady(first, second);
            third.whenReady();
            for (ChildJvm process : List.of(first, second, third)) {
                process.send("talk", 1500);
            }
            for (ChildJvm process : List.of(first, second, third)) {
                assertThat(process.receive()).isEqualTo("talked");
            }
            first.send("hold", "job");
            long token = first.receiveNumber("token");

            long next = isTakenInTime(time, first, ERROR, second);
            assertThat(next).isGreaterThan(token);
            assertThat(isTakenInTime(time, second, ERROR.negated(), third)).isGreaterThan(next);
        }
    }

    private static long isTakenInTime(LeaseTime time, ChildJvm holder, Duration wallError, ChildJvm rival)
            throws InterruptedException {
        TakeoverRun takeover = TakeoverRun.of(holder, SHORT_LEASE, wallError);
        try (Stalls stalls = new Stalls()) {
            takeover.waitUntil(SHORT_LEASE.multipliedBy(9).dividedBy(10));
            rival.send("wait", "job");
            long token = rival.receiveNumber("token");
            Duration took = takeover.time();
            Duration late = stalls.total();
            assertThat(took).isGreaterThanOrEqualTo(SHORT_LEASE);
            Duration bound =
                    SHORT_LEASE.plus(time == LeaseTime.SERVER ? LockSettings.DEFAULTS.maxClockSkew() : SHORT_LEASE);
            assertThat(took.minus(late))
                    .as("%s after the last renewal, of which the machine was late by %s", took, late)
                    .isLessThan(bound.plus(TOLERANCE));
            return token;
        }
    }
}
