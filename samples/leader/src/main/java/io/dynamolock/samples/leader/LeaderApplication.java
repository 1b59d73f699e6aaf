/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.leader;

import io.dynamolock.samples.localdynamodb.LocalDynamoDbProcess;
import java.util.concurrent.TimeUnit;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.scheduling.annotation.EnableScheduling;

/** Application with work for the leader. */
@SpringBootApplication
@EnableScheduling
public class LeaderApplication {

    /**
     * Runs two instances of the application on DynamoDB Local, and stops the one that leads after three seconds. Each could
     * be a process of its own.
     *
     * @param args properties of both instances
     * @throws Exception if DynamoDB Local cannot be started
     */
    public static void main(String[] args) throws Exception {
        try (LocalDynamoDbProcess dynamoDb = LocalDynamoDbProcess.start()) {
            ConfigurableApplicationContext first = start("instance-1", dynamoDb, args);
            ConfigurableApplicationContext second = start("instance-2", dynamoDb, args);
            TimeUnit.SECONDS.sleep(3);
            first.close();
            TimeUnit.SECONDS.sleep(3);
            second.close();
        }
    }

    private static ConfigurableApplicationContext start(String name, LocalDynamoDbProcess dynamoDb, String... args) {
        return new SpringApplicationBuilder(LeaderApplication.class)
                .properties("dynamolock.owner=" + name, "dynamolock.client.endpoint=" + dynamoDb.endpoint())
                .run(args);
    }
}
