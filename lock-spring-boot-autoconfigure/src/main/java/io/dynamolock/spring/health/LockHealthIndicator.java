/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.health;

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
import java.util.SortedSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

/**
 * Tells whether locks work. Down if a table does not answer, within two seconds however many there are, or if the heartbeat is late by more than one
 * interval; unknown if a table may not be read, which says nothing about locks. Frequent questions are answered from memory:
 * at most one read a second and one description a minute are sent, and nothing is ever written.
 *
 * <p>Safe for use by many threads.
 *
 * @since 0.1
 */
public final class LockHealthIndicator extends AbstractHealthIndicator {

    private static final List<Status> WORST_FIRST = List.of(Status.DOWN, Status.UNKNOWN, Status.UP);

    private static final int MOST_NAMES = 10;

    /** Longer than a probe takes; less than two seconds, by enough to be told within them. */
    private static final long PATIENCE_MILLIS = 1_850;

    private final Map<String, StoreProbe> stores = new LinkedHashMap<>();
    private volatile List<LockHealthIndicator> group = List.of();
    private final List<LockManager> managers;
    private final LockVitals vitals;
    private final Duration heartbeatInterval;

    /**
     * Creates the indicator.
     *
     * @param stores by what they are called; may be empty
     * @param name the row that is read; no lock of the application's
     * @param managers whose leases have to be renewed in time; may be empty
     * @param vitals told by the managers
     * @param heartbeatInterval by how much the heartbeat may be late
     * @param clock tells when to look again
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
     * Makes indicators one group: whoever asks one has all their stores asked, so that going through them takes no longer than
     * the slowest.
     *
     * @param together are asked one after the other
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

    /** Not down: the other locks work, and an instance that is taken out of service changes nothing about a row. */
    private Map<String, Object> closed() {
        SortedSet<String> names = vitals.closedLocks();
        return Map.of(
                "count",
                names.size(),
                "locks",
                names.stream().limit(MOST_NAMES).toList(),
                "remedy",
                "Nobody can acquire these locks: their rows leave no fencing token. Free each with LockManager.forceFree(name)"
                        + " or the endpoint distributedlocks (anyway=true)");
    }

    private Map<String, Finding> findings() throws InterruptedException {
        group.forEach(LockHealthIndicator::ask);
        List<CompletableFuture<Finding>> asked = ask();
        try {
            CompletableFuture.allOf(asked.toArray(CompletableFuture[]::new))
                    .get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException seenBelow) {
            // each has an answer of its own, or none
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
                .map(LockManager::heartbeatLag)
                .max(Comparator.naturalOrder())
                .orElse(Duration.ZERO);
    }

    private long held() {
        return managers.stream().mapToLong(manager -> manager.held().count()).sum();
    }
}
