/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import java.net.URI;
import org.jspecify.annotations.Nullable;

/** Connection that {@code dynamolock.client} configures. */
final class PropertiesConnectionDetails implements DynamolockConnectionDetails {

    private final ClientProperties client;

    PropertiesConnectionDetails(ClientProperties client) {
        this.client = client;
    }

    @Override
    public @Nullable URI getEndpoint() {
        return client.endpoint();
    }

    @Override
    public @Nullable String getRegion() {
        return client.region();
    }

    @Override
    public @Nullable String getAccessKey() {
        return client.accessKey();
    }

    @Override
    public @Nullable String getSecretKey() {
        return client.secretKey();
    }
}
