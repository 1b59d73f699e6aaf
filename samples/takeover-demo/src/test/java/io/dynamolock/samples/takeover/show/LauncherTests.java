/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.takeover.show;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.samples.takeover.TakeoverDemo;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Runs the real thing, shortly: DynamoDB Local and worker processes. */
@Timeout(300)
@Tag("proof")
class LauncherTests {

    private final ByteArrayOutputStream output = new ByteArrayOutputStream();

    @TempDir
    private Path journals;

    /** In each build, and so short that a slow machine need not show anything yet. */
    @Test
    void runsToItsEndAndLeavesNoProcess() throws Exception {
        int exitCode = run("--seconds", "1", "--workers", "2", "--without-locks");

        assertThat(lines()).anyMatch(line -> line.contains("KILLED"));
        assertThat(lines()).last().asString().startsWith("RESULT: ");
        assertThat(exitCode).isEqualTo(1);
        assertThat(ProcessHandle.current().children()).isEmpty();
    }

    @Test
    @Tag("proof")
    void showsThatNothingOverlapsAndThatAKilledWorkersLockIsTakenOver() throws Exception {
        int exitCode = run("--seconds", "5", "--workers", "2");

        assertThat(lines()).last().asString().startsWith("RESULT: OK ");
        assertThat(exitCode).isZero();
        assertThat(lines()).anyMatch(line -> line.contains("KILLED")).anyMatch(line -> line.contains("TOOK OVER"));
        assertThat(ProcessHandle.current().children()).isEmpty();
    }

    @Test
    @Tag("proof")
    void showsTheOverlapsWithoutLocks() throws Exception {
        int exitCode = run("--seconds", "2", "--workers", "2", "--without-locks");

        assertThat(lines()).last().asString().startsWith("RESULT: OVERLAPS ");
        assertThat(exitCode).isEqualTo(1);
        assertThat(ProcessHandle.current().children()).isEmpty();
    }

    @Test
    void explainsItselfWhenTheOptionsAreWrong() throws Exception {
        int exitCode = run("--seconds", "soon");

        assertThat(lines()).first().isEqualTo("--seconds must be a number from 1 to 3600: soon");
        assertThat(lines()).contains(Options.USAGE.lines().toList().get(0));
        assertThat(exitCode).isEqualTo(2);
    }

    private int run(String... args) throws Exception {
        String[] all = new String[args.length + 2];
        System.arraycopy(args, 0, all, 2, args.length);
        all[0] = "--journals";
        all[1] = journals.toString();
        return Launcher.run(TakeoverDemo.class, new PrintStream(output, true, StandardCharsets.UTF_8), all);
    }

    private List<String> lines() {
        return output.toString(StandardCharsets.UTF_8).lines().toList();
    }
}
