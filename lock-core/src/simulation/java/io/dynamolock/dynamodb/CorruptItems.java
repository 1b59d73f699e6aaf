/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Rows that the library would not write: attributes are missing or of a wrong type. */
final class CorruptItems {

    private static final List<String> ATTRIBUTES =
            LockRowMapper.ATTRIBUTES.stream().sorted().toList();

    private final TableLayout layout;
    private final BothTables tables;
    private final RandomValues values;

    CorruptItems(TableLayout layout, BothTables tables, RandomValues values) {
        this.layout = layout;
        this.tables = tables;
        this.values = values;
    }

    void next() {
        String name = values.name();
        if (values.inPercent(30)) {
            tables.delete(name);
            return;
        }
        Map<String, AttributeValue> item = new HashMap<>(tables.item(name));
        item.putAll(layout.key(name));
        for (int changes = values.below(3); changes >= 0; changes--) {
            String attribute = values.oneOf(ATTRIBUTES);
            if (values.inPercent(40)) {
                item.remove(attribute);
            } else {
                item.put(attribute, values.any());
            }
        }
        tables.put(item);
    }
}
