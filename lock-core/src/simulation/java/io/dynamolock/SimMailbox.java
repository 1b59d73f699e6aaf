/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** Detached leases in transit between processes. A token may be read twice. */
final class SimMailbox {

    private final Deque<String> texts = new ArrayDeque<>();
    private @Nullable String last;

    void put(LeaseToken token) {
        texts.add(token.asText());
    }

    @Nullable
    LeaseToken take() {
        String text = texts.isEmpty() ? last : texts.remove();
        last = text;
        return text == null ? null : LeaseToken.parse(text);
    }
}
