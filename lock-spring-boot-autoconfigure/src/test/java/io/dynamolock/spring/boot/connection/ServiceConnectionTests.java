/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.LockManager;
import io.dynamolock.dynamodb.LocalDynamoDb;
import io.dynamolock.spring.boot.DynamolockConnectionDetails;
import io.dynamolock.spring.boot.TestClients;
import java.lang.reflect.Constructor;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.BeanUtils;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.service.connection.ConnectionDetails;
import org.springframework.boot.autoconfigure.service.connection.ConnectionDetailsFactories;
import org.springframework.boot.docker.compose.core.ConnectionPorts;
import org.springframework.boot.docker.compose.core.ImageReference;
import org.springframework.boot.docker.compose.core.RunningService;
import org.springframework.boot.docker.compose.service.connection.DockerComposeConnectionSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.testcontainers.service.connection.ServiceConnection;
import org.springframework.boot.testcontainers.service.connection.ServiceConnectionAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.mock.env.MockEnvironment;
import org.springframework.objenesis.SpringObjenesis;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.localstack.LocalStackContainer;
import org.testcontainers.utility.DockerImageName;

/** Connections to containers, as far as a machine without Docker allows. They lead to DynamoDB Local of the tests. */
class ServiceConnectionTests {

    private final ApplicationContextRunner contexts = TestClients.contexts();

    @Test
    void locksInAContainerOfDynamoDbLocal() {
        contexts.withConfiguration(AutoConfigurations.of(ServiceConnectionAutoConfiguration.class))
                .withUserConfiguration(WithDynamoDbLocal.class)
                .withPropertyValues(
                        "dynamolock.client.endpoint=http://localhost:1", "dynamolock.client.region=eu-west-3")
                .run(context -> {
                    assertThat(context.getBean(LockManager.class).tryAcquire("job"))
                            .isPresent();
                    assertThat(context.getBean(DynamolockConnectionDetails.class)
                                    .getRegion())
                            .isEqualTo("us-east-1");
                });
    }

    @Test
    void locksInAContainerOfLocalStack() {
        contexts.withConfiguration(AutoConfigurations.of(ServiceConnectionAutoConfiguration.class))
                .withUserConfiguration(WithLocalStack.class)
                .run(context -> {
                    assertThat(context.getBean(LockManager.class).tryAcquire("job"))
                            .isPresent();
                    assertThat(context.getBean(DynamolockConnectionDetails.class)
                                    .getRegion())
                            .isEqualTo("eu-west-1");
                });
    }

    /** A manager with a Region of its own must not reach AWS from a test. */
    @Test
    void locksOfAllManagersAreInTheContainer() {
        contexts.withConfiguration(AutoConfigurations.of(ServiceConnectionAutoConfiguration.class))
                .withUserConfiguration(WithDynamoDbLocal.class)
                .withPropertyValues(
                        "dynamolock.managers.abroad.client.region=eu-west-3",
                        "dynamolock.managers.abroad.table.name=" + TestClients.newTableName())
                .run(context -> assertThat(
                                context.getBean("abroad", LockManager.class).tryAcquire("job"))
                        .isPresent());
    }

    @ParameterizedTest
    @CsvSource({
        "amazon/dynamodb-local:3.3.0, 8000",
        "localstack/localstack, 4566",
        "localstack/localstack-pro, 4566",
    })
    void locksInAServiceOfDockerCompose(String image, int port) {
        DynamolockConnectionDetails details =
                detailsOf(new Service(image, port, Map.of("DEFAULT_REGION", "eu-west-1")));

        contexts.withBean(DynamolockConnectionDetails.class, () -> details)
                .run(context -> assertThat(context.getBean(LockManager.class).tryAcquire("job"))
                        .isPresent());
        assertThat(details.getRegion()).isEqualTo("eu-west-1");
        assertThat(details.getAccessKey()).isEqualTo("test");
    }

    private static DynamolockConnectionDetails detailsOf(RunningService service) {
        Constructor<DockerComposeConnectionSource> constructor =
                BeanUtils.getResolvableConstructor(DockerComposeConnectionSource.class);
        DockerComposeConnectionSource source = BeanUtils.instantiateClass(constructor, service, new MockEnvironment());
        Map<Class<?>, ConnectionDetails> details =
                new ConnectionDetailsFactories(null).getConnectionDetails(source, true);
        assertThat(details).containsOnlyKeys(DynamolockConnectionDetails.class);
        return (DynamolockConnectionDetails) details.values().iterator().next();
    }

    @Configuration(proxyBeanMethods = false)
    static class WithDynamoDbLocal {

        @Bean
        @ServiceConnection("amazon/dynamodb-local")
        GenericContainer<?> dynamoDb() {
            return new NeverStarted("amazon/dynamodb-local:3.3.0");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class WithLocalStack {

        @Bean
        @ServiceConnection
        LocalStackContainer localStack() {
            return new SpringObjenesis().newInstance(NeverStartedLocalStack.class);
        }
    }

    private static int onlyPort(int expected, int asked) {
        assertThat(asked).isEqualTo(expected);
        return LocalDynamoDb.endpoint().getPort();
    }

    static final class NeverStarted extends GenericContainer<NeverStarted> {

        NeverStarted(String image) {
            super(DockerImageName.parse(image));
        }

        @Override
        public String getHost() {
            return LocalDynamoDb.endpoint().getHost();
        }

        @Override
        public Integer getMappedPort(int port) {
            return onlyPort(8_000, port);
        }

        @Override
        public void start() {}
    }

    /** Container whose constructor, which looks for Docker, is not called. */
    static final class NeverStartedLocalStack extends LocalStackContainer {

        NeverStartedLocalStack() {
            super("localstack/localstack");
        }

        @Override
        public Map<String, String> getEnvMap() {
            return Map.of("DEFAULT_REGION", "eu-west-1");
        }

        @Override
        public void stop() {}

        @Override
        public String getHost() {
            return LocalDynamoDb.endpoint().getHost();
        }

        @Override
        public Integer getMappedPort(int port) {
            return onlyPort(4_566, port);
        }

        @Override
        public void start() {}
    }

    private record Service(String imageName, int port, Map<String, String> env) implements RunningService {

        @Override
        public String name() {
            return "dynamodb";
        }

        @Override
        public ImageReference image() {
            return ImageReference.of(imageName);
        }

        @Override
        public String host() {
            return LocalDynamoDb.endpoint().getHost();
        }

        @Override
        public ConnectionPorts ports() {
            return new ConnectionPorts() {
                @Override
                public int get(int containerPort) {
                    return onlyPort(port, containerPort);
                }

                @Override
                public List<Integer> getAll() {
                    return List.of();
                }

                @Override
                public List<Integer> getAll(@Nullable String protocol) {
                    return List.of();
                }
            };
        }

        @Override
        public Map<String, String> labels() {
            return Map.of();
        }
    }
}
