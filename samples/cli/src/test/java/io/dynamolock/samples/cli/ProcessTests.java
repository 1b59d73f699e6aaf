/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.dynamolock.Lease;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Processes of the command line, signals, and what they leave behind. */
@Timeout(300)
class ProcessTests {

    static {
        Awaitility.setDefaultTimeout(Duration.ofSeconds(60));
    }

    private final TestTable table = TestTable.create();

    @TempDir
    private Path folder;

    @AfterEach
    void close() {
        table.close();
    }

    /** A script that says that it runs, and ends in order when it is asked to. */
    private static String script(String onSignal) {
        return "echo \"$$ $DYNAMOLOCK_TOKEN\"; trap '" + onSignal + "' TERM; while :; do sleep 0.1; done";
    }

    private CliProcess lock(String... args) throws IOException {
        return CliProcess.start(folder, table, "lock", args);
    }

    /** Waits until the script runs, and returns the words that it has printed. */
    private static String[] awaitStart(CliProcess process) {
        await().until(() -> process.out().contains("\n"));
        try {
            return process.out().strip().split(" ");
        } catch (IOException impossible) {
            throw new AssertionError(impossible);
        }
    }

    @Test
    void signalReachesCommandBeforeLockIsReleased() throws Exception {
        String onSignal = "until [ -e %s ]; do sleep 0.05; done; exit 9".formatted(folder.resolve("end"));
        try (CliProcess process = lock("job", "--", "sh", "-c", script(onSignal))) {
            String token = awaitStart(process)[1];
            assertThat(token).isEqualTo(table.inspect("job").fencingToken() + "");

            process.signal("TERM");
            assertThat(table.isHeld("job")).isTrue();
            Files.createFile(folder.resolve("end"));

            assertThat(process.end()).isEqualTo(9);
            assertThat(process.err()).doesNotContain("dynamolock");
            assertThat(table.isFree("job")).isTrue();
        }
    }

    /** Without it, nobody would renew the lease, and the command would go on without the lock. */
    @Test
    @Tag("proof")
    void killedProcessTakesCommandWithItAndItsLockExpires() throws Exception {
        try (CliProcess process = lock("job", "--lease", "2s", "--kill-after", "1s", "--", "sh", "-c", script(""))) {
            long command = Long.parseLong(awaitStart(process)[0]);
            long token = table.inspect("job").fencingToken();

            process.signal("KILL");

            await().until(() -> ProcessHandle.of(command).isEmpty());
            try (Lease next = table.locks().acquire("job", Duration.ofMinutes(1))) {
                assertThat(next.fencingToken()).isGreaterThan(token);
            }
        }
    }

    @Test
    @Tag("proof")
    void lockOfKilledProcessIsNotFreeBeforeItsLeaseEnds() throws Exception {
        try (CliProcess process = lock("job", "--lease", "5s", "--", "sh", "-c", script("exit"))) {
            awaitStart(process);
            process.signal("KILL");
            Instant end = Objects.requireNonNull(table.inspect("job").expiresAt());

            try (CliProcess busy = lock("job", "--", "true")) {
                assertThat(busy.end()).isEqualTo(75);
                assertThat(busy.err()).contains("lock 'job' is held by '");
            }
            try (CliProcess next = lock("job", "--wait", "1m", "--", "date", "+%s%N")) {
                assertThat(next.end()).isZero();
                Instant started = Instant.ofEpochMilli(Long.parseLong(next.out().strip()) / 1_000_000);
                assertThat(started).isBetween(end.minusSeconds(1), end.plusSeconds(5));
            }
        }
    }

    @Test
    @Tag("proof")
    void signalEndsWaitForLock() throws Exception {
        try (Lease held = table.locks().acquire("job");
                Proxy proxy = new Proxy();
                CliProcess process = CliProcess.start(
                        folder,
                        List.of(),
                        proxy.endpoint(),
                        table,
                        "lock",
                        "job",
                        "--wait",
                        "10m",
                        "--",
                        "touch",
                        folder + "/ran")) {
            await().until(() -> proxy.operations().size() > 2);
            assertThat(process.isAlive()).isTrue();

            process.signal("TERM");

            assertThat(process.end()).isEqualTo(143);
            held.release();
            assertThat(table.isFree("job")).isTrue();
            assertThat(folder.resolve("ran")).doesNotExist();
        }
    }

