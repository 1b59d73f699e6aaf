/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.cli;

import static io.dynamolock.samples.cli.NamedTable.required;

import io.dynamolock.dynamodb.DynamoDbLockStore;
import java.io.PrintStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import software.amazon.awssdk.auth.credentials.AnonymousCredentialsProvider;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

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
                        - AttributeName: "%2$s"
                          AttributeType: S
                %4$s      KeySchema:
                        - AttributeName: "%2$s"
                          KeyType: HASH
                %5$s      TimeToLiveSpecification:
                        AttributeName: "%3$s"
                        Enabled: true
                """, """
                - AttributeName: "%s"
                  AttributeType: S
                """.indent(8), """
                - AttributeName: "%s"
                  KeyType: RANGE
                """.indent(8), """
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
                %5$s
                  attribute {
                    name = "%2$s"
                    type = "S"
                  }
                %4$s
                  ttl {
                    attribute_name = "%3$s"
                    enabled        = true
                  }
                """, """

                  attribute {
                    name = "%s"
                    type = "S"
                  }
                """, """
                  range_key    = "%s"
                """, """

                  deletion_protection_enabled = true
                """, """

                  point_in_time_recovery {
                    enabled = true
                  }
                """, "}\n");

        private final String table;
        private final String sortAttribute;
        private final String sortKey;
        private final String deletionProtection;
        private final String pointInTimeRecovery;
        private final String end;

        Format(
                String table,
                String sortAttribute,
                String sortKey,
                String deletionProtection,
                String pointInTimeRecovery,
                String end) {
            this.table = table;
            this.sortAttribute = sortAttribute;
            this.sortKey = sortKey;
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

    @Mixin
    private AttributeOptions attributes = new AttributeOptions();

    PrintTableCommand(PrintStream out) {
        this.out = out;
    }

    @Override
    public void run() {
        String partitionKey = attribute("--partition-key", attributes.partitionKey());
        String ttl = attribute("--ttl-attribute", attributes.ttlAttribute());
        String sortKey = attributes.sortKey() == null ? null : attribute("--sort-key", attributes.sortKey());
        requireFit();
        out.printf(
                format.table,
                table.name(),
                partitionKey,
                ttl,
                sortKey == null ? "" : format.sortAttribute.formatted(sortKey),
                sortKey == null ? "" : format.sortKey.formatted(sortKey));
        if (newTable.deletionProtection()) {
            out.print(format.deletionProtection);
        }
        if (newTable.pointInTimeRecovery()) {
            out.print(format.pointInTimeRecovery);
        }
        out.print(format.end);
    }

    /** A name that can be part of any text. */
    private static String attribute(String option, String value) {
        return required(option, value, "[\\w.:#/-]{1,255}", "1 to 255 letters, digits and any of _.:#/-");
    }

    /** Rejects a table that the library would not use. */
    private void requireFit() {
        try (DynamoDbClient client = DynamoDbClient.builder()
                .httpClientBuilder(UrlConnectionHttpClient.builder())
                .region(Region.AWS_GLOBAL)
                .credentialsProvider(AnonymousCredentialsProvider.create())
                .build()) {
            DynamoDbLockStore unused = attributes
                    .of(DynamoDbLockStore.builder(client).tableName(table.name()))
                    .build();
        }
    }
}
