/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import io.dynamolock.dynamodb.FaultyHttpClient;
import io.dynamolock.dynamodb.LocalDynamoDb;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** Contexts of applications on DynamoDB Local. */
public final class TestClients {

    /** Distinguishes copies of this class, loaded with a seeded fault, which create tables on the same server. */
    private static final long LOADED_AT = System.nanoTime();

    private static final AtomicInteger TABLES = new AtomicInteger();

    private TestClients() {}

    /** Returns contexts with everything in the starter, without a client. */
    public static ApplicationContextRunner contexts() {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        DynamolockAutoConfiguration.class,
                        DynamolockDisabledAutoConfiguration.class,
                        DistributedLockAutoConfiguration.class,
                        DynamolockMetricsAutoConfiguration.class))
                .withPropertyValues(
                        "dynamolock.table.name=" + newTableName(),
                        "dynamolock.shutdown.grace-period=100ms"); // for leases that a test does not release
    }

    /** Returns contexts with a client of the application. */
    public static ApplicationContextRunner contexts(FaultyHttpClient http) {
        return contexts().withBean(DynamoDbClient.class, () -> client(http));
    }

    public static DynamoDbClient client(FaultyHttpClient http) {
        return LocalDynamoDb.newClient().httpClient(http).build();
    }

    public static FaultyHttpClient http() {
        return new FaultyHttpClient(LocalDynamoDb.newHttpClient());
    }

    /** Returns properties of a client that dynamolock creates. */
    public static String[] ownClient() {
        return ownClient("dynamolock");
    }

    /** Returns properties of the client of one lock manager. */
    public static String[] ownClient(String prefix) {
        return new String[] {
            prefix + ".client.endpoint=" + LocalDynamoDb.endpoint(),
            prefix + ".client.region=" + LocalDynamoDb.REGION,
            prefix + ".client.access-key=local",
            prefix + ".client.secret-key=secret"
        };
    }

    /** Makes a bean injectable by name only. */
    public static void byNameOnly(BeanDefinition bean) {
        ((AbstractBeanDefinition) bean).setDefaultCandidate(false);
    }

    /** Returns a class path without a package, whether its classes are loaded or read as resources. */
    public static FilteredClassLoader without(String packageName) {
        return new FilteredClassLoader(name -> name.replace('/', '.').startsWith(packageName));
    }

    public static String newTableName() {
        return "spring-locks-" + LOADED_AT + "-" + TABLES.incrementAndGet();
    }
}
