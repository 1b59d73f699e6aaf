/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.cli;

import io.dynamolock.Lease;
import io.dynamolock.LeaseTime;
import io.dynamolock.LockBusyException;
import io.dynamolock.LockManager;
import io.dynamolock.LockManagerBuilder;
import io.dynamolock.LockRequest;
import io.dynamolock.LockSettings;
import io.dynamolock.LockStoreException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "lock",
        customSynopsis = LockCommand.SYNOPSIS,
        description = {
            "Runs a command while holding a lock, so that it runs in one place at a time.",
            "",
            "The lease is renewed until the command has ended, then the lock is released."
                    + " If this process dies, the command is stopped, and the lock is free when the lease expires."
                    + " If the lock is lost, the command is stopped as well.",
            ""
        },
        sortOptions = false,
        optionListHeading = "%nOptions:%n",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "*:that of the command; 128+N if signal N ended it",
            "64:the command line is wrong",
            "70:failed, or the lock was lost while the command ran",
            "75:busy: the lock is held, as the line on stderr says",
            "126:the command cannot be run",
            "127:the command was not found"
        },
        footerHeading = "%nEnvironment of the command:%n",
        footer = {
            "  DYNAMOLOCK_NAME    name of the lock",
            "  DYNAMOLOCK_TOKEN   fencing token: higher than that of all earlier holders",
            "  DYNAMOLOCK_OWNER   owner, as others see it",
            "",
            "A TIME is written 500ms, 10s, 1m30s, 2h or 1d; a number without a unit is in seconds.",
            "",
            "SIGTERM, SIGINT and SIGHUP reach the command as SIGTERM, except what a terminal sends: that reaches it anyway.",
            "",
            "Examples:",
            "  dynamolock lock nightly-report -- ./report.sh",
            "  dynamolock lock deploy --wait 10m -- terraform apply",
            "  dynamolock lock backup -- sh -c 'psql -v fence=\"$DYNAMOLOCK_TOKEN\" -f backup.sql'"
        })
final class LockCommand implements Callable<Integer> {

    static final String SYNOPSIS = "dynamolock lock [OPTION...] NAME -- COMMAND [ARG...]";

    private static final Duration KILL_AFTER = Duration.ofSeconds(10);

    private final Consumer<String> report;
    private final List<String> command;

    @Mixin
    private LockOptions lock = new LockOptions();

    @Option(
            names = "--wait",
            paramLabel = "TIME",
            order = 1,
            description = "How long to wait for a busy lock, such as 10s, 5m (default: not at all).")
    private Duration wait = Duration.ZERO;

    @Option(
            names = "--lease",
            paramLabel = "TIME",
            order = 2,
            description =
                    "How long the lock outlives this process if it dies (default: 30s). No limit for the command.")
    private Duration lease = LockSettings.DEFAULTS.leaseDuration();

    @Option(
            names = "--min-hold",
            paramLabel = "TIME",
            order = 3,
            description = "Keep the lock at least that long, even if the command ends earlier.")
    private Duration minHold = Duration.ZERO;

    @Option(
            names = "--kill-after",
            paramLabel = "TIME",
            order = 4,
            description = "Time between SIGTERM and SIGKILL for a command whose lock is lost (default: 10s).")
    private Duration killAfter = KILL_AFTER;

    @Option(
            names = "--owner",
            paramLabel = "TEXT",
            order = 5,
            description = "What others see as the holder (default: host and process id).")
    private @Nullable String owner;

    @Option(
            names = "--lease-time",
            paramLabel = "CLOCK",
            order = 6,
            description = "Clock of the leases, the same for all that use the table: server, system, observed"
                    + " (default: server).")
    private LeaseTime leaseTime = LockSettings.DEFAULTS.time();

    /** Gets the command apart from the options, since nothing in it is meant for this program. */
    LockCommand(List<String> command, Consumer<String> report) {
        this.command = List.copyOf(command);
        this.report = report;
    }

    @Override
    public Integer call() throws Exception {
        if (command.isEmpty()) {
            throw new UsageException("the command is missing: dynamolock lock NAME -- COMMAND [ARG...]");
        }
        LockRequest request = LockRequest.of(lock.name()).waitTime(wait).minHold(minHold);
        LockRequest owned = owner == null ? request : request.owner(owner);
        try (StopSignals signals = StopSignals.listen(report)) {
            return lock.call(this::settings, locks -> run(locks, owned, signals));
        }
    }

    private LockManagerBuilder settings(LockManagerBuilder locks) {
        return locks.leaseDuration(lease).time(leaseTime);
    }

    private int run(LockManager locks, LockRequest request, StopSignals signals) throws Exception {
        Lease held;
        try {
            held = locks.acquire(request);
        } catch (LockBusyException busy) {
            throw new FailedException(Holder.busy(busy.holder()), ExitCode.BUSY);
        } catch (InterruptedException stopped) {
            return signals.exitCode();
        } catch (LockStoreException failure) {
            if (signals.wereReceived()) {
                return signals.exitCode();
            }
            throw failure;
        }
        try {
            Optional<Integer> exitCode = new LockedRun(held, killAfter, report).run(command, signals);
            if (exitCode.isEmpty()) {
                free(locks, held);
            }
            return exitCode.orElseGet(signals::exitCode);
        } catch (FailedException cannotRun) {
            free(locks, held);
            throw cannotRun;
        }
    }

    /** Nothing ran, so not even the minimum time applies. */
    private void free(LockManager locks, Lease held) {
        try {
            locks.forceRelease(held.name(), held.id());
            held.release(); // otherwise the manager would wait for it
        } catch (LockStoreException failure) {
            report.accept("nothing ran, but lock '%s' stays held until %s: %s"
                    .formatted(held.name(), held.expiresAt(), failure.getMessage()));
        }
    }
}
