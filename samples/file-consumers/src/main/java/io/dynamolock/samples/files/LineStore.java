/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.files;

import io.dynamolock.samples.localdynamodb.LocalDynamoDbProcess;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.enhanced.dynamodb.Expression;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;

/**
 * A table with an item for each file: its lines in the order in which they were stored, and the token of the last holder
 * that stored one. It appends whatever it gets, so that a line can be in it twice.
 */
@Component
final class LineStore {

    static final String FENCE = "fence";

    private static final String TABLE = "imported-files";
    private static final String KEY = "file";
    private static final String APPEND =
            "SET #fence = :fence, #lines = list_append(if_not_exists(#lines, :none), :lines)";

    private final DynamoDbClient client;
    private final boolean fencing;

    LineStore(@Value("${dynamolock.client.endpoint}") URI endpoint, @Value("${fencing}") boolean fencing) {
        this.client = LocalDynamoDbProcess.client(endpoint)
                .overrideConfiguration(own -> own.retryStrategy(AwsRetryStrategy.doNotRetry())) // would append twice
                .build();
        this.fencing = fencing;
    }

    void createTable() {
        client.createTable(table -> table.tableName(TABLE)
                .billingMode(BillingMode.PAY_PER_REQUEST)
                .attributeDefinitions(AttributeDefinition.builder()
                        .attributeName(KEY)
                        .attributeType(ScalarAttributeType.S)
                        .build())
                .keySchema(KeySchemaElement.builder()
                        .attributeName(KEY)
                        .keyType(KeyType.HASH)
                        .build()));
    }

    /** Appends lines and stores the token, unless a later holder has stored its own; returns all lines of the file. */
    List<String> append(String file, List<String> lines, Expression fence) {
        Map<String, String> names = new HashMap<>(fence.expressionNames());
        names.put("#lines", "lines");
        Map<String, AttributeValue> values = new HashMap<>(fence.expressionValues());
        values.put(":none", AttributeValue.fromL(List.of()));
        values.put(
                ":lines",
                AttributeValue.fromL(lines.stream().map(AttributeValue::fromS).toList()));
        return lines(client.updateItem(update -> update.tableName(TABLE)
                        .key(Map.of(KEY, AttributeValue.fromS(file)))
                        .updateExpression(APPEND)
                        .conditionExpression(fencing ? fence.expression() : null)
                        .expressionAttributeNames(names)
                        .expressionAttributeValues(values)
                        .returnValues(ReturnValue.ALL_NEW))
                .attributes());
    }

    /** Returns all lines of all files. */
    List<String> readAll() {
        return client.scan(scan -> scan.tableName(TABLE).consistentRead(true)).items().stream()
                .flatMap(item -> lines(item).stream())
                .toList();
    }

    private static List<String> lines(Map<String, AttributeValue> item) {
        return Objects.requireNonNull(item.get("lines")).l().stream()
                .map(AttributeValue::s)
                .toList();
    }
}
