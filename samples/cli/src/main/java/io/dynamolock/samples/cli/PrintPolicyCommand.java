/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.cli;

import static io.dynamolock.samples.cli.NamedTable.required;

import java.io.PrintStream;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "print-policy",
        customSynopsis = "dynamolock print-policy --account ID --region REGION [OPTION...]",
        description = "Prints an IAM policy with the least permissions for a purpose on the table, not on a"
                + " customer-managed key. Sends no request.",
        sortOptions = false,
        optionListHeading = "%nOptions:%n")
final class PrintPolicyCommand implements Runnable {

    /** What somebody is allowed to do, as {@code iam.md} documents it. */
    enum Purpose {
        RUN,
        START,
        CREATE,
        BACKUPS,
        TAGS,
        FENCING,
        CLI
    }

    private final PrintStream out;

    @Option(
            names = "--for",
            paramLabel = "PURPOSE",
            split = ",",
            order = 0,
            description = {
                "What to allow (default: run,start):",
                "  run      acquire, renew, release and inspect locks",
                "  start    check the table, with initialization=validate",
                "  create   create the table, and check it",
                "  backups  create it with point-in-time recovery",
                "  tags     create it with tags",
                "  fencing  check a lock in a transaction of your own",
                "  cli      as run, and list all locks"
            })
    private Set<Purpose> purposes = EnumSet.of(Purpose.RUN, Purpose.START);

    @Option(
            names = "--account",
            paramLabel = "ID",
            required = true,
            order = 1,
            description = "AWS account of the table.")
    private String account = "";

    @Option(
            names = "--region",
            paramLabel = "REGION",
            required = true,
            order = 2,
            description = "AWS Region of the table.")
    private String region = "";

    @Option(
            names = "--partition",
            paramLabel = "PARTITION",
            order = 3,
            description = "AWS partition, such as aws-cn (default: aws).")
    private String partition = "aws";

    @Option(
            names = "--name-prefix",
            paramLabel = "PREFIX",
            order = 103,
            description = "Allow only locks whose names have this prefix, to be listed with all others.")
    private String namePrefix = "";

    @Mixin
    private NamedTable table = new NamedTable();

    PrintPolicyCommand(PrintStream out) {
        this.out = out;
    }

    @Override
    public void run() {
        String statements = Stream.of(
                        statement(
                                Set.of(Purpose.RUN, Purpose.CLI),
                                namePrefix.isEmpty() ? "Locks" : "LocksOfOneApplication",
                                condition(),
                                "GetItem",
                                "UpdateItem"),
                        statement(
                                Set.of(Purpose.START, Purpose.CREATE),
                                "Table",
                                "",
                                "DescribeTable",
                                "DescribeTimeToLive"),
                        statement(Set.of(Purpose.CREATE), "NewTable", "", "CreateTable", "UpdateTimeToLive"),
                        statement(Set.of(Purpose.BACKUPS), "Backups", "", "UpdateContinuousBackups"),
                        statement(Set.of(Purpose.TAGS), "Tags", "", "TagResource"),
                        statement(Set.of(Purpose.FENCING), "Fencing", condition(), "ConditionCheckItem"),
                        statement(Set.of(Purpose.CLI), "List", "", "Scan"))
                .flatMap(Optional::stream)
                .collect(Collectors.joining(",\n"));
        out.print("""
                {
                  "Version": "2012-10-17",
                  "Statement": [
                %s
                  ]
                }
                """.formatted(statements));
    }

    /** The statement, if it serves one of the purposes. */
    private Optional<String> statement(Set<Purpose> uses, String id, String condition, String... actions) {
        if (Collections.disjoint(uses, purposes)) {
            return Optional.empty();
        }
        List<String> names = Stream.of(actions)
                .map(action -> Shown.json("dynamodb:" + action))
                .toList();
        return Optional.of("""
                {
                  "Sid": "%s",
                  "Effect": "Allow",
                  "Action": %s,
                  "Resource": "%s"%s
                }""".formatted(id, names.size() == 1 ? names.get(0) : names, resource(), condition)
                .indent(4)
                .stripTrailing());
    }

    private String condition() {
        if (namePrefix.isEmpty()) {
            return "";
        }
        required("--name-prefix", namePrefix, "[^*?$]+", "a text without the wildcards *, ? and $");
        String keys = Shown.json(namePrefix + "*");
        return ",\n  \"Condition\": {\"ForAllValues:StringLike\": {\"dynamodb:LeadingKeys\": [%s]}}".formatted(keys);
    }

    private String resource() {
        return "arn:%s:dynamodb:%s:%s:table/%s"
                .formatted(
                        required("--partition", partition, "[a-z-]+", "a name such as aws or aws-cn"),
                        required("--region", region, "[a-z0-9-]+", "a name such as eu-west-1"),
                        required("--account", account, "\\d{12}", "12 digits"),
                        table.name());
    }
}
