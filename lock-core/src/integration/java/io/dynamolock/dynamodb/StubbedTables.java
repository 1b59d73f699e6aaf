/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

/** Stubbed descriptions of tables that DynamoDB Local cannot create. */
final class StubbedTables {

    private StubbedTables() {}

    /** Returns a description of a table with the library's keys, and further JSON. */
    static Fault described(String name, String status, String more) {
        return Fault.response(200, """
                {"Table": {
                    "TableName": "%s",
                    "TableStatus": "%s",
                    "KeySchema": [{"AttributeName": "lockName", "KeyType": "HASH"}],
                    "AttributeDefinitions": [{"AttributeName": "lockName", "AttributeType": "S"}]
                    %s
                }}""".formatted(name, status, more));
    }

    /** Returns a description of the TTL of a table. */
    static Fault timeToLive(String status, String attribute) {
        String body = "{\"TimeToLiveDescription\": {\"TimeToLiveStatus\": \"%s\", \"AttributeName\": \"%s\"}}";
        return Fault.response(200, body.formatted(status, attribute));
    }
}
