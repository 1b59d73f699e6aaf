/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

/** The operations on a row, with their text in messages. */
enum Operation {
    ACQUIRE("Acquiring lock"),
    RENEW("Renewing lock"),
    RELEASE("Releasing lock"),
    RAISE_FLOOR("Undoing an acquisition of lock"),
    CLAIM("Claiming the next turn of lock"),
    REVOKE("Revoking lock"),
    READ("Reading lock");

    private final String text;

    Operation(String text) {
        this.text = text;
    }

    String text() {
        return text;
    }

    boolean writes() {
        return this != READ;
    }

    /** The permission that the operation needs. */
    String action() {
        return writes() ? "dynamodb:UpdateItem" : "dynamodb:GetItem";
    }
}
