/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.cli;

import io.dynamolock.LastHold;
import io.dynamolock.LockManager;
import io.dynamolock.LockState;
import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "inspect",
        customSynopsis = "dynamolock inspect [OPTION...] NAME",
        description = "Shows who holds a lock, since when and until when, and who held it last. Changes nothing.",
        sortOptions = false,
        optionListHeading = "%nOptions:%n")
final class InspectCommand implements Callable<Integer> {

    private final PrintStream out;

    @Mixin
    private LockOptions lock = new LockOptions();

    @Option(names = "--json", order = 1, description = "Print a JSON object.")
    private boolean json;

    InspectCommand(PrintStream out) {
        this.out = out;
    }

    @Override
    public Integer call() throws Exception {
        LockState state = lock.call((LockManager locks) -> locks.inspect(lock.name()));
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        members.put("name", state.name());
        members.put("status", LockStatus.of(state));
        members.put("owner", state.owner());
        members.put("leaseId", state.leaseId());
        members.put("fencingToken", state.fencingToken());
        members.put("acquiredAt", state.acquiredAt());
        members.put("expiresAt", state.expiresAt());
        members.put("kept", state.kept());
        members.put("revoked", state.revoked());
        members.put("closed", state.closed());
        members.put("metadata", state.metadata());
        members.put("lastHold", members(state.lastHold()));
        members.put("defects", state.defects());
        if (json) {
            out.println(Json.of(members));
        } else {
            members.forEach((name, value) -> out.printf("%-14s%s%n", name, Shown.text(value)));
        }
        return ExitCode.OK;
    }

    static @Nullable Map<String, @Nullable Object> members(@Nullable LastHold last) {
        if (last == null) {
            return null;
        }
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        members.put("owner", last.owner());
        members.put("endedAt", last.endedAt());
        members.put("duration", last.duration());
        members.put("failed", last.failed());
        return members;
    }
}
