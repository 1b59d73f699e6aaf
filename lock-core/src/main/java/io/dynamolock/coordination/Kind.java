/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.coordination;

import io.dynamolock.LockRequest;
import io.dynamolock.LockState;
import java.util.HashMap;
import java.util.Map;

/**
 * Marks the rows of a primitive by their metadata, so that it changes no lock of another use that has the same name.
 */
enum Kind {
    SWITCH("switch", "a circuit switch"),
    ONCE("once", "work that is done once"),
    WRITER("writer", "the writer of a read-write lock");

    /** A key that no application has chosen for its own metadata. */
    private static final String KEY = "dynamolock.kind";

    private final String text;
    private final String description;

    Kind(String text, String description) {
        this.text = text;
        this.description = description;
    }

    /** Returns the request with the mark. */
    LockRequest mark(LockRequest request) {
        Map<String, String> metadata = new HashMap<>(request.metadata());
        metadata.put(KEY, text);
        return request.metadata(metadata);
    }

    boolean isMarkOf(LockState state) {
        return text.equals(state.metadata().get(KEY));
    }

    /** Returns the state; throws IllegalStateException if the lock is taken without the mark. */
    LockState requireMark(LockState state) {
        if (state.status() == LockState.Status.HELD && !isMarkOf(state)) {
            throw new IllegalStateException(
                    ("Lock '%s' is in use, but not for %s: '%s' %s until %s, with metadata %s. Use another name; or, if that row"
                                    + " is a mistake, free it: LockManager.forceFree(\"%s\")")
                            .formatted(
                                    state.name(),
                                    description,
                                    state.owner(),
                                    state.kept() ? "has released it, and it stays taken" : "holds it",
                                    state.expiresAt(),
                                    state.metadata(),
                                    state.name()));
        }
        return state;
    }
}
