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

/** Contexts as applications have them, on DynamoDB Local. */
public final class TestClients {

    /** There may be a copy of this class, beside a seeded fault, which makes tables on the same server. */
    private static final long LOADED_AT = System.nanoTime();

    private static final AtomicInteger TABLES = new AtomicInteger();

    private TestClients() {}

    /** Contexts with everything that the starter brings, and no client. */
    public static ApplicationContextRunner contexts() {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        DynamolockAutoConfiguration.class,
                        DynamolockDisabledAutoConfiguration.class,
                        DistributedLockAutoConfiguration.class,
                        DynamolockMetricsAutoConfiguration.class))
                .withPropertyValues(
                        "dynamolock.table.name=" + newTableName(),
                        "dynamolock.shutdown.grace-period=100ms"); // for leases that a test leaves open
    }

    /** Contexts with a client of the application. */
    public static ApplicationContextRunner contexts(FaultyHttpClient http) {
        return contexts().withBean(DynamoDbClient.class, () -> client(http));
    }

    public static DynamoDbClient client(FaultyHttpClient http) {
        return LocalDynamoDb.newClient().httpClient(http).build();
    }

    public static FaultyHttpClient http() {
        return new FaultyHttpClient(LocalDynamoDb.newHttpClient());
    }

    /** Properties of a client that dynamolock makes itself. */
    public static String[] ownClient() {
        return ownClient("dynamolock");
    }

    /** The same, for one lock manager. */
    public static String[] ownClient(String prefix) {
        return new String[] {
            prefix + ".client.endpoint=" + LocalDynamoDb.endpoint(),
            prefix + ".client.region=" + LocalDynamoDb.REGION,
            prefix + ".client.access-key=local",
            prefix + ".client.secret-key=secret"
        };
    }

    /** Keeps a bean from being injected where it is not asked for by name. */
    public static void byNameOnly(BeanDefinition bean) {
        ((AbstractBeanDefinition) bean).setDefaultCandidate(false);
    }

    /** A class path without a package, for whoever reads classes instead of loading them, too. */
    public static FilteredClassLoader without(String packageName) {
        return new FilteredClassLoader(name -> name.replace('/', '.').startsWith(packageName));
    }

    public static String newTableName() {
        return "spring-locks-" + LOADED_AT + "-" + TABLES.incrementAndGet();
    }
}
