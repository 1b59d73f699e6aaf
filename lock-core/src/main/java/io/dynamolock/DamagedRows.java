/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.util.LinkedHashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Warns of rows that others have damaged, naming the attributes: once until the row changes. */
final class DamagedRows {

    private static final Logger LOG = LoggerFactory.getLogger(DamagedRows.class);
    private static final int REMEMBERED = 1_000;

    private final String store;
    private final Map<String, LockRow> told = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, LockRow> eldest) {
            return size() > REMEMBERED;
        }
    };

    DamagedRows(String store) {
        this.store = store;
    }

    void saw(String name, LockRow row) {
        if (!row.defects().isEmpty() && isNews(name, row)) {
            LOG.warn(
                    "The row of lock '{}' in {} was not written by this library: {} missing or not of the right type."
                            + " The lock counts as held until the rest of the row tells otherwise",
                    name,
                    store,
                    row.defects());
        }
    }

    private synchronized boolean isNews(String name, LockRow row) {
        return !row.equals(told.put(name, row));
    }
}
