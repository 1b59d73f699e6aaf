/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import io.dynamolock.dynamodb.TableProblem;
import io.dynamolock.spring.boot.DynamolockProperties.Table;
import io.dynamolock.spring.boot.DynamolockProperties.Table.Initialization;
import java.util.Locale;

/** What helps if a manager's table cannot be used when the application starts, in the words of its properties. */
final class TableRemedy {

    private TableRemedy() {}

    static InvalidLockPropertyException refusal(ManagerProperties manager, RuntimeException failure) {
        Table table = manager.values().table();
        String mode = table.initialization().name().toLowerCase(Locale.ROOT);
        PropertyKeys keys = manager.keys();
        String problem = keys.in("{table.name} = '%s' cannot be used ({table.initialization} = %s): "
                        .formatted(table.name(), mode))
                + keys.translated(String.valueOf(failure.getMessage()));
        boolean creates = table.initialization() == Initialization.CREATE;
        return new InvalidLockPropertyException(
                keys.of("table.name"), problem, keys.in(remedy(TableProblem.of(failure), creates)), failure);
    }

    private static String remedy(TableProblem problem, boolean creates) {
        return switch (problem) {
            case UNFIT ->
                creates
                        ? "Set {table.partition-key} and {table.sort-key} to what the table has, or name another one in {table.name}."
                        : "Name in {table.name} a table that is there in {client.region} and has the keys {table.partition-key} and"
                                + " {table.sort-key}, or set {table.initialization} = create to have one made.";
            case DENIED ->
                "Grant the credentials what they lack on this table"
                        + (creates
                                ? ", or make the table by other means and set {table.initialization} = none, which needs no more"
                                        + " rights than locks do."
                                : ".");
            case CREDENTIALS ->
                "Set {client.access-key} and {client.secret-key}, give the process credentials where the AWS SDK"
                        + " looks for them, or correct those of the DynamoDbClient bean.";
            case UNREACHABLE ->
                "Look at {client.endpoint} and {client.region}, or at the DynamoDbClient bean if the application"
                        + " has one, and at the network on the way.";
            case OTHER ->
                "Look at {table.name}, at {client.region} and {client.endpoint}, or at the DynamoDbClient bean if the"
                        + " application has one.";
        };
    }
}
