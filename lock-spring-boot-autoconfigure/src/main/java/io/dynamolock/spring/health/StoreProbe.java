/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.health;

import io.dynamolock.LockStore;
import io.dynamolock.LockStoreException;
import io.dynamolock.dynamodb.DynamoDbLockStore;
import io.dynamolock.dynamodb.LockTableException;
import io.dynamolock.dynamodb.TableState;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.springframework.boot.health.contributor.Status;
import software.amazon.awssdk.awscore.exception.AwsServiceException;

/**
 * Probes whether a store responds: reads a row that does not exist, which needs no other permission than locks do and
 * costs half a read unit. A table is also described, much less often; without the permission, the description is
 * omitted.
 */
final class StoreProbe {

    static final Duration READ_AGAIN = Duration.ofSeconds(1);
    static final Duration DESCRIBE_AGAIN = Duration.ofMinutes(1);

    private static final Duration READ_TIMEOUT = Duration.ofMillis(1_200);
    private static final Duration DESCRIBE_TIMEOUT = Duration.ofMillis(600);
    private static final Set<String> ACCESS_DENIED = Set.of("AccessDeniedException", "AccessDenied");

    /**
     * Result of a probe.
     *
     * @param status unknown if reading is not permitted: the table responds, and locks may work
     * @param details the details for display
     */
    record Finding(Status status, Map<String, Object> details) {}

    private final LockStore store;
    private final String name;
    private final CachedProbe<Finding> finding;
    private final CachedProbe<Map<String, Object>> description;

    StoreProbe(LockStore store, String name, Clock clock) {
        this.store = store;
        this.name = name;
        this.finding = new CachedProbe<>(clock, READ_AGAIN, this::find, StoreProbe::inBackground);
        this.description = new CachedProbe<>(clock, DESCRIBE_AGAIN, this::describe, Runnable::run);
    }

    /** Returns the current or a recent result. It may still be pending some time after the timeouts of the SDK. */
    CompletableFuture<Finding> finding() {
        return finding.ask();
    }

    /** Returns the result to report while a probe is pending. */
    Finding unanswered() {
        return new Finding(Status.DOWN, Map.of("store", store.describe(), "error", "no answer in time"));
    }

    /** Starts a thread: at most once a second, so that a thread pool, which must be closed, is not worthwhile. */
    private static void inBackground(Runnable question) {
        Thread asking = new Thread(question, "dynamolock-health");
        asking.setDaemon(true);
        asking.start();
    }

    private Finding find() {
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("store", store.describe());
        try {
            store.read(name, false, READ_TIMEOUT);
        } catch (LockStoreException failure) {
            details.put("error", String.valueOf(failure.getMessage()));
            return new Finding(isAccessDenied(failure) ? Status.UNKNOWN : Status.DOWN, details);
        } catch (RuntimeException failure) {
            details.put("error", failure.toString());
            return new Finding(Status.DOWN, details);
        }
        details.putAll(description.ask().join());
        return new Finding(Status.UP, details);
    }

    private Map<String, Object> describe() {
        if (!(store instanceof DynamoDbLockStore table)) {
            return Map.of();
        }
        try {
            return details(table.table().describe(DESCRIBE_TIMEOUT));
        } catch (LockTableException notPermitted) {
            return Map.of("description", String.valueOf(notPermitted.getMessage()));
        }
    }

    private static Map<String, Object> details(TableState table) {
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("table", table.name());
        if (table.region() != null) {
            details.put("region", table.region());
        }
        details.put("tableStatus", table.status());
        details.put("billing", table.billingMode());
        details.put("ttl", table.ttlStatus() == null ? "unknown" : table.ttlStatus());
        return details;
    }

    private static boolean isAccessDenied(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof AwsServiceException answer
                    && answer.awsErrorDetails() != null
                    && ACCESS_DENIED.contains(answer.awsErrorDetails().errorCode())) {
                return true;
            }
        }
        return false;
    }
}
