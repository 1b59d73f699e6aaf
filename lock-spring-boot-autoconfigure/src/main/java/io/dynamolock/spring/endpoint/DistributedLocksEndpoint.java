/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.endpoint;

import io.dynamolock.LockManager;
import io.dynamolock.LockManagerClosedException;
import io.dynamolock.LockState;
import io.dynamolock.spring.health.ManagerVitals;
import java.time.Clock;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.annotation.RegisterReflectionForBinding;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;

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
    public record HeldLocks(Map<String, List<LockDescriptor>> managers) {}

    /**
     * What became of a release.
     *
     * @param name the lock
     * @param released false if that lease does not hold the lock any more, or if there was nothing to free
     * @param was what the row said; null unless the lock was freed whoever held it
     */
    public record Release(
            String name, boolean released, @Nullable LockDescriptor was) {}

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
     * Lists what is held here, from memory; or reads the row of one lock, as {@link #lock(String[], String)} does, whose name may
     * be one that a path cannot have.
     *
     * @param name the lock to read; null for what is held here
     * @param manager bean name of the lock manager; if absent, all of them are listed, and a lock is the default one's
     * @return {@link HeldLocks} or {@link LockDescriptor}
     */
    @ReadOperation
    @RegisterReflectionForBinding({HeldLocks.class, LockDescriptor.class})
    public Object locks(@Nullable String name, @Nullable String manager) {
        return name == null ? held(manager) : row(name, manager);
    }

    private HeldLocks held(@Nullable String only) {
        Map<String, LockManager> listed = only == null ? managers : Map.of(only, manager(only));
        Instant now = clock.instant();
        Map<String, List<LockDescriptor>> held = new LinkedHashMap<>();
        listed.forEach(
                (bean, manager) -> held.put(bean, held(manager, vitals.of(bean).atRisk(), now)));
        return new HeldLocks(held);
    }

    private List<LockDescriptor> held(LockManager manager, Set<String> atRisk, Instant now) {
        return manager.held()
                .map(lock -> LockDescriptor.of(lock, stateOf(lock, atRisk), now, releases))
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
    public LockDescriptor lock(
            @Selector(match = Selector.Match.ALL_REMAINING) String[] name, @Nullable String manager) {
        return row(String.join(SEPARATOR, name), manager);
    }

    private LockDescriptor row(String name, @Nullable String manager) {
        LockManager locks = manager(manager);
        return shown(answered(() -> locks.inspect(name)));
    }

    private LockDescriptor shown(LockState lock) {
        return LockDescriptor.of(lock, lock.status().name(), clock.instant(), releases);
    }

    /**
     * Frees a lock at once although its holder may still be at work. Logged as a warning.
     *
     * @param name the lock
     * @param leaseId the lease that is to lose it, as reading the lock shows it; null with {@code anyway}
     * @param anyway true to free the lock whatever its row says, also a damaged one
     * @param manager bean name of the lock manager; the default one if absent
     * @return whether it was released
     */
    @DeleteOperation
    public Release release(
            @Selector(match = Selector.Match.ALL_REMAINING) String[] name,
            @Nullable String leaseId,
            @Nullable Boolean anyway,
            @Nullable String manager) {
        return released(String.join(SEPARATOR, name), leaseId, anyway, manager);
    }

    /**
     * Does the same as {@link #release}, for any name.
     *
     * @param name the lock
     * @param leaseId the lease that is to lose it, as reading the lock shows it; null with {@code anyway}
     * @param anyway true to free the lock whatever its row says, also a damaged one
     * @param manager bean name of the lock manager; the default one if absent
     * @return whether it was released
     */
    @DeleteOperation
    public Release releaseByName(
            String name, @Nullable String leaseId, @Nullable Boolean anyway, @Nullable String manager) {
        return released(name, leaseId, anyway, manager);
    }

    /**
     * Does the same as {@link #releaseByName} from the body of a request, which access logs do not keep.
     *
     * @param name the lock
     * @param leaseId the lease that is to lose it, as reading the lock shows it; null with {@code anyway}
     * @param anyway true to free the lock whatever its row says, also a damaged one
     * @param manager bean name of the lock manager; the default one if absent
     * @return whether it was released
     */
    @WriteOperation
    public Release releaseByBody(
            String name, @Nullable String leaseId, @Nullable Boolean anyway, @Nullable String manager) {
        return released(name, leaseId, anyway, manager);
    }

    private Release released(
            String name, @Nullable String leaseId, @Nullable Boolean anyway, @Nullable String manager) {
        LockManager locks = manager(manager);
        boolean whoeverHolds = Boolean.TRUE.equals(anyway);
        if (whoeverHolds == (leaseId != null)) {
            throw refused("give either leaseId, or anyway=true to free the lock whatever its row says", null);
        }
        if (leaseId == null) {
            Optional<LockState> was = answered(() -> locks.forceFree(name));
            return new Release(name, was.isPresent(), was.map(this::shown).orElse(null));
        }
        if (leaseId.isBlank()) {
            throw refused("leaseId must not be blank", null);
        }
        return new Release(name, answered(() -> locks.forceRelease(name, leaseId)), null);
    }

    /** What the manager refuses is a mistake of the request: a name that no lock can have, or a row that must not be touched. */
    private static <T> T answered(Supplier<T> question) {
        try {
            return question.get();
        } catch (LockManagerClosedException closed) {
            throw closed;
        } catch (IllegalArgumentException | IllegalStateException mistake) {
            throw refused(String.valueOf(mistake.getMessage()), mistake);
        }
    }

    /**
     * Refuses a request.
     *
     * @param reason names the lock, if at all, as its manager does: what no lock name may contain is escaped or left out
     */
    private static InvalidEndpointRequestException refused(String reason, @Nullable Throwable cause) {
        return new InvalidEndpointRequestException(reason, reason, cause);
    }

    private LockManager manager(@Nullable String bean) {
        LockManager manager = managers.get(bean(bean));
        if (manager == null) {
            throw refused("there is no lock manager of that name, but " + managers.keySet(), null);
        }
        return manager;
    }

    private String bean(@Nullable String manager) {
        return manager == null ? managers.keySet().iterator().next() : manager;
    }
}
