/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.scheduledjobs;

import io.dynamolock.samples.localdynamodb.LocalDynamoDbProcess;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.scheduling.annotation.EnableScheduling;

/** Application with a scheduled job. */
@SpringBootApplication
@EnableScheduling
public class ScheduledJobsApplication {

    /**
     * Runs two instances of the application on DynamoDB Local, for 16 seconds. Each could be a process of its own.
     *
     * @param args properties of both instances
     * @throws Exception if DynamoDB Local cannot be started
     */
    public static void main(String[] args) throws Exception {
        try (LocalDynamoDbProcess dynamoDb = LocalDynamoDbProcess.start()) {
            List<ConfigurableApplicationContext> instances = Stream.of("instance-1", "instance-2")
                    .map(name -> start(name, dynamoDb, args))
                    .toList();
            TimeUnit.SECONDS.sleep(16);
            instances.forEach(ConfigurableApplicationContext::close);
        }
    }

    private static ConfigurableApplicationContext start(String name, LocalDynamoDbProcess dynamoDb, String... args) {
        return new SpringApplicationBuilder(ScheduledJobsApplication.class)
                .properties("dynamolock.owner=" + name, "dynamolock.client.endpoint=" + dynamoDb.endpoint())
                .run(args);
    }
}
