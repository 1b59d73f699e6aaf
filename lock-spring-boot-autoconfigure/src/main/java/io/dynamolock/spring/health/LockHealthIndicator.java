/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.health;

import io.dynamolock.LockDiagnostics;
import io.dynamolock.LockManager;
import io.dynamolock.LockSettings;
import io.dynamolock.LockStore;
import io.dynamolock.LockStoreException;
import io.dynamolock.dynamodb.DynamoDbLockStore;
import io.dynamolock.dynamodb.LockTableException;
import io.dynamolock.dynamodb.TableProblem;
import io.dynamolock.dynamodb.TableState;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.SortedSet;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

/**
 * Reports the health of one lock manager. The status is down if its store does not respond to a read within 1.2
 * seconds, or if the heartbeat is late by more than one interval. It is unknown if reading the table is not permitted,
 * which does not mean that locks fail.
 *
 * <p>Each check reads one row that is no lock, which needs no other permission than locks do and costs half a read
 * unit. The first one also describes the table; without the permission, the description is omitted. Nothing is written.
 *
 * <p>Thread-safe.
 *
 * @since 0.1
 */
public final class LockHealthIndicator extends AbstractHealthIndicator {

    static final Duration READ_TIMEOUT = Duration.ofMillis(1_200);
    static final Duration DESCRIBE_TIMEOUT = Duration.ofMillis(600);
    private static final int MAX_NAMES = 10;
    private static final String ACTIVE = "ACTIVE";

    private final Supplier<LockManager> lazyManager;
    private final UnaryOperator<String> row;
    private final LockHealth lockHealth;
    private final Duration readTimeout;
    private final Duration describeTimeout;
    private volatile @Nullable Map<String, Object> description;

    /**
     * Creates the indicator.
     *
     * @param manager gives the manager, at the first check; one without diagnostics is reported without its store and
     *     heartbeat
     * @param row gives the key of the row that is read, for a name prefix; must not be the name of a lock
     * @param lockHealth the listener of that manager
     */
    public LockHealthIndicator(Supplier<LockManager> manager, UnaryOperator<String> row, LockHealth lockHealth) {
        this(manager, row, lockHealth, READ_TIMEOUT, DESCRIBE_TIMEOUT);
    }

    LockHealthIndicator(
            Supplier<LockManager> manager,
            UnaryOperator<String> row,
            LockHealth lockHealth,
            Duration readTimeout,
            Duration describeTimeout) {
        super("Locks could not be checked");
        this.lazyManager = manager;
        this.row = row;
        this.lockHealth = lockHealth;
        this.readTimeout = readTimeout;
        this.describeTimeout = describeTimeout;
    }

    @Override
    protected void doHealthCheck(Health.Builder health) {
        health.up();
        LockManager manager = lazyManager.get();
        manager.diagnostics().ifPresent(diagnostics -> {
            read(diagnostics, health);
            checkHeartbeat(diagnostics, health);
            if (diagnostics.isDraining()) {
                health.withDetail("draining", true);
            }
        });
        health.withDetail("held", manager.held().count());
        health.withDetail("atRisk", lockHealth.atRisk().size());
        health.withDetail("clockWidth", Objects.toString(lockHealth.clockWidth(), "unknown"));
        if (!lockHealth.closedLocks().isEmpty()) {
            health.withDetail("closed", closed());
        }
    }

    private void read(LockDiagnostics diagnostics, Health.Builder health) {
        LockStore store = diagnostics.store();
        health.withDetail("store", store.describe());
        if (store instanceof DynamoDbLockStore table && table.table().endpoint() != null) {
            health.withDetail("endpoint", table.table().endpoint());
        }
        try {
            store.read(row.apply(diagnostics.settings().namePrefix()), false, readTimeout);
        } catch (LockStoreException failure) {
            boolean denied = TableProblem.of(failure) == TableProblem.DENIED;
            health.status(denied ? Status.UNKNOWN : Status.DOWN);
            health.withDetail("error", String.valueOf(failure.getMessage()));
            return;
        }
        if (store instanceof DynamoDbLockStore table) {
            health.withDetails(description(table));
        }
    }

    /** Describes the table once, and again if that failed, or the table was changing or not active. */
    private Map<String, Object> description(DynamoDbLockStore store) {
        Map<String, Object> known = description;
        if (known != null) {
            return known;
        }
        try {
            TableState table = store.table().describe(describeTimeout);
            return kept(details(table), ACTIVE.equals(table.status()) && !isChanging(table.ttlStatus()));
        } catch (LockTableException failure) {
            return kept(
                    Map.of("description", String.valueOf(failure.getMessage())),
                    TableProblem.of(failure) == TableProblem.DENIED);
        }
    }

    private Map<String, Object> kept(Map<String, Object> details, boolean isFinal) {
        if (isFinal) {
            description = details;
        }
        return details;
    }

    /** Recognizes the transitional states, such as {@code ENABLING}. */
    private static boolean isChanging(@Nullable String status) {
        return status != null && status.endsWith("ING");
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

    private static void checkHeartbeat(LockDiagnostics diagnostics, Health.Builder health) {
        LockSettings settings = diagnostics.settings();
        Duration lag = diagnostics.heartbeatLag();
        if (lag.compareTo(settings.heartbeatIntervalFor(settings.leaseDuration())) > 0) {
            health.down();
        }
        health.withDetail("heartbeatLag", lag.toString());
    }

    /**
     * Describes closed locks. They do not set the status to down: other locks work, and restarting an instance repairs
     * no row.
     */
    private Map<String, Object> closed() {
        SortedSet<String> names = lockHealth.closedLocks();
        return Map.of(
                "count",
                names.size(),
                "locks",
                names.stream().limit(MAX_NAMES).toList(),
                "remedy",
                "No process can acquire these locks: their rows leave no fencing token. Free each with LockManager.forceFree(name)"
                        + " or the endpoint distributedlocks (anyway=true)");
    }
}
