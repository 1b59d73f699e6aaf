/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

/** Tables that DynamoDB Local cannot have. */
final class StubbedTables {

    private StubbedTables() {}

    /** A table with our keys, and more as JSON. */
    static Fault described(String name, String status, String more) {
        return Fault.answer(200, """
                {"Table": {
                    "TableName": "%s",
                    "TableStatus": "%s",
                    "KeySchema": [{"AttributeName": "lockName", "KeyType": "HASH"}],
                    "AttributeDefinitions": [{"AttributeName": "lockName", "AttributeType": "S"}]
                    %s
                }}""".formatted(name, status, more));
    }

    /** What DynamoDB says about the TTL of a table. */
    static Fault timeToLive(String status, String attribute) {
        String body = "{\"TimeToLiveDescription\": {\"TimeToLiveStatus\": \"%s\", \"AttributeName\": \"%s\"}}";
        return Fault.answer(200, body.formatted(status, attribute));
    }
}
