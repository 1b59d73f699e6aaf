/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import io.awspring.cloud.autoconfigure.core.AwsConnectionDetails;
import java.net.URI;
import org.springframework.boot.testcontainers.service.connection.ContainerConnectionDetailsFactory;
import org.springframework.boot.testcontainers.service.connection.ContainerConnectionSource;
import org.testcontainers.localstack.LocalStackContainer;

/** Converts {@code @ServiceConnection} on a LocalStack container to the connection details of Spring Cloud AWS. */
final class LocalStackConnection extends ContainerConnectionDetailsFactory<LocalStackContainer, AwsConnectionDetails> {

    @Override
    protected AwsConnectionDetails getContainerConnectionDetails(
            ContainerConnectionSource<LocalStackContainer> source) {
        return new Details(source);
    }

    private static final class Details extends ContainerConnectionDetails<LocalStackContainer>
            implements AwsConnectionDetails {

        private Details(ContainerConnectionSource<LocalStackContainer> source) {
            super(source);
        }

        @Override
        public URI getEndpoint() {
            return getContainer().getEndpoint();
        }

        @Override
        public String getRegion() {
            return getContainer().getRegion();
        }

        @Override
        public String getAccessKey() {
            return getContainer().getAccessKey();
        }

        @Override
        public String getSecretKey() {
            return getContainer().getSecretKey();
        }
    }
}
