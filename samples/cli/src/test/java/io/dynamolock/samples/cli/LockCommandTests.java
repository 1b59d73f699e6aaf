/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dynamolock.Lease;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(120)
class LockCommandTests {

    /** For the script {@code $1}: its arguments from {@code $2} on, one a line. */
    private static final String PRINT = "file=$1; shift; for each; do echo \"<$each>\"; done > \"$file\"";

    private final TestTable table = TestTable.create();

    @TempDir
    private Path folder;

    @AfterEach
    void close() {
        table.close();
    }

    @ParameterizedTest
    @CsvSource({"exit 0, 0", "exit 3, 3", "kill -9 $$, 137", "kill -15 $$, 143"})
    void exitCodeIsThatOfCommand(String script, int exitCode) {
        Run run = lock("job", "--", "sh", "-c", script);

        assertThat(run).isEqualTo(new Run(exitCode, "", ""));
        assertThat(table.isFree("job")).isTrue();
        assertThat(Objects.requireNonNull(table.inspect("job").lastHold()).failed())
                .isEqualTo(exitCode != 0);
    }

    @Test
    void environmentOfCommandNamesLockTokenAndOwner() throws IOException {
        Path file = folder.resolve("environment");

        lock("job", "--owner", "me", "--name-prefix", "app/", "--", "sh", "-c", "env | grep ^DYNAMOLOCK_ > " + file);

        assertThat(Files.readAllLines(file))
                .containsExactlyInAnyOrder(
                        "DYNAMOLOCK_NAME=job",
                        "DYNAMOLOCK_OWNER=me",
                        "DYNAMOLOCK_TOKEN=" + table.inspect("app/job").fencingToken());
    }

    @Test
    void argumentsReachCommandUnchanged() throws IOException {
        Path file = folder.resolve("arguments");
        List<String> odd =
                List.of("", " a  b ", "@" + file, "--", "--wait", "-h", "${HOME}", "$HOME", "'q'", "\"", "x=1", "ä");
        List<String> args = new ArrayList<>(List.of("job", "--", "sh", "-c", PRINT, "sh", file.toString()));
        args.addAll(odd);

        lock(args.toArray(String[]::new));

        assertThat(Files.readAllLines(file))
                .containsExactlyElementsOf(
                        odd.stream().map(arg -> "<" + arg + ">").toList());
    }

    @Test
    void lockIsHeldAndRenewedWhileCommandRuns() throws IOException {
        Path end = folder.resolve("end");
        CompletableFuture<Run> run =
                lockLater("job", "--lease", "1s", "--", "sh", "-c", "until [ -e " + end + " ]; do sleep 0.05; done");
        await().until(() -> table.isHeld("job"));
        Instant first = Objects.requireNonNull(table.inspect("job").expiresAt());

        await().until(() -> first.plusSeconds(1)
                .isBefore(Objects.requireNonNull(table.inspect("job").expiresAt())));
        Files.createFile(end);

        assertThat(run.join().exitCode()).isZero();
        assertThat(table.isFree("job")).isTrue();
    }

