/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import static java.util.Objects.requireNonNullElse;

/**
 * Meters.
 *
 * @param lockNameTag Whether to tag meters with the lock name. Only for applications with few names.
 * @since 0.1
 */
public record MetricsProperties(Boolean lockNameTag) {

    @SuppressWarnings("NullAway") // the constructor replaces null
    static final MetricsProperties DEFAULT = new MetricsProperties(null);

    public MetricsProperties {
        lockNameTag = requireNonNullElse(lockNameTag, false);
    }
}
