/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.cli;

import io.dynamolock.LockRow;
import io.dynamolock.StoredLock;
import java.io.PrintStream;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

@Command(
        name = "list",
        customSynopsis = "dynamolock list [OPTION...]",
        description = {
            "Lists all locks of the table, in no particular order.",
            "",
            "Reads the whole table, page by page. 'expired' is by the clock of this machine; 'inspect' asks DynamoDB's."
        },
        sortOptions = false,
        optionListHeading = "%nOptions:%n")
final class ListCommand implements Runnable {

    private static final String LINE = "%-9s %-16s %-24s %-36s %s%n";

    private final PrintStream out;

    @Mixin
    private TableOptions table = new TableOptions();

    @Option(
            names = "--name-prefix",
            paramLabel = "PREFIX",
            order = 103,
            description = "List only names with this prefix, without it.")
    private String namePrefix = "";

    @Option(names = "--json", order = 1, description = "Print a JSON array.")
    private boolean json;

    ListCommand(PrintStream out) {
        this.out = out;
    }

    @Override
    public void run() {
        try (DynamoDbClient client = table.client();
                Stream<StoredLock> all = table.store(client).build().table().locks()) {
            Iterator<StoredLock> locks = all.filter(lock -> lock.storedName().startsWith(namePrefix))
                    .takeWhile(lock -> !out.checkError()) // the reader of a pipe may have seen enough
                    .iterator();
            if (json) {
                printJson(locks);
            } else {
                print(locks);
            }
        }
    }

    private void print(Iterator<StoredLock> locks) {
        boolean more = locks.hasNext(); // may fail, and nothing should be printed then
        out.printf(LINE, "STATUS", "TOKEN", "EXPIRES", "OWNER", "NAME");
        for (; more; more = locks.hasNext()) {
            StoredLock lock = locks.next();
            LockRow row = lock.row();
            out.printf(
                    LINE,
                    LockStatus.of(row),
                    row.issuedToken(),
                    Shown.text(row.isFree() ? null : row.expiresAt()),
                    Shown.text(row.isFree() ? null : row.owner()),
                    Shown.text(name(lock)));
        }
    }

    private void printJson(Iterator<StoredLock> locks) {
        boolean more = locks.hasNext();
        out.print("[");
        for (String separator = "\n  "; more; more = locks.hasNext(), separator = ",\n  ") {
            out.print(separator + Json.of(members(locks.next())));
        }
        out.println("\n]");
    }

    private Map<String, @Nullable Object> members(StoredLock lock) {
        LockRow row = lock.row();
        boolean free = row.isFree();
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        members.put("name", name(lock));
        members.put("status", LockStatus.of(row));
        members.put("owner", free ? null : row.owner());
        members.put("leaseId", row.leaseId());
        members.put("fencingToken", row.issuedToken());
        members.put("acquiredAt", free ? null : row.acquiredAt());
        members.put("expiresAt", free ? null : row.expiresAt());
        members.put("kept", row.isKept());
        members.put("revoked", row.revoked());
        members.put("closed", row.isClosed());
        members.put("metadata", row.metadata());
        members.put("lastHold", InspectCommand.members(row.lastHold()));
        members.put("defects", row.defects());
        return members;
    }

    private String name(StoredLock lock) {
        return lock.storedName().substring(namePrefix.length());
    }
}
