/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot.connection;

import io.dynamolock.spring.boot.DynamolockConnectionDetails;
import java.util.Map;
import org.springframework.boot.docker.compose.core.RunningService;
import org.springframework.boot.docker.compose.service.connection.DockerComposeConnectionDetailsFactory;
import org.springframework.boot.docker.compose.service.connection.DockerComposeConnectionSource;

/** Connects to services of Docker Compose that run DynamoDB Local or LocalStack. */
final class DockerComposeDetailsFactory extends DockerComposeConnectionDetailsFactory<DynamolockConnectionDetails> {

    /** Creates the factory. Called by Spring. */
    DockerComposeDetailsFactory() {
        super(new String[] {LocalDynamoDbDetails.DYNAMODB_LOCAL, "localstack/localstack", "localstack/localstack-pro"});
    }

    @Override
    protected DynamolockConnectionDetails getDockerComposeConnectionDetails(DockerComposeConnectionSource source) {
        return new DynamolockComposeDetails(source.getRunningService());
    }

    private static final class DynamolockComposeDetails extends DockerComposeConnectionDetails
            implements LocalDynamoDbDetails {

        private final RunningService service;

        private DynamolockComposeDetails(RunningService service) {
            super(service);
            this.service = service;
        }

        @Override
        public String host() {
            return service.host();
        }

        @Override
        public int port() {
            boolean isLocalStack = service.image().getName().contains("localstack");
            return service.ports().get(isLocalStack ? LOCALSTACK_PORT : DYNAMODB_LOCAL_PORT);
        }

        @Override
        public Map<String, String> environment() {
            return service.env();
        }
    }
}
