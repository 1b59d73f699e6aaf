/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.benchmarks;

import java.lang.management.ManagementFactory;
import java.net.URI;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * An application that sends one request to DynamoDB at startup, and prints how long its start took. It uses no locks; if
 * so requested, it has the {@link FloorStarter}.
 */
@SpringBootConfiguration
@EnableAutoConfiguration
class StartedApplication {

    private final Requests requests = new Requests();

    /**
     * Starts and ends.
     *
     * @param options the endpoint of DynamoDB, and {@value StartUp#FLOOR} for the floor
     */
    public static void main(String[] options) {
        Class<?>[] sources = Arrays.asList(options).contains(StartUp.FLOOR)
                ? new Class<?>[] {StartedApplication.class, FloorStarter.class}
                : new Class<?>[] {StartedApplication.class};
        try (ConfigurableApplicationContext application = SpringApplication.run(sources, options)) {
            long millis = ManagementFactory.getRuntimeMXBean().getUptime();
            Requests requests = application.getBean(StartedApplication.class).requests;
            System.out.printf("%s%d %d%n", StartUp.RESULT, millis, requests.sent.get());
        }
    }

    @Bean
    DynamoDbClient dynamoDb(@Value("${endpoint}") URI endpoint) {
        DynamoDbClient client = DynamoDbClient.builder()
                .endpointOverride(endpoint)
                .region(Region.EU_WEST_1)
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("local", "local")))
                .overrideConfiguration(options -> options.addExecutionInterceptor(requests))
                .build();
        client.listTables();
        return client;
    }

    private static final class Requests implements ExecutionInterceptor {

        private final AtomicInteger sent = new AtomicInteger();

        @Override
        public void beforeTransmission(Context.BeforeTransmission request, ExecutionAttributes attributes) {
            sent.incrementAndGet();
        }
    }
}
