/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.cli;

import io.dynamolock.Lease;
import io.dynamolock.LeaseLostException;
import io.dynamolock.LockStoreException;
import io.dynamolock.ReleaseOutcome;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Runs one command under a lease, which it then releases. */
final class LockedRun {

    /** In the messages of {@link ProcessBuilder#start}, whose form depends on the JDK. */
    private static final Pattern SYSTEM_ERROR = Pattern.compile("error[=:] ?(\\d+)[, (]+([^()]+)");

    private static final String NO_SUCH_FILE = "2";

    private final Lease lease;
    private final Duration killAfter;
    private final Consumer<String> report;
    private boolean lossReported;

    LockedRun(Lease lease, Duration killAfter, Consumer<String> report) {
        this.lease = lease;
        this.killAfter = killAfter;
        this.report = report;
    }

    /**
     * Runs the command to its end.
     *
     * @return the exit code; empty if a signal came first, so that nothing ran and the lease is still held
     * @throws FailedException if the command cannot be started, so that the lease is still held
     */
    Optional<Integer> run(List<String> command, StopSignals signals) throws InterruptedException {
        Optional<LockedProcess> process;
        try {
            process = signals.unlessReceived(() -> LockedProcess.start(command, environment(), killAfter));
        } catch (IOException failure) {
            throw cannotRun(command.get(0), failure);
        }
        return process.isPresent() ? Optional.of(runToEnd(process.get())) : Optional.empty();
    }

    private int runToEnd(LockedProcess process) throws InterruptedException {
        Guard guard = Guard.of(process.pid(), killAfter);
        int exitCode;
        try {
            lease.onLost(loss -> stop(process));
            exitCode = process.await();
        } finally {
            guard.close();
        }
        if (exitCode != 0) {
            lease.markFailed();
        }
        return release(process, exitCode);
    }

    private Map<String, String> environment() {
        return Map.of(
                "DYNAMOLOCK_NAME",
                lease.name(),
                "DYNAMOLOCK_TOKEN",
                Long.toString(lease.fencingToken()),
                "DYNAMOLOCK_OWNER",
                lease.owner());
    }

    private void stop(LockedProcess process) {
        reportLoss(process);
        try {
            process.stop();
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
        }
    }

    /** Reports the loss once: its callback and the release find it in any order. */
    private synchronized void reportLoss(LockedProcess process) {
        if (!lossReported) {
            lossReported = true;
            report.accept(process.isAlive() ? reason() + "; stopping the command" : reason());
        }
    }

    private String reason() {
        try {
            lease.ensureHeld();
        } catch (LeaseLostException loss) {
            return String.valueOf(loss.getMessage());
        } catch (IllegalStateException expiredDuringRelease) {
            // the reason is unknown
        }
        return "lock '%s' was lost while the command ran".formatted(lease.name());
    }

    /** Releases the lock, and returns the exit code of this program. */
    private int release(LockedProcess process, int exitCode) {
        try {
            if (lease.release() != ReleaseOutcome.RELEASED) {
                reportLoss(process);
                return ExitCode.ERROR;
            }
        } catch (LockStoreException failure) {
            report.accept("the command ended with %d, and lock '%s' stays held until %s: %s"
                    .formatted(exitCode, lease.name(), lease.expiresAt(), failure.getMessage()));
        }
        return exitCode;
    }

    private static FailedException cannotRun(String program, IOException failure) {
        Matcher error = SYSTEM_ERROR.matcher(String.valueOf(failure.getMessage()));
        boolean known = error.find();
        String reason = known ? error.group(2) : String.valueOf(failure.getMessage());
        boolean missing = known && error.group(1).equals(NO_SUCH_FILE);
        return new FailedException(
                "cannot run '%s': %s".formatted(program, reason),
                missing ? ExitCode.NOT_FOUND : ExitCode.NOT_EXECUTABLE);
    }
}
