/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import static io.dynamolock.LockSettings.DEFAULTS;
import static java.util.Objects.requireNonNullElse;

import io.dynamolock.LeaseTime;
import io.dynamolock.OnLost;
import io.dynamolock.spring.OnBusy;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.bind.Name;
import org.springframework.boot.convert.DurationUnit;

/**
 * Properties below {@code dynamolock}. Immutable.
 *
 * <p>The constructors replace what is not set, or empty, and so null, by the defaults; the metadata repeat these. So no
 * component is primitive: an empty value would fail the startup. None has a {@code @DefaultValue}, for each of which the
 * JDK parses the annotations of all parameters again, a noticeable part of the startup.
 *
 * @param enabled Whether to lock. If not, methods run without a lock, and the configured lock managers grant every request.
 * @param store Store of the locks.
 * @param owner Readable identity of this process, for display only. By default host, process id and a random part.
 * @param namePrefix Prefix of each lock name in the table, to separate applications that share a table.
 * @param tokenKey Secret of at least 32 bytes that signs lease tokens. Must be the same in all processes that exchange them.
 * @param onLost Action for the work under a lost lock, in addition to the notification of listeners. Work under a lease from acquire or tryAcquire gets no exception.
 * @param table Table of the locks.
 * @param lease Lifetime of leases.
 * @param heartbeat Renewal of leases.
 * @param waiting Wait for a busy lock.
 * @param retry Retry of failed requests. Does not apply to busy locks.
 * @param client Connection to DynamoDB.
 * @param shutdown Shutdown of lock managers.
 * @param annotation Behavior of locked methods.
 * @param metrics Meters.
 * @param leader Election of a leader among the processes of the application.
 * @param managers Additional lock managers by bean name. Each inherits the properties that it does not set from dynamolock.*.
 * @since 0.1
 */
