/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.cli;

import io.dynamolock.LockManager;
import io.dynamolock.LockState;
import java.io.PrintStream;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "release",
        customSynopsis = "dynamolock release [OPTION...] NAME (--lease-id ID | --anyway)",
        description = {
            "Frees a lock at once, although its holder may still be at work. Only if you know that it is not.",
            "",
            "Does not prompt; prints the freed lock. 'revoke' is the safe alternative: it takes effect when the lease expires."
        },
        sortOptions = false,
        optionListHeading = "%nOptions:%n")
final class ReleaseCommand implements Callable<Integer> {

    private final PrintStream out;

    @Mixin
    private LockOptions lock = new LockOptions();

    @ArgGroup(multiplicity = "1", order = 1)
    private Which which = new Which();

    private static final class Which {

        @Option(
                names = "--lease-id",
                paramLabel = "ID",
                required = true,
                description = "Free it only if this lease holds it, as 'inspect' shows it.")
        private @Nullable String leaseId;

        @Option(
                names = "--anyway",
                required = true,
                description = "Free it whoever holds it, also if its row is corrupt.")
        private boolean anyway;
    }

    ReleaseCommand(PrintStream out) {
        this.out = out;
    }

    @Override
    public Integer call() throws Exception {
        LockState freed = lock.call(locks -> which.anyway
                ? locks.forceFree(lock.name()).orElseThrow(() -> Holder.none(locks.inspect(lock.name())))
                : release(locks, Objects.requireNonNull(which.leaseId)));
        out.println(Shown.text("released " + Holder.of(freed)));
        return ExitCode.OK;
    }

    private LockState release(LockManager locks, String leaseId) {
        LockState holder = Holder.require(locks, lock.name(), leaseId);
        if (!locks.forceRelease(lock.name(), leaseId)) {
            throw Holder.gone(lock.name(), leaseId);
        }
        return holder;
    }
}
