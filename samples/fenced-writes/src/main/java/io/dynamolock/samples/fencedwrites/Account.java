/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.fencedwrites;

import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbBean;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbPartitionKey;

/** An item of the application. */
@DynamoDbBean
public class Account {

    private @Nullable String id;
    private @Nullable String owner;
    private @Nullable Long fence;

    /** Creates an empty account. */
    public Account() {}

    static Account of(String id, String owner) {
        Account account = new Account();
        account.setId(id);
        account.setOwner(owner);
        return account;
    }

    /** {@return the key} */
    @DynamoDbPartitionKey
    public @Nullable String getId() {
        return id;
    }

    /** {@return who wrote the account} */
    public @Nullable String getOwner() {
        return owner;
    }

    /** {@return the fencing token of the last writer; null if none has stored its own} */
    public @Nullable Long getFence() {
        return fence;
    }

    /**
     * Called by the client.
     *
     * @param id the key
     */
    public void setId(@Nullable String id) {
        this.id = id;
    }

    /**
     * Called by the client.
     *
     * @param owner who wrote the account
     */
    public void setOwner(@Nullable String owner) {
        this.owner = owner;
    }

    /**
     * Called by the client.
     *
     * @param fence the fencing token of the writer
     */
    public void setFence(@Nullable Long fence) {
        this.fence = fence;
    }
}
