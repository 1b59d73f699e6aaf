/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The key schema of a table; both keys are of type S.
 *
 * @param partitionKey its name
 * @param sortKey its name; null if there is none
 */
record FakeKeys(String partitionKey, @Nullable String sortKey) {

    private static final int LONGEST_PARTITION_KEY = 2048;
    private static final int LONGEST_SORT_KEY = 1024;

    /** The key that a request gives. */
    Key ofRequest(Map<String, AttributeValue> key) {
        if (key.size() != (sortKey == null ? 1 : 2)) {
            throw FakeErrors.validation("The provided key element does not match the schema");
        }
        return ofItem(key);
    }

    Key ofItem(Map<String, AttributeValue> item) {
        String partition = text(item.get(partitionKey), LONGEST_PARTITION_KEY);
        return new Key(partition, sortKey == null ? "" : text(item.get(sortKey), LONGEST_SORT_KEY));
    }

    Map<String, AttributeValue> attributes(Key key) {
        AttributeValue partition = AttributeValue.fromS(key.partition);
        return sortKey == null
                ? Map.of(partitionKey, partition)
                : Map.of(partitionKey, partition, sortKey, AttributeValue.fromS(key.sort));
    }

    private static String text(@Nullable AttributeValue value, int longest) {
        if (value == null || value.type() != AttributeValue.Type.S) {
            throw FakeErrors.validation("The provided key element does not match the schema");
        }
        String text = value.s();
        if (text.isEmpty() || (text.length() > longest / 4 && text.getBytes(UTF_8).length > longest)) {
            throw FakeErrors.validation("One or more parameter values are not valid: an empty or too long key");
        }
        return text;
    }

    /**
     * Which row.
     *
     * @param partition never empty
     * @param sort empty if there is no sort key
     */
    record Key(String partition, String sort) {}
}
