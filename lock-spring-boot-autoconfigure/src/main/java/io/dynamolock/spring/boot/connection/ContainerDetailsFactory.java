/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot.connection;

import io.dynamolock.spring.boot.DynamolockConnectionDetails;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.testcontainers.service.connection.ContainerConnectionDetailsFactory;
import org.springframework.boot.testcontainers.service.connection.ContainerConnectionSource;
import org.testcontainers.containers.Container;

/** Connects to containers with {@code @ServiceConnection}. */
abstract class ContainerDetailsFactory<C extends Container<?>>
        extends ContainerConnectionDetailsFactory<C, DynamolockConnectionDetails> {

    private final int port;

    /**
     * Creates the factory.
     *
     * @param connectionName the name of the connection, by default that of the image; null for any
     * @param port the port in the container
     */
    ContainerDetailsFactory(@Nullable String connectionName, int port) {
        super(connectionName);
        this.port = port;
    }

    @Override
    protected DynamolockConnectionDetails getContainerConnectionDetails(ContainerConnectionSource<C> source) {
        return new DynamolockContainerDetails<>(source, port);
    }

    private static final class DynamolockContainerDetails<C extends Container<?>> extends ContainerConnectionDetails<C>
            implements LocalDynamoDbDetails {

        private final int port;

        private DynamolockContainerDetails(ContainerConnectionSource<C> source, int port) {
            super(source);
            this.port = port;
        }

        @Override
        public String host() {
            return getContainer().getHost();
        }

        @Override
        public int port() {
            return getContainer().getMappedPort(port);
        }

        @Override
        public Map<String, String> environment() {
            return getContainer().getEnvMap();
        }
    }
}
