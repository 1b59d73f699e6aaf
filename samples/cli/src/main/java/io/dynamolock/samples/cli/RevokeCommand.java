/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.cli;

import io.dynamolock.LockState;
import java.io.PrintStream;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "revoke",
        customSynopsis = "dynamolock revoke [OPTION...] NAME --lease-id ID",
        description = {
            "Revokes a lease: it is not renewed any more, its holder notices that, and the lock is free when it expires.",
            "",
            "Safe at any time."
        },
        sortOptions = false,
        optionListHeading = "%nOptions:%n")
final class RevokeCommand implements Callable<Integer> {

    private final PrintStream out;

    @Mixin
    private LockOptions lock = new LockOptions();

    @Option(
            names = "--lease-id",
            paramLabel = "ID",
            required = true,
            order = 1,
            description = "The lease, as 'inspect' shows it.")
    private String leaseId = "";

    RevokeCommand(PrintStream out) {
        this.out = out;
    }

    @Override
    public Integer call() throws Exception {
        LockState holder = lock.call(locks -> {
            LockState found = Holder.require(locks, lock.name(), leaseId);
            if (!locks.revoke(lock.name(), leaseId)) {
                throw Holder.gone(lock.name(), leaseId);
            }
            return found;
        });
        out.println(Shown.text("revoked " + Holder.revoked(holder)));
        return ExitCode.OK;
    }
}
