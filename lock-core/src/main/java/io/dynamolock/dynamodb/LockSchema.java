/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import io.dynamolock.StoredLock;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.enhanced.dynamodb.AttributeValueType;
import software.amazon.awssdk.enhanced.dynamodb.EnhancedType;
import software.amazon.awssdk.enhanced.dynamodb.TableMetadata;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.enhanced.dynamodb.mapper.StaticTableMetadata;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The schema of the rows for the enhanced client, which only reads them: each write has a condition of its own. Maps
 * every item, also a corrupt one.
 */
final class LockSchema implements TableSchema<StoredLock> {

    private final TableLayout layout;
    private final HonoredLocks honored;
    private final TableMetadata metadata;

    LockSchema(TableLayout layout, HonoredLocks honored) {
        this.layout = layout;
        this.honored = honored;
        String primary = TableMetadata.primaryIndexName();
        StaticTableMetadata.Builder keys = StaticTableMetadata.builder()
                .addIndexPartitionKey(primary, layout.partitionKey(), AttributeValueType.S);
        if (layout.sortKey() != null) {
            keys.addIndexSortKey(primary, layout.sortKey(), AttributeValueType.S);
        }
        this.metadata = keys.build();
    }

    @Override
    public StoredLock mapToItem(Map<String, AttributeValue> item) {
        AttributeValue key = item.get(layout.partitionKey());
        String name = key == null ? null : key.s();
        if (name == null) {
            throw TableRequests.otherKeys(LockListing.WHAT, layout);
        }
        return new StoredLock(name, honored.shown(LockRowMapper.row(item), item));
    }

    @Override
    public Map<String, AttributeValue> itemToMap(StoredLock lock, boolean ignoreNulls) {
        throw readOnly();
    }

    @Override
    public Map<String, AttributeValue> itemToMap(StoredLock lock, Collection<String> attributes) {
        throw readOnly();
    }

    private static UnsupportedOperationException readOnly() {
        return new UnsupportedOperationException("Rows are written by the store alone");
    }

    @Override
    public @Nullable AttributeValue attributeValue(StoredLock lock, String attribute) {
        return layout.key(lock.storedName()).get(attribute);
    }

    @Override
    public TableMetadata tableMetadata() {
        return metadata;
    }

    @Override
    public EnhancedType<StoredLock> itemType() {
        return EnhancedType.of(StoredLock.class);
    }

    @Override
    public List<String> attributeNames() {
        return List.copyOf(LockRowMapper.ATTRIBUTES);
    }

    @Override
    public boolean isAbstract() {
        return false;
    }
}
