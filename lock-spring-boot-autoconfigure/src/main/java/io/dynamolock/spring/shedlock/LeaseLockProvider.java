/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.shedlock;

import io.dynamolock.InvalidSettingException;
import io.dynamolock.Lease;
import io.dynamolock.LockDiagnostics;
import io.dynamolock.LockManager;
import io.dynamolock.LockManagerDrainingException;
import io.dynamolock.LockRequest;
import io.dynamolock.LockStoreException;
import io.dynamolock.OnLost;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.LongSupplier;
import net.javacrumbs.shedlock.core.ExtensibleLockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.support.LockException;

/**
 * ShedLock's provider of locks, each of which is a lock of a {@link LockManager}: an application with
 * {@code @SchedulerLock} moves over by this one bean.
 *
 * <ul>
 *   <li>{@code lockAtMostFor} is the lease duration. As ShedLock defines it, the lock ends then, also under a task that
 *       is still running; a warning is logged when that task ends. {@link #keepAlive()} renews it instead.
 *   <li>{@code lockAtLeastFor} is how long the lock is kept, counted from the start of the task, also if that ends
 *       sooner.
 *   <li>{@code extend(..)} renews the lease, and both times count from then on. It is empty if the lock is lost,
 *       whoever holds it now.
 *   <li>A busy lock is an empty result, unless the calling thread itself holds it. A failing store is a
 *       {@link LockException}, whose cause is the {@link LockStoreException}.
 *   <li>While the manager drains, no lock is acquired: {@code lock(..)} throws a {@link LockManagerDrainingException}.
 *       Locks that are held can be extended and are unlocked.
 * </ul>
 *
 * <p>Thread-safe.
 *
 * @since 0.1
 */
public final class LeaseLockProvider implements ExtensibleLockProvider {

    private final LockManager manager;
    private final boolean renewing;
    private final LongSupplier nanoTime;

    /**
     * Creates a provider whose locks end after {@code lockAtMostFor}.
     *
     * @param manager the manager of the locks; not closed with the provider, which needs no closing
     */
    public LeaseLockProvider(LockManager manager) {
        this(manager, false);
    }

    private LeaseLockProvider(LockManager manager, boolean renewing) {
        this.manager = Objects.requireNonNull(manager, "manager");
        this.renewing = renewing;
        this.nanoTime = LockDiagnostics.clockOf(manager);
    }

    /**
     * Returns a provider whose locks are renewed until they are unlocked: {@code lockAtMostFor} is then how long a
     * crashed process blocks the others, not a limit for the task, and can be much shorter than that.
     *
     * @return a new provider on the same manager
     */
    public LeaseLockProvider keepAlive() {
        return new LeaseLockProvider(manager, true);
    }

    /**
     * Tries to acquire a lock, with one request.
     *
     * @param configuration name and times; {@code lockAtMostFor} from 1 ms to
     *     {@link io.dynamolock.LockSettings#maxLeaseDuration()}, or 365 days without such a limit
     * @return empty if the lock is busy
     * @throws IllegalStateException if the lock is busy because this thread holds it, by a reentrant request such as
     *     that of {@link io.dynamolock.spring.DistributedLock @DistributedLock}
     * @throws LockException if the store failed
     * @throws LockManagerDrainingException if the manager drains
     * @throws io.dynamolock.LockManagerClosedException if the manager is closed
     * @throws io.dynamolock.InvalidSettingException if the name or a time is out of range
     */
    @Override
    public Optional<SimpleLock> lock(LockConfiguration configuration) {
        Objects.requireNonNull(configuration, "configuration");
        LockRequest request = LockRequest.of(configuration.getName())
                .waitTime(Duration.ZERO)
                .autoRenew(renewing)
                // Without renewals, a planned end of the lock looks like a loss
                .onLost(renewing ? OnLost.DEFAULT : OnLost.EVENT);
        long since = nanoTime.getAsLong();
        try {
            Optional<Lease> acquired = manager.tryAcquire(request.leaseDuration(configuration.getLockAtMostFor()));
            if (acquired.isEmpty()) {
                requireNotOwn(request.name());
            }
            return acquired.map(lease -> new LeaseSimpleLock(configuration, lease, since, nanoTime));
        } catch (InvalidSettingException invalid) {
            throw namingLockAtMostFor(configuration, invalid);
        } catch (LockStoreException failure) {
            throw new LockException("Lock '%s' could not be acquired".formatted(configuration.getName()), failure);
        } catch (InterruptedException impossibleWithoutWait) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    /** Names the time of ShedLock, and its lock, instead of the lease duration; other settings keep their name. */
    static InvalidSettingException namingLockAtMostFor(
            LockConfiguration configuration, InvalidSettingException invalid) {
        return invalid.setting().equals("leaseDuration")
                ? new InvalidSettingException(
                        "lockAtMostFor of lock '%s'".formatted(configuration.getName()),
                        invalid.rule(),
                        invalid.value())
                : invalid;
    }

    /** Fails if a lock is busy because of this thread: its task would be skipped forever, and nothing would say so. */
    private void requireNotOwn(String name) {
        if (manager.diagnostics().filter(own -> own.isHeldByThisThread(name)).isPresent()) {
            throw new IllegalStateException(
                    "Lock '%s' is held by this thread already, through @DistributedLock or LockManager: remove one of the two annotations, or the task with @SchedulerLock does not run here"
                            .formatted(name));
        }
    }
}