@ConfigurationProperties(prefix = "dynamolock", ignoreUnknownFields = false)
public record DynamolockProperties(
        Boolean enabled,
        Store store,
        @Nullable String owner,
        String namePrefix,
        @Nullable String tokenKey,
        OnLost onLost,
        @NestedConfigurationProperty TableProperties table,
        Lease lease,
        Heartbeat heartbeat,
        @Name("wait") Wait waiting,
        Retry retry,
        @NestedConfigurationProperty ClientProperties client,
        Shutdown shutdown,
        Annotation annotation,
        @NestedConfigurationProperty MetricsProperties metrics,
        @NestedConfigurationProperty LeaderProperties leader,
        Map<String, ManagerOverrides> managers) {

    public DynamolockProperties {
        enabled = requireNonNullElse(enabled, true);
        store = requireNonNullElse(store, Store.DYNAMODB);
        namePrefix = requireNonNullElse(namePrefix, "");
        onLost = onLost == null || onLost == OnLost.DEFAULT ? DEFAULTS.onLost() : onLost;
        table = requireNonNullElse(table, TableProperties.DEFAULT);
        lease = requireNonNullElse(lease, Lease.DEFAULT);
        heartbeat = requireNonNullElse(heartbeat, Heartbeat.DEFAULT);
        waiting = requireNonNullElse(waiting, Wait.DEFAULT);
        retry = requireNonNullElse(retry, Retry.DEFAULT);
        client = requireNonNullElse(client, ClientProperties.DEFAULT);
        shutdown = requireNonNullElse(shutdown, Shutdown.DEFAULT);
        annotation = requireNonNullElse(annotation, Annotation.DEFAULT);
        metrics = requireNonNullElse(metrics, MetricsProperties.DEFAULT);
        leader = requireNonNullElse(leader, LeaderProperties.DEFAULT);
        managers = ManagerNames.distinct(requireNonNullElse(managers, Map.of()));
    }

    @Override
    public String toString() {
        return ("DynamolockProperties[enabled=%s, store=%s, owner=%s, namePrefix=%s, tokenKey=%s, onLost=%s, table=%s, lease=%s,"
                        + " heartbeat=%s, waiting=%s, retry=%s, client=%s, shutdown=%s, annotation=%s, metrics=%s, leader=%s, managers=%s]")
                .formatted(
                        enabled,
                        store,
                        owner,
                        namePrefix,
                        Secrets.masked(tokenKey),
                        onLost,
                        table,
                        lease,
                        heartbeat,
                        waiting,
                        retry,
                        client,
                        shutdown,
                        annotation,
                        metrics,
                        leader,
                        managers);
    }

    /** Store of the locks. */
    public enum Store {
        /** A DynamoDB table, for all processes. */
        DYNAMODB,
        /** The memory of this application context, for tests. */
        MEMORY
    }

    /**
     * Lifetime of leases.
     *
     * @param duration Lease lifetime without a renewal: how long a crashed holder blocks other processes. If a duration suffix is not specified, seconds will be used.
     * @param maxDuration Maximum lease duration that a request may set. No limit by default. If a duration suffix is not specified, seconds will be used.
     * @param time Time source that decides whether a lease has expired.
     * @param maxClockSkew Maximum total skew between the clocks involved. If a duration suffix is not specified, seconds will be used.
     * @param lockDelay Additional time before an expired lease can be taken over, so that pending writes of its holder can complete. If a duration suffix is not specified, seconds will be used.
     * @param warnAfter Time after which a lease that is still open is logged once, at WARN. Never by default. If a duration suffix is not specified, seconds will be used.
     */
    public record Lease(
            @DurationUnit(ChronoUnit.SECONDS) Duration duration,
            @DurationUnit(ChronoUnit.SECONDS) @Nullable Duration maxDuration,
            LeaseTime time,
            @DurationUnit(ChronoUnit.SECONDS) Duration maxClockSkew,
            @DurationUnit(ChronoUnit.SECONDS) Duration lockDelay,
            @DurationUnit(ChronoUnit.SECONDS) @Nullable Duration warnAfter) {

        @SuppressWarnings("NullAway") // the constructor replaces null
        static final Lease DEFAULT = new Lease(null, null, null, null, null, null);

        public Lease {
            duration = requireNonNullElse(duration, DEFAULTS.leaseDuration());
            time = requireNonNullElse(time, DEFAULTS.time());
            maxClockSkew = requireNonNullElse(maxClockSkew, DEFAULTS.maxClockSkew());
            lockDelay = requireNonNullElse(lockDelay, DEFAULTS.lockDelay());
        }
    }

    /**
     * Renewal of leases.
     *
     * @param interval Time between two renewals, up to a tenth longer as jitter; the first comes sooner. At most half of the lease; more than 20 minutes counts as 20 minutes. By default a third of the lease. If a duration suffix is not specified, seconds will be used.
     * @param threads Maximum number of concurrent renewals.
     */
    public record Heartbeat(
            @DurationUnit(ChronoUnit.SECONDS) @Nullable Duration interval, Integer threads) {

        @SuppressWarnings("NullAway") // the constructor replaces null
        static final Heartbeat DEFAULT = new Heartbeat(null, null);

        public Heartbeat {
            threads = requireNonNullElse(threads, DEFAULTS.heartbeatThreads());
        }
    }

    /**
     * Wait for a busy lock.
     *
     * @param time Maximum time that an acquisition waits for a busy lock, unless it sets a wait time. Does not apply to scheduled methods that skip. If a duration suffix is not specified, seconds will be used.
     * @param pollMin Minimum interval between two polls of a busy lock, up to a tenth shorter or longer as jitter. If a duration suffix is not specified, seconds will be used.
     * @param pollMax Maximum interval between two polls of a busy lock. If a duration suffix is not specified, seconds will be used.
     */
    public record Wait(
            @DurationUnit(ChronoUnit.SECONDS) Duration time,
            @DurationUnit(ChronoUnit.SECONDS) Duration pollMin,
            @DurationUnit(ChronoUnit.SECONDS) Duration pollMax) {

        @SuppressWarnings("NullAway") // the constructor replaces null
        static final Wait DEFAULT = new Wait(null, null, null);

        public Wait {
            time = requireNonNullElse(time, DEFAULTS.waitTime());
            pollMin = requireNonNullElse(pollMin, DEFAULTS.pollMin());
            pollMax = requireNonNullElse(pollMax, DEFAULTS.pollMax());
        }
    }

    /**
     * Retry of failed requests.
     *
     * @param maxAttempts Maximum number of attempts, including the first.
     * @param baseDelay Upper limit of the delay before the second attempt. If a duration suffix is not specified, seconds will be used.
     * @param multiplier Factor from one delay to the next.
     * @param maxDelay Maximum delay between two attempts. If a duration suffix is not specified, seconds will be used.
     * @param jitter Jitter, as a fraction of each delay (0 to 1). With 1, a delay is random between zero and its limit.
     */
    public record Retry(
            Integer maxAttempts,
            @DurationUnit(ChronoUnit.SECONDS) Duration baseDelay,
            Double multiplier,
            @DurationUnit(ChronoUnit.SECONDS) Duration maxDelay,
            Double jitter) {

        @SuppressWarnings("NullAway") // the constructor replaces null
        static final Retry DEFAULT = new Retry(null, null, null, null, null);

        public Retry {
            maxAttempts = requireNonNullElse(maxAttempts, 9);
            baseDelay = requireNonNullElse(baseDelay, Duration.ofMillis(25));
            multiplier = requireNonNullElse(multiplier, 2.0);
            maxDelay = requireNonNullElse(maxDelay, Duration.ofSeconds(20));
            jitter = requireNonNullElse(jitter, 1.0);
        }
    }

    /**
     * Shutdown of lock managers.
     *
     * @param gracePeriod Time to keep renewing open leases at shutdown, so that their holders can release them. Then they expire. If a duration suffix is not specified, seconds will be used.
     */
    public record Shutdown(@DurationUnit(ChronoUnit.SECONDS) Duration gracePeriod) {

        @SuppressWarnings("NullAway") // the constructor replaces null
        static final Shutdown DEFAULT = new Shutdown(null);

        public Shutdown {
            gracePeriod = requireNonNullElse(gracePeriod, DEFAULTS.shutdownGrace());
        }
    }

    /**
     * Behavior of locked methods.
     *
     * @param order Order of the lock among the other advice of a method. By default outside of transactions.
     * @param holdUntilTransactionCompletes Whether a lock that is acquired in a transaction is held until it has completed.
     * @param onBusy Action of a method if its lock is busy, unless the annotation sets one or the method is scheduled.
     */
    public record Annotation(Integer order, Boolean holdUntilTransactionCompletes, OnBusy onBusy) {

        /** Outside of transactions, whose default order is the lowest precedence. */
        private static final int DEFAULT_ORDER = Integer.MAX_VALUE - 100;

        @SuppressWarnings("NullAway") // the constructor replaces null
        static final Annotation DEFAULT = new Annotation(null, null, null);

        public Annotation {
            order = requireNonNullElse(order, DEFAULT_ORDER);
            holdUntilTransactionCompletes = requireNonNullElse(holdUntilTransactionCompletes, true);
            onBusy = requireNonNullElse(onBusy, OnBusy.DEFAULT);
        }
    }
}
