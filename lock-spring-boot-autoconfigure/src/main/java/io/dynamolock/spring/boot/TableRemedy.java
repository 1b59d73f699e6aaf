/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import io.dynamolock.dynamodb.TableProblem;
import io.dynamolock.spring.boot.TableProperties.Initialization;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Creates the exception for a manager's table that cannot be used at startup, with a remedy in terms of its properties.
 */
final class TableRemedy {

    private TableRemedy() {}

    static InvalidLockPropertyException rejection(ManagerProperties manager, RuntimeException failure) {
        TableProperties table = manager.values().table();
        String mode = table.initialization().name().toLowerCase(Locale.ROOT);
        PropertyKeys keys = manager.keys();
        String problem = keys.in("{table.name} = '%s' cannot be used ({table.initialization} = %s): "
                        .formatted(table.name(), mode))
                + failure.getMessage();
        boolean creates = table.initialization() == Initialization.CREATE;
        return new InvalidLockPropertyException(
                problem,
                keys.in(unknownHost(failure).orElseGet(() -> remedy(TableProblem.of(failure), creates))),
                failure);
    }

    /** Returns the remedy for a host that does not exist, usually because of a misspelled Region. */
    private static Optional<String> unknownHost(RuntimeException failure) {
        return Stream.<Throwable>iterate(failure, Objects::nonNull, Throwable::getCause)
                .filter(UnknownHostException.class::isInstance)
                .findFirst()
                .map(unknown -> String.valueOf(unknown.getMessage()).split(":", 2)[0])
                .map(
                        ("The host %s is unknown: correct the Region ({client.region}, AWS_REGION, or that of the"
                                        + " DynamoDbClient bean) or {client.endpoint}, or check the name resolution of this machine.")
                                ::formatted);
    }

    private static String remedy(TableProblem problem, boolean creates) {
        return switch (problem) {
            case MISSING ->
                "Set {table.name} to an existing table with the keys {table.partition-key} and {table.sort-key}, correct the"
                        + " Region ({client.region}, or that of the DynamoDbClient bean), or set {table.initialization} ="
                        + " create to create the table.";
            case NOT_READY ->
                "Check the state of the table in DynamoDB, or "
                        + (creates
                                ? "raise {table.creation-timeout}."
                                : "start the application again when it is active.");
            case UNFIT ->
                "Set {table.name} to another table, or {table.partition-key}, {table.sort-key} and"
                        + " {table.ttl-attribute} to the attributes of this one, whose keys must be of type S.";
            case DENIED ->
                "Grant the credentials the missing permissions on this table"
                        + (creates
                                ? ", or create the table by other means and set {table.initialization} ="
                                        + " validate, which needs only dynamodb:DescribeTable and"
                                        + " dynamodb:DescribeTimeToLive in addition to the permissions for locks."
                                : ".");
            case KEY ->
                "Check the state of the key that encrypts the table, and grant the credentials the permissions on it.";
            case CREDENTIALS ->
                "Set {client.access-key} and {client.secret-key}, provide credentials where the AWS SDK"
                        + " looks for them, or correct those of the DynamoDbClient bean.";
            case UNREACHABLE ->
                "Check {client.endpoint} and {client.region}, or the DynamoDbClient bean if the application has"
                        + " one, and the network connection.";
            case UNAVAILABLE -> "Start the application again: DynamoDB failed or throttled the request.";
            case OTHER ->
                "Check {table.name}, {client.region} and {client.endpoint}, or the DynamoDbClient bean if the"
                        + " application has one.";
        };
    }
}
