/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.endpoint;

import io.dynamolock.LastHold;
import io.dynamolock.LockDiagnostics;
import io.dynamolock.LockManager;
import io.dynamolock.LockManagerClosedException;
import io.dynamolock.LockState;
import io.dynamolock.spring.DeclaredLock;
import io.dynamolock.spring.Leadership;
import io.dynamolock.spring.health.LockHealthRegistry;
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
 * Actuator endpoint that shows locks and, if permitted, releases a lock by force. Read access is permitted by default.
 * Releasing locks, and reading the lease ids that it needs, requires
 * {@code management.endpoint.distributedlocks.access=unrestricted}.
 *
 * <p>Thread-safe.
 *
 * @since 0.1
 */
@Endpoint(id = DistributedLocksEndpoint.ID, defaultAccess = Access.READ_ONLY)
public final class DistributedLocksEndpoint {

    /** Id of the endpoint. */
    public static final String ID = "distributedlocks";

    /** Joins the path segments of a lock name with slashes. */
    private static final String SEPARATOR = "/";

    /**
     * Locks that this process holds, and those that it declares.
     *
     * @param managers the held locks of each lock manager, by its bean name
     * @param draining the bean names of the managers that {@linkplain LockManager#startDraining() drain}: they reject
     *     new locks
     * @param declared the locks of annotated methods
     * @param leader the leadership of the application; null if it elects no leader
     */
    public record LocksDescriptor(
            Map<String, List<LockDescriptor>> managers,
            List<String> draining,
            List<DeclaredLock> declared,
            @Nullable LeaderDescriptor leader) {}

    /**
     * Leadership of the application.
     *
     * @param name the lock of the leader
     * @param leading whether this process leads
     */
    public record LeaderDescriptor(String name, boolean leading) {}

    /**
     * Result of a release.
     *
     * @param name the lock
     * @param released false if the lease no longer holds the lock, or if there was nothing to free
     * @param was the previous content of the row; null unless the lock was freed regardless of its holder
     */
    public record ReleaseResult(
            String name, boolean released, @Nullable LockDescriptor was) {}

    private final Supplier<Map<String, LockManager>> managers;
    private final Supplier<@Nullable LockManager> unqualified;
    private final LockHealthRegistry health;
    private final Supplier<List<DeclaredLock>> declared;
    private final @Nullable Leadership leadership;
    private final Clock clock;
    private final boolean releases;

    /**
     * Creates the endpoint.
     *
     * @param managers gives the lock managers by bean name, at the first request
     * @param unqualified gives the manager of requests that name none; null if they are rejected
     * @param health the registry of the listeners of these managers
     * @param declared the locks of annotated methods
     * @param leadership the leadership of the application; null if it elects no leader
     * @param clock the clock for the age of leases
     * @param releases whether lease ids are shown
     */
    public DistributedLocksEndpoint(
            Supplier<Map<String, LockManager>> managers,
            Supplier<@Nullable LockManager> unqualified,
            LockHealthRegistry health,
            Supplier<List<DeclaredLock>> declared,
            @Nullable Leadership leadership,
            Clock clock,
            boolean releases) {
        this.managers = managers;
        this.unqualified = unqualified;
        this.health = health;
        this.declared = declared;
        this.leadership = leadership;
        this.clock = clock;
        this.releases = releases;
    }

    /**
     * Lists the locks that this process holds, from memory, and those that its annotations declare; or reads the row of
     * one lock, as {@link #lock(String[], String)} does, including one whose name a path cannot contain.
     *
     * @param name the lock to read; null for the locks that this process holds
     * @param manager bean name of the lock manager; if absent, locks of all managers are listed, or a lock of the
     *     default one is read
     * @return {@link LocksDescriptor} or {@link LockDescriptor}
     */
    @ReadOperation
    @RegisterReflectionForBinding({
        LocksDescriptor.class,
        LockDescriptor.class,
        DeclaredLock.class,
        LastHold.class,
        LeaderDescriptor.class
    })
    public Object locks(@Nullable String name, @Nullable String manager) {
        return name == null ? held(manager) : row(name, manager);
    }