    @Test
    void busyLockIsReportedWithItsHolder() throws InterruptedException {
        Run run;
        try (Lease lease = table.locks().acquire("job")) {
            run = lock("job", "--", "touch", folder.resolve("ran").toString());

            assertThat(run.err())
                    .isEqualTo("dynamolock: lock 'job' is held by 'rival' since %s, until %s unless renewed%n"
                            .formatted(
                                    table.inspect("job").acquiredAt(),
                                    table.inspect("job").expiresAt()))
                    .contains(lease.owner());
        }

        assertThat(run.exitCode()).isEqualTo(75);
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void busyLockIsWaitedFor() throws Exception {
        Lease lease = table.locks().acquire("job");
        try (Proxy proxy = new Proxy()) {
            String[] line = Run.line(proxy.endpoint(), table, "lock", "job", "--wait", "1m", "--", "true");
            CompletableFuture<Run> run = CompletableFuture.supplyAsync(() -> Run.of(line));
            List<String> sent = proxy.operations();
            await().until(() -> sent.contains("UpdateItem") && sent.indexOf("UpdateItem") < sent.size() - 1);

            lease.close();

            assertThat(run.get(1, TimeUnit.MINUTES).exitCode()).isZero();
        }
    }

    @Test
    void waitEnds() throws InterruptedException {
        try (Lease lease = table.locks().acquire("job")) {
            assertThat(lock(lease.name(), "--wait", "300ms", "--", "true").exitCode())
                    .isEqualTo(75);
        }
    }

    @Test
    void minimumTimeKeepsLock() {
        lock("job", "--owner", "me", "--min-hold", "1m", "--", "true");

        assertThat(lock("job", "--", "true"))
                .isEqualTo(new Run(
                        75,
                        "",
                        "dynamolock: lock 'job' is kept until %s, although 'me' has released it%n"
                                .formatted(table.inspect("job").expiresAt())));
    }

    @Test
    void missingCommandLeavesNothingLocked() {
        Run run = lock("job", "--min-hold", "1m", "--", "no-such-command", "-x");

        assertThat(run)
                .isEqualTo(new Run(
                        127, "", "dynamolock: cannot run 'no-such-command': No such file or directory%n".formatted()));
        assertThat(table.isFree("job")).isTrue();
    }

    @Test
    void commandThatCannotBeRunLeavesNothingLocked() throws IOException {
        Path file = Files.createFile(folder.resolve("text"));

        Run run = lock("job", "--", file.toString());

        assertThat(run).isEqualTo(new Run(126, "", "dynamolock: cannot run '%s': Permission denied%n".formatted(file)));
        assertThat(table.isFree("job")).isTrue();
    }

    @Test
    void lostLockStopsCommandWithItsChildren() {
        Path children = folder.resolve("children");
        String script = "trap '' TERM; sleep 300 & echo $! > %s; while :; do sleep 0.1; done".formatted(children);
        CompletableFuture<Run> run =
                lockLater("job", "--lease", "1s", "--kill-after", "300ms", "--", "sh", "-c", script);
        await().until(() -> Files.exists(children) && Files.size(children) > 0);

        table.free("job");

        assertThat(run.join().err())
                .startsWith("dynamolock: The lease of ")
                .contains(" on lock 'job' is lost: ")
                .endsWith("; stopping the command" + System.lineSeparator());
        assertThat(run.join().exitCode()).isEqualTo(70);
        await().until(() -> !isAlive(children));
    }

    private static boolean isAlive(Path file) throws IOException {
        return ProcessHandle.of(Long.parseLong(Files.readString(file).strip())).isPresent();
    }

    @Test
    void commandMayEndInOrderWhenItsLockIsLost() {
        Path started = folder.resolve("started");
        // The shell itself reports on stderr that its "sleep" was terminated
        String script =
                "exec 2> /dev/null; trap 'exit 9' TERM; touch %s; while :; do sleep 0.1; done".formatted(started);
        CompletableFuture<Run> run = lockLater("job", "--lease", "1s", "--", "sh", "-c", script);
        await().until(() -> Files.exists(started));

        Instant asked = Instant.now();
        table.free("job");

        assertThat(run.join().exitCode()).isEqualTo(70);
        assertThat(Duration.between(asked, Instant.now())).isLessThan(Duration.ofSeconds(10));
    }

    @Test
    void lossIsFoundAtReleaseAtTheLatest() {
        Path started = folder.resolve("started");
        Path end = folder.resolve("end");
        String script = "touch %s; until [ -e %s ]; do sleep 0.05; done".formatted(started, end);
        CompletableFuture<Run> run = lockLater("job", "--owner", "me", "--lease", "10m", "--", "sh", "-c", script);
        await().until(() -> Files.exists(started));

        table.free("job");
        await().until(() -> Files.createFile(end) != null);

        assertThat(run.join())
                .isEqualTo(new Run(
                        70, "", "dynamolock: The lease of 'me' on lock 'job' is lost: it was revoked%n".formatted()));
    }

    @Test
    void missingTableIsAnError() {
        Run run = Run.of(
                "lock",
                "job",
                "--table",
                "no-such-table",
                "--endpoint",
                TestTable.endpoint().toString(),
                "--",
                "true");

        assertThat(run.exitCode()).isEqualTo(70);
        assertThat(run.err())
                .isEqualTo(
                        ("dynamolock: table 'no-such-table' does not exist in this Region for these credentials, or is"
                                        + " not ready; create it: dynamolock create-table --table no-such-table --endpoint %s%n")
                                .formatted(TestTable.endpoint()));
    }

    private Run lock(String... args) {
        return Run.on(table, "lock", args);
    }

    private CompletableFuture<Run> lockLater(String... args) {
        return CompletableFuture.supplyAsync(() -> lock(args)).orTimeout(60, TimeUnit.SECONDS);
    }
}
