/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.spring.Docs;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** The clients for locks in configuration.md are those in this class. */
class ClientPageTests {

    @ParameterizedTest
    @ValueSource(strings = {"Connections", "With Spring Cloud AWS"})
    void pageShowsTheCodeThatIsRunHere(String heading) {
        String section = Docs.page("configuration.md").split("\n## " + heading + "\n", 2)[1];

        Docs.assertCodeIsThatOf(ClientPageTests.class, section.split("\n## ", 2)[0], 1);
    }

    @ParameterizedTest
    @ValueSource(classes = {WithMoreConnections.class, WithDefaults.class})
    void clientOfThePageIsForLocksOnly(Class<?> configuration) {
        new ApplicationContextRunner()
                .withSystemProperties("aws.region=eu-west-1")
                .withUserConfiguration(configuration)
                .withBean(Shop.class)
                .run(context -> assertThat(context.getBean(Shop.class).client().getIfAvailable())
                        .isNull());
    }

    /** Another part of the application, which has no use for that client. */
    record Shop(ObjectProvider<DynamoDbClient> client) {}

    @Configuration(proxyBeanMethods = false)
    static class WithMoreConnections {

        @Bean(defaultCandidate = false)
        DynamoDbClient dynamolockClient() {
            return DynamoDbClient.builder()
                    .httpClientBuilder(Apache5HttpClient.builder().maxConnections(100))
                    .build();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class WithDefaults {

        @Bean(defaultCandidate = false)
        DynamoDbClient dynamolockClient() {
            return DynamoDbClient.create();
        }
    }
}
