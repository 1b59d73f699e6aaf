/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.dynamodb.DynamoDbLockStore;
import java.util.ArrayList;
import java.util.List;

/** Reused stores of one group of histories: building one takes longer than a short history. */
final class SimStores {

    private final List<SimClient> clients = new ArrayList<>();
    private final List<DynamoDbLockStore> stores = new ArrayList<>();

    DynamoDbLockStore of(int number, SimProcess process, SimNet net) {
        while (stores.size() <= number) {
            SimClient client = new SimClient();
            clients.add(client);
            stores.add(DynamoDbLockStore.builder(client)
                    .tableName(SimNet.TABLE)
                    .partitionKey(SimNet.KEY)
                    .build());
        }
        clients.get(number).serve(process, net);
        return stores.get(number);
    }

    SimClient clientOf(SimProcess process) {
        return clients.get(process.number);
    }
}
