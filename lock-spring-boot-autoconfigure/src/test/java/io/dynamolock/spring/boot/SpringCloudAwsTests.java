/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.awspring.cloud.autoconfigure.core.AwsAutoConfiguration;
import io.awspring.cloud.autoconfigure.core.AwsConnectionDetails;
import io.awspring.cloud.autoconfigure.core.CredentialsProviderAutoConfiguration;
import io.awspring.cloud.autoconfigure.core.RegionProviderAutoConfiguration;
import io.awspring.cloud.autoconfigure.dynamodb.DynamoDbAutoConfiguration;
import io.dynamolock.LockManager;
import io.dynamolock.dynamodb.LocalDynamoDb;
import io.dynamolock.dynamodb.dax.AcceleratorClient;
import io.dynamolock.spring.StartFailure;
import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** Use together with Spring Cloud AWS, whose client is the application's. */
class SpringCloudAwsTests {

    private static final Class<?>[] THEIRS = {
        AwsAutoConfiguration.class,
        CredentialsProviderAutoConfiguration.class,
        RegionProviderAutoConfiguration.class,
        DynamoDbAutoConfiguration.class
    };
    private static final Class<?>[] OURS = {DynamolockAutoConfiguration.class, DistributedLockAutoConfiguration.class};

    private static ApplicationContextRunner contexts(Class<?>[] first, Class<?>[] then) {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(first))
                .withConfiguration(AutoConfigurations.of(then))
                .withPropertyValues(
                        "dynamolock.table.name=" + TestClients.newTableName(),
                        "dynamolock.shutdown.grace-period=0s", // for leases that a test does not release
                        "spring.cloud.aws.region.static=" + LocalDynamoDb.REGION,
                        "spring.cloud.aws.credentials.access-key=local",
                        "spring.cloud.aws.credentials.secret-key=secret");
    }

    static List<ApplicationContextRunner> orders() {
        return List.of(contexts(THEIRS, OURS), contexts(OURS, THEIRS));
    }

    @ParameterizedTest
    @MethodSource("orders")
    void locksWithItsClient(ApplicationContextRunner contexts) {
        contexts.withPropertyValues("spring.cloud.aws.dynamodb.endpoint=" + LocalDynamoDb.endpoint())
                .run(context -> {
                    assertThat(context.getBean(LockManager.class).tryAcquire("job"))
                            .isPresent();
                    assertThat(context).hasSingleBean(DynamoDbClient.class).doesNotHaveBean("dynamolockDefaultClient");
                });
    }

    @ParameterizedTest
    @MethodSource("orders")
    void locksWhereItsConnectionDetailsSay(ApplicationContextRunner contexts) {
        contexts.withBean(AwsConnectionDetails.class, Details::new)
                .withPropertyValues("spring.cloud.aws.dynamodb.endpoint=http://localhost:1")
                .run(context -> assertThat(context.getBean(LockManager.class).tryAcquire("job"))
                        .isPresent());
    }

    @Test
    void rejectsItsAcceleratorAndSaysWhatToDo() {
        contexts(THEIRS, OURS)
                .withBean(DynamoDbClient.class, AcceleratorClient::new)
                .run(context -> {
                    InvalidLockPropertyException failure = StartFailure.of(context, InvalidLockPropertyException.class);

                    assertThat(failure.problem()).contains("DynamoDB Accelerator", AcceleratorClient.class.getName());
                    assertThat(failure.remedy()).contains("dynamolockClient");
                });
    }

    static final class Details implements AwsConnectionDetails {

        @Override
        public URI getEndpoint() {
            return LocalDynamoDb.endpoint();
        }

        @Override
        public String getRegion() {
            return LocalDynamoDb.REGION.id();
        }

        @Override
        public String getAccessKey() {
            return "local";
        }

        @Override
        public String getSecretKey() {
            return "secret";
        }
    }
}
