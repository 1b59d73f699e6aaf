/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.LockStore;
import io.dynamolock.LockStoreException;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.health.contributor.Status;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;

/** Health of several stores together. */
class LockHealthIndicatorTests {

    @Test
    void isDownIfOneStoreDoesNotAnswerThoughAnotherMayNotBeRead() {
        LockHealthIndicator health = new LockHealthIndicator(
                Map.of("denied", failing(denied()), "away", failing(null)),
                "row",
                List.of(),
                new LockVitals(),
                Duration.ofSeconds(10),
                Clock.systemUTC());

        assertThat(health.health().getStatus()).isEqualTo(Status.DOWN);
    }

    @Test
    void isUnknownIfAStoreMayNotBeRead() {
        LockHealthIndicator health = new LockHealthIndicator(
                Map.of("denied", failing(denied())),
                "row",
                List.of(),
                new LockVitals(),
                Duration.ofSeconds(10),
                Clock.systemUTC());

        assertThat(health.health().getStatus()).isEqualTo(Status.UNKNOWN);
    }

    private static Exception denied() {
        return DynamoDbException.builder()
                .awsErrorDetails(AwsErrorDetails.builder()
                        .errorCode("AccessDeniedException")
                        .build())
                .build();
    }

    /** Store that returns its name, and fails on all other calls. */
    private static LockStore failing(@Nullable Exception cause) {
        return (LockStore) Proxy.newProxyInstance(
                LockStore.class.getClassLoader(), new Class<?>[] {LockStore.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("describe")) {
                        return "a store";
                    }
                    throw new LockStoreException("row", "failed", cause, false, true);
                });
    }
}
