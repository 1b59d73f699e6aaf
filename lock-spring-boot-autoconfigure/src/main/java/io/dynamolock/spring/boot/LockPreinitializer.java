/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import io.dynamolock.LockManager;
import io.dynamolock.dynamodb.DynamoDbLockStore;
import io.dynamolock.memory.InMemoryLockStore;
import java.util.List;
import org.springframework.boot.autoconfigure.preinitialize.BackgroundPreinitializer;
import org.springframework.boot.context.properties.bind.Binder;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.BillingModeSummary;
import software.amazon.awssdk.services.dynamodb.model.DescribeTableRequest;
import software.amazon.awssdk.services.dynamodb.model.DescribeTableResponse;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.ProvisionedThroughputDescription;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;

/**
 * Loads the classes that a lock manager needs at startup on Spring Boot's background thread, while the application
 * prepares its context. Sends nothing, starts no thread, and leaves nothing behind but loaded classes.
 */
final class LockPreinitializer implements BackgroundPreinitializer {

    /** Creates the preinitializer. Called by Spring Boot. */
    LockPreinitializer() {}

    @Override
    public void preinitialize() {
        Classes.load();
    }

    /** Loaded on the background thread, unlike the preinitializer: its verification loads the SDK's client. */
    private static final class Classes {

        static void load() {
            loadTableDescription();
            DynamolockProperties defaults =
                    new Binder(List.of()).bindOrCreate(PropertyKeys.PREFIX, DynamolockProperties.class);
            LockSettingsMapper.check(ManagerProperties.ofDefault(defaults));
            DynamoDbLockStore.builder(new UnconnectedClient()).build();
            LockManager.builder(new InMemoryLockStore()).build();
        }

        /** Loads the classes of the one request at startup. */
        private static void loadTableDescription() {
            DescribeTableRequest.builder();
            DescribeTableResponse.builder();
            TableDescription.builder();
            AttributeDefinition.builder();
            KeySchemaElement.builder();
            BillingModeSummary.builder();
            ProvisionedThroughputDescription.builder();
        }
    }

    /** A client without any resources. */
    private static final class UnconnectedClient implements DynamoDbClient {

        @Override
        public String serviceName() {
            return SERVICE_NAME;
        }

        @Override
        public void close() {}
    }
}
