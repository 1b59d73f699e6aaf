/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.endpoint;

import io.dynamolock.LockManager;
import io.dynamolock.LockState;
import io.dynamolock.spring.health.ManagerVitals;
import java.time.Clock;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;

/**
 * Shows operators the locks, and releases one by force where that is allowed. Reading is allowed by default; releasing, and
 * seeing the lease ids that it needs, only with {@code management.endpoint.distributedlocks.access=unrestricted}.
 *
 * <p>Safe for use by many threads.
 *
 * @since 0.1
 */
@Endpoint(id = DistributedLocksEndpoint.ID, defaultAccess = Access.READ_ONLY)
public final class DistributedLocksEndpoint {

    /** What the endpoint is called. */
    public static final String ID = "distributedlocks";

    /** As in the lock managers: a name with slashes is several segments of a path. */
    private static final String SEPARATOR = "/";

    /**
     * What is held here.
     *
     * @param managers the locks of each lock manager, by its bean name
     */
    public record HeldLocks(Map<String, List<ShownLock>> managers) {}

    /**
     * What became of a release.
     *
     * @param name the lock
     * @param released false if that lease does not hold the lock any more
     */
    public record Release(String name, boolean released) {}

    private final Map<String, LockManager> managers;
    private final ManagerVitals vitals;
    private final Clock clock;
    private final boolean releases;

    /**
     * Creates the endpoint.
     *
     * @param managers by bean name; the first is the default
     * @param vitals told by the managers
     * @param clock tells how old a lease is
     * @param releases whether lease ids may be seen
     */
    public DistributedLocksEndpoint(
            Map<String, LockManager> managers, ManagerVitals vitals, Clock clock, boolean releases) {
        this.managers = new LinkedHashMap<>(managers);
        this.vitals = vitals;
        this.clock = clock;
        this.releases = releases;
    }

    /**
     * Lists what is held here, from memory.
     *
     * @return the locks of each manager
     */
    @ReadOperation
    public HeldLocks held() {
        Instant now = clock.instant();
        Map<String, List<ShownLock>> held = new LinkedHashMap<>();
        managers.forEach(
                (bean, manager) -> held.put(bean, held(manager, vitals.of(bean).atRisk(), now)));
        return new HeldLocks(held);
    }

    private List<ShownLock> held(LockManager manager, Set<String> atRisk, Instant now) {
        return manager.held()
                .map(lock -> ShownLock.of(lock, stateOf(lock, atRisk), now, releases))
                .toList();
    }

    private static String stateOf(LockState held, Set<String> atRisk) {
        String leaseId = held.leaseId();
        return leaseId != null && atRisk.contains(leaseId)
                ? "AT_RISK"
                : held.status().name();
    }

    /**
     * Reads the row of one lock, held here or elsewhere.
     *
     * @param name the lock
     * @param manager bean name of the lock manager; the default one if absent
     * @return what its row says
     */
    @ReadOperation
    public ShownLock lock(@Selector(match = Selector.Match.ALL_REMAINING) String[] name, @Nullable String manager) {
        LockState lock = manager(manager).inspect(String.join(SEPARATOR, name));
        return ShownLock.of(lock, lock.status().name(), clock.instant(), releases);
    }

    /**
     * Frees a lock at once although its holder may still be at work. Logged as a warning.
     *
     * @param name the lock
     * @param leaseId the lease, as reading the lock shows it
     * @param manager bean name of the lock manager; the default one if absent
     * @return whether it was released
     */
    @DeleteOperation
    public Release release(
            @Selector(match = Selector.Match.ALL_REMAINING) String[] name, String leaseId, @Nullable String manager) {
        LockManager locks = manager(manager);
        if (leaseId.isBlank()) {
            throw new InvalidEndpointRequestException("leaseId is blank", "leaseId must not be blank");
        }
        String lock = String.join(SEPARATOR, name);
        return new Release(lock, locks.forceRelease(lock, leaseId));
    }

    private LockManager manager(@Nullable String bean) {
        LockManager manager = bean == null ? managers.values().iterator().next() : managers.get(bean);
        if (manager == null) {
            String problem = "there is no lock manager '" + bean + "', but " + managers.keySet();
            throw new InvalidEndpointRequestException(problem, problem);
        }
        return manager;
    }
}