    @Test
    @Tag("proof")
    void interruptReachesCommandAsSigterm() throws Exception {
        assumeInterruptsAreHandled();
        try (CliProcess process = lock("job", "--", "sh", "-c", script("exit 9"))) {
            awaitStart(process);

            process.signal("INT");

            assertThat(process.end()).isEqualTo(9);
        }
    }

    /** A command inherits what is ignored, and a shell cannot trap it. */
    private static void assumeInterruptsAreHandled() throws IOException {
        assumeThat(Files.readString(Path.of("/proc/self/status")).lines().filter(line -> line.startsWith("SigIgn")))
                .as("SIGINT is not ignored, as it is for background jobs of a shell")
                .allMatch(line -> (Long.parseUnsignedLong(line.split("\\s+", -1)[1], 16) & 2) == 0);
    }

    /** The terminal sends it to the command as well, which may take a second one as impatience. */
    @Test
    @Tag("proof")
    void interruptOfTerminalReachesCommandOnce() throws Exception {
        assumeThat(Path.of("/usr/bin/script")).exists();
        assumeInterruptsAreHandled();
        Path count = folder.resolve("count");
        Path command = Files.writeString(folder.resolve("command"), """
                trap 'echo INT >> %1$s' INT
                trap 'echo TERM >> %1$s' TERM
                touch %1$s; for i in 1 2 3 4 5 6 7 8 9 10; do sleep 0.2; done; exit 5
                """.formatted(count));
        // without the second exec, a dash stays in between and ends by the interrupt
        List<String> terminal = List.of("sh", "-c", "exec setsid script -qefc \"exec $*\" /dev/null", "sh");
        try (CliProcess process = CliProcess.start(
                folder, terminal, TestTable.endpoint(), table, "lock", "job", "--", "sh", command.toString())) {
            await().until(() -> Files.exists(count));

            process.type("\u0003");

            assertThat(process.end()).isEqualTo(5);
            assertThat(count).hasContent("INT\n");
        }
    }

    @Test
    @Tag("proof")
    void muchOutputPassesThrough() throws Exception {
        String script = "head -c 3000000 /dev/zero | tr '\\0' x; head -c 3000000 /dev/zero | tr '\\0' y >&2";
        try (CliProcess process = lock("job", "--", "sh", "-c", script)) {
            assertThat(process.end()).isZero();
            assertThat(process.out()).hasSize(3_000_000).doesNotContain("y");
            assertThat(process.err()).hasSize(3_000_000).doesNotContain("x");
        }
    }

    @Test
    @Tag("proof")
    void commandIsStoppedWhenStoreStopsAnswering() throws Exception {
        try (Proxy proxy = new Proxy();
                CliProcess process = CliProcess.start(
                        folder,
                        List.of(),
                        proxy.endpoint(),
                        table,
                        "lock",
                        "job",
                        "--lease",
                        "4s",
                        "--",
                        "sh",
                        "-c",
                        script("exit 9"))) {
            awaitStart(process);
            Instant silent = Instant.now();
            proxy.silence();

            assertThat(process.end()).isEqualTo(70);
            assertThat(process.err()).contains("was not renewed in time");
            assertThat(Duration.between(silent, Instant.now())).isLessThan(Duration.ofSeconds(20));
        }
    }

    @Test
    @Tag("proof")
    void commandKeepsItsExitCodeWhenLockCannotBeReleased() throws Exception {
        Path end = folder.resolve("end");
        try (Proxy proxy = new Proxy();
                CliProcess process = CliProcess.start(
                        folder,
                        List.of(),
                        proxy.endpoint(),
                        table,
                        "lock",
                        "job",
                        "--",
                        "sh",
                        "-c",
                        "echo; until [ -e %s ]; do sleep 0.05; done; exit 3".formatted(end))) {
            awaitStart(process);
            proxy.silence();
            Files.createFile(end);

            assertThat(process.end()).isEqualTo(3);
            assertThat(process.err()).contains("the command ended with 3, and lock 'job' stays held until ");
        }
    }

    @Test
    @Tag("proof")
    void storeThatDoesNotRespondIsAnError() throws Exception {
        try (Proxy proxy = new Proxy()) {
            proxy.silence();
            try (CliProcess process =
                    CliProcess.start(folder, List.of(), proxy.endpoint(), table, "lock", "job", "--", "true")) {
                assertThat(process.end()).isEqualTo(70);
                assertThat(process.err().lines()).singleElement().asString().contains("no response in time");
            }
        }
    }