    private LocksDescriptor held(@Nullable String only) {
        Map<String, LockManager> listed = only == null ? managers.get() : Map.of(only, manager(only));
        Instant now = clock.instant();
        Map<String, List<LockDescriptor>> held = new LinkedHashMap<>();
        listed.forEach(
                (bean, manager) -> held.put(bean, held(manager, health.of(bean).atRisk(), now)));
        List<String> draining = listed.entrySet().stream()
                .filter(each -> isDraining(each.getValue()))
                .map(Map.Entry::getKey)
                .toList();
        LeaderDescriptor leader =
                leadership == null ? null : new LeaderDescriptor(leadership.name(), leadership.isLeader());
        return new LocksDescriptor(held, draining, declared.get(), leader);
    }

    private static boolean isDraining(LockManager manager) {
        return manager.diagnostics().filter(LockDiagnostics::isDraining).isPresent();
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
     * Reads the row of one lock, whichever process holds it.
     *
     * @param name the lock
     * @param manager bean name of the lock manager; the default one if absent
     * @return the content of the row
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
     * Frees a lock immediately, although its holder may still be working. Logs a warning.
     *
     * @param name the lock
     * @param leaseId the id of the lease to release, as reading the lock shows it; null with {@code anyway}
     * @param anyway true to free the lock regardless of its row, even if that is corrupt
     * @param manager bean name of the lock manager; the default one if absent
     * @return the result of the release
     */
    @DeleteOperation
    public ReleaseResult release(
            @Selector(match = Selector.Match.ALL_REMAINING) String[] name,
            @Nullable String leaseId,
            @Nullable Boolean anyway,
            @Nullable String manager) {
        return released(String.join(SEPARATOR, name), leaseId, anyway, manager);
    }

    /**
     * Frees a lock like {@link #release}, for any name.
     *
     * @param name the lock
     * @param leaseId the id of the lease to release, as reading the lock shows it; null with {@code anyway}
     * @param anyway true to free the lock regardless of its row, even if that is corrupt
     * @param manager bean name of the lock manager; the default one if absent
     * @return the result of the release
     */
    @DeleteOperation
    public ReleaseResult releaseByName(
            String name, @Nullable String leaseId, @Nullable Boolean anyway, @Nullable String manager) {
        return released(name, leaseId, anyway, manager);
    }

    /**
     * Frees a lock like {@link #releaseByName}, with parameters in the request body, which access logs do not contain.
     *
     * @param name the lock
     * @param leaseId the id of the lease to release, as reading the lock shows it; null with {@code anyway}
     * @param anyway true to free the lock regardless of its row, even if that is corrupt
     * @param manager bean name of the lock manager; the default one if absent
     * @return the result of the release
     */
    @WriteOperation
    public ReleaseResult releaseByBody(
            String name, @Nullable String leaseId, @Nullable Boolean anyway, @Nullable String manager) {
        return released(name, leaseId, anyway, manager);
    }

    private ReleaseResult released(
            String name, @Nullable String leaseId, @Nullable Boolean anyway, @Nullable String manager) {
        LockManager locks = manager(manager);
        boolean anyHolder = Boolean.TRUE.equals(anyway);
        if (anyHolder == (leaseId != null)) {
            throw rejected("set either leaseId, or anyway=true to free the lock regardless of its row", null);
        }
        if (leaseId == null) {
            Optional<LockState> was = answered(() -> locks.forceFree(name));
            return new ReleaseResult(name, was.isPresent(), was.map(this::shown).orElse(null));
        }
        if (leaseId.isBlank()) {
            throw rejected("leaseId must not be blank", null);
        }
        return new ReleaseResult(name, answered(() -> locks.forceRelease(name, leaseId)), null);
    }

    /**
     * Maps rejections of the manager to an invalid request: an invalid lock name, or a row that must not be changed.
     */
    private static <T> T answered(Supplier<T> question) {
        try {
            return question.get();
        } catch (LockManagerClosedException closed) {
            throw closed;
        } catch (IllegalArgumentException | IllegalStateException mistake) {
            throw rejected(String.valueOf(mistake.getMessage()), mistake);
        }
    }

    /**
     * Creates the exception for an invalid request.
     *
     * @param reason the reason; a lock name in it must be escaped as the manager does, so that it contains no invalid
     *     characters
     */
    private static InvalidEndpointRequestException rejected(String reason, @Nullable Throwable cause) {
        return new InvalidEndpointRequestException(reason, reason, cause);
    }

    private LockManager manager(@Nullable String bean) {
        LockManager manager = bean == null ? unqualified.get() : managers.get().get(bean);
        if (manager == null) {
            String problem = bean == null ? "set manager to one of " : "there is no lock manager of that name, only ";
            throw rejected(problem + managers.get().keySet(), null);
        }
        return manager;
    }
}
