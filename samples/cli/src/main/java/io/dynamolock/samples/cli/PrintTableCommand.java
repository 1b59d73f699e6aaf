/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.cli;

import io.dynamolock.dynamodb.DynamoDbLockStore;
import java.io.PrintStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "print-table",
        customSynopsis = "dynamolock print-table --format FORMAT [OPTION...]",
        description = "Prints the table that 'create-table' creates as infrastructure code. Sends no request.",
        sortOptions = false,
        optionListHeading = "%nOptions:%n")
final class PrintTableCommand implements Runnable {

    /** Languages of infrastructure code. */
    enum Format {
        CLOUDFORMATION("""
                AWSTemplateFormatVersion: "2010-09-09"
                Resources:
                  Locks:
                    Type: AWS::DynamoDB::Table
                    DeletionPolicy: Retain
                    UpdateReplacePolicy: Retain
                    Properties:
                      TableName: "%1$s"
                      BillingMode: PAY_PER_REQUEST
                      AttributeDefinitions:
                        - AttributeName: %2$s
                          AttributeType: S
                      KeySchema:
                        - AttributeName: %2$s
                          KeyType: HASH
                      TimeToLiveSpecification:
                        AttributeName: %3$s
                        Enabled: true
                """, """
                DeletionProtectionEnabled: true
                """.indent(6), """
                PointInTimeRecoverySpecification:
                  PointInTimeRecoveryEnabled: true
                """.indent(6), ""),
        TERRAFORM("""
                resource "aws_dynamodb_table" "locks" {
                  name         = "%1$s"
                  billing_mode = "PAY_PER_REQUEST"
                  hash_key     = "%2$s"

                  attribute {
                    name = "%2$s"
                    type = "S"
                  }

                  ttl {
                    attribute_name = "%3$s"
                    enabled        = true
                  }
                """, """

                  deletion_protection_enabled = true
                """, """

                  point_in_time_recovery {
                    enabled = true
                  }
                """, "}\n");

        private final String table;
        private final String deletionProtection;
        private final String pointInTimeRecovery;
        private final String end;

        Format(String table, String deletionProtection, String pointInTimeRecovery, String end) {
            this.table = table;
            this.deletionProtection = deletionProtection;
            this.pointInTimeRecovery = pointInTimeRecovery;
            this.end = end;
        }
    }

    private final PrintStream out;

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            required = true,
            order = 0,
            description = "cloudformation or terraform.")
    private Format format = Format.CLOUDFORMATION;

    @Mixin
    private NewTableOptions newTable = new NewTableOptions();

    @Mixin
    private NamedTable table = new NamedTable();

    PrintTableCommand(PrintStream out) {
        this.out = out;
    }

    @Override
    public void run() {
        out.printf(
                format.table,
                table.name(),
                DynamoDbLockStore.DEFAULT_PARTITION_KEY,
                DynamoDbLockStore.DEFAULT_TTL_ATTRIBUTE);
        if (newTable.deletionProtection()) {
            out.print(format.deletionProtection);
        }
        if (newTable.pointInTimeRecovery()) {
            out.print(format.pointInTimeRecovery);
        }
        out.print(format.end);
    }
}