    @Test
    @Tag("proof")
    void signalIsTheResultIfStoreDoesNotRespondAndTheSameAgainEndsTheProcess() throws Exception {
        try (Proxy proxy = new Proxy()) {
            proxy.silence();
            try (CliProcess patient = silenced(proxy);
                    CliProcess hasty = silenced(proxy)) {
                await().until(() -> proxy.operations().size() == 2);
                patient.signal("TERM");
                await().until(() -> {
                    hasty.signal("TERM");
                    return !hasty.isAlive();
                });
                patient.signal("HUP");

                assertThat(hasty.end()).isEqualTo(143);
                assertThat(hasty.err())
                        .startsWith("dynamolock: ended by a second SIGTERM during a request: the lock may stay held");
                assertThat(patient.isAlive()).isTrue();
                assertThat(patient.end()).isEqualTo(143);
                assertThat(patient.err()).isEmpty();
            }
        }
    }

    /** GNU timeout sends its signal to its process group and to the program, which is one request to end. */
    @Test
    @Tag("proof")
    void signalTwiceAtOnceLeavesNothingLocked() throws Exception {
        assumeThat(Path.of("/usr/bin/timeout")).exists();
        try (Proxy proxy = new Proxy()) {
            proxy.withholdResponsesTo("UpdateItem");
            try (CliProcess twice = lockBy(proxy, List.of(), "one");
                    CliProcess timeout = lockBy(proxy, List.of("timeout", "600"), "two")) {
                await().until(() -> table.isHeld("one") && table.isHeld("two"));
                twice.signal("TERM");
                twice.signal("TERM");
                timeout.signal("TERM");

                for (CliProcess process : List.of(twice, timeout)) {
                    assertThat(process.end()).isEqualTo(143);
                    assertThat(process.err()).isEmpty();
                }
                assertThat(table.isFree("one") && table.isFree("two")).isTrue();
            }
        }
    }

    @Test
    @Tag("proof")
    void signalTwiceAtOnceReachesCommandOnce() throws Exception {
        Path count = folder.resolve("count");
        try (CliProcess process = lock("job", "--", "sh", "-c", script("echo TERM >> " + count))) {
            awaitStart(process);

            process.signal("TERM");
            process.signal("TERM");

            await().until(() -> Files.exists(count));
            await().during(Duration.ofSeconds(1))
                    .atMost(Duration.ofSeconds(5))
                    .until(() -> Files.readString(count).equals("TERM\n"));
        }
    }

    private CliProcess silenced(Proxy proxy) throws IOException {
        return lockBy(proxy, List.of(), "job");
    }

    private CliProcess lockBy(Proxy proxy, List<String> wrapper, String name) throws IOException {
        return CliProcess.start(folder, wrapper, proxy.endpoint(), table, "lock", name, "--", "true");
    }

    @Test
    @Tag("proof")
    void settingsOfEnvironmentAndProfileAreUsed() throws Exception {
        String endpoint = TestTable.endpoint().toString().replace("http:", "HTTP:");
        Path configuration = Files.writeString(
                folder.resolve("config"), "[default]\nregion = a.b\n[profile test]\nendpoint_url = " + endpoint);
        String here = configuration.toString();
        Map<String, String> ofProfile = Map.of("AWS_CONFIG_FILE", here, "AWS_PROFILE", "test");
        Map<String, String> wrong = Map.of("AWS_CONFIG_FILE", here, "AWS_REGION", "", "AWS_ENDPOINT_URL", endpoint);

        assertThat(listing(ofProfile)).startsWith("0 STATUS ");
        assertThat(listing(Map.of("AWS_ENDPOINT_URL_DYNAMODB", endpoint))).startsWith("0 STATUS ");
        assertThat(listing(Map.of("AWS_ENDPOINT_URL", endpoint))).startsWith("0 STATUS ");
        assertThat(listing(Map.of("AWS_REGION", "a.b"))).startsWith("64 dynamolock: AWS_REGION: 'a.b' is not a Region");
        assertThat(listing(wrong)).startsWith("64 dynamolock: region of profile 'default': 'a.b' is not a Region");
    }

    private String listing(Map<String, String> environment) throws Exception {
        List<String> line = List.of(
                CliProcess.java(),
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "list",
                "--table",
                table.name());
        try (CliProcess process = CliProcess.run(folder, line, environment)) {
            return process.end() + " " + process.out() + process.err();
        }
    }
}
