/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.health;

import io.dynamolock.LockDiagnostics;
import io.dynamolock.LockManager;
import io.dynamolock.LockStore;
import io.dynamolock.spring.health.StoreProbe.Finding;
import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

/**
 * Reports the health of locks. The status is down if a table does not respond, within two seconds for any number of
 * tables, or if the heartbeat is late by more than one interval. It is unknown if reading a table is not permitted,
 * which does not mean that locks fail. Results are cached: at most one read a second and one description a minute are
 * sent for a table. Nothing is written.
 *
 * <p>Thread-safe.
 *
 * @since 0.1
 */
public final class LockHealthIndicator extends AbstractHealthIndicator {

    private static final List<Status> WORST_FIRST = List.of(Status.DOWN, Status.UNKNOWN, Status.UP);

    private static final int MOST_NAMES = 10;

    /** Timeout for all probes: longer than one takes, and short enough to respond within two seconds. */
    private static final long PATIENCE_MILLIS = 1_850;

    private final Map<String, StoreProbe> stores = new LinkedHashMap<>();
    private volatile List<LockHealthIndicator> group = List.of();
    private final List<LockManager> managers;
    private final LockVitals vitals;
    private final Duration heartbeatInterval;

    /**
     * Creates the indicator.
     *
     * @param stores the stores by name; may be empty
     * @param name the key of the row that is read; must not be the name of a lock
     * @param managers the managers whose heartbeat is checked; may be empty
     * @param vitals the vitals that listen to these managers
     * @param heartbeatInterval the maximum delay of the heartbeat
     * @param clock the clock for the age of cached results
     */
    public LockHealthIndicator(
            Map<String, ? extends LockStore> stores,
            String name,
            List<LockManager> managers,
            LockVitals vitals,
            Duration heartbeatInterval,
            Clock clock) {
        super("Locks could not be checked");
        stores.forEach((store, probed) -> this.stores.put(store, new StoreProbe(probed, name, clock)));
        this.managers = List.copyOf(managers);
        this.vitals = vitals;
        this.heartbeatInterval = heartbeatInterval;
    }

    /**
     * Groups indicators that are called one after the other: calling one starts the probes of all their stores, so that
     * calling all of them takes no longer than the slowest.
     *
     * @param together the indicators
     */
    public static void group(Collection<LockHealthIndicator> together) {
        List<LockHealthIndicator> all = List.copyOf(together);
        all.forEach(indicator -> indicator.group = all);
    }

    @Override
    protected void doHealthCheck(Health.Builder health) throws InterruptedException {
        Map<String, Finding> findings = findings();
        Duration lag = heartbeatLag();
        boolean late = lag.compareTo(heartbeatInterval) > 0;

        health.status(late ? Status.DOWN : worst(findings));
        if (findings.size() == 1) {
            findings.values().forEach(finding -> health.withDetails(finding.details()));
        } else {
            findings.forEach((store, finding) -> health.withDetail(store, finding.details()));
        }
        if (managers.isEmpty()) {
            return;
        }
        health.withDetail("held", held());
        health.withDetail("atRisk", vitals.atRisk().size());
        health.withDetail("heartbeatLag", lag.toString());
        health.withDetail("clockWidth", Objects.toString(vitals.clockWidth(), "unknown"));
        if (!vitals.closedLocks().isEmpty()) {
            health.withDetail("closed", closed());
        }
    }

    /**
     * Describes closed locks. They do not set the status to down: other locks work, and restarting an instance repairs
     * no row.
     */
    private Map<String, Object> closed() {
        SortedSet<String> names = vitals.closedLocks();
        return Map.of(
                "count",
                names.size(),
                "locks",
                names.stream().limit(MOST_NAMES).toList(),
                "remedy",
                "No process can acquire these locks: their rows leave no fencing token. Free each with LockManager.forceFree(name)"
                        + " or the endpoint distributedlocks (anyway=true)");
    }

    private Map<String, Finding> findings() throws InterruptedException {
        group.forEach(LockHealthIndicator::ask);
        List<CompletableFuture<Finding>> asked = ask();
        try {
            CompletableFuture.allOf(asked.toArray(CompletableFuture[]::new))
                    .get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException seenBelow) {
            // each store is evaluated below
        }
        Map<String, Finding> findings = new LinkedHashMap<>();
        Iterator<CompletableFuture<Finding>> answers = asked.iterator();
        stores.forEach((store, probe) -> findings.put(store, answers.next().getNow(probe.unanswered())));
        return findings;
    }

    private List<CompletableFuture<Finding>> ask() {
        return stores.values().stream().map(StoreProbe::finding).toList();
    }

    private static Status worst(Map<String, Finding> findings) {
        return findings.values().stream()
                .map(Finding::status)
                .min(Comparator.comparing(WORST_FIRST::indexOf))
                .orElse(Status.UP);
    }

    private Duration heartbeatLag() {
        return managers.stream()
                .map(LockManager::diagnostics)
                .flatMap(Optional::stream)
                .map(LockDiagnostics::heartbeatLag)
                .max(Comparator.naturalOrder())
                .orElse(Duration.ZERO);
    }

    private long held() {
        return managers.stream().mapToLong(manager -> manager.held().count()).sum();
    }
}
