/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import io.dynamolock.LeaseTime;
import io.dynamolock.OnLost;
import io.dynamolock.spring.OnBusy;
import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.bind.Name;

/**
 * Everything that can be set, below {@code dynamolock}. Immutable; prints no secret.
 *
 * @param enabled Whether methods are locked. If not, they run without a lock, and there is no lock manager.
 * @param store Where the locks are kept.
 * @param owner Readable identity of this process, for display only. By default host, process id and a random part.
 * @param namePrefix Text that is put before each lock name in the table, to keep applications apart that share one.
 * @param tokenKey Secret of at least 32 bytes that signs lease tokens; the same in all processes that exchange them.
 * @param onLost What happens to the work under a lost lock, in addition to its notification.
 * @param table The table that holds the locks.
 * @param lease How long a lock is held without a sign of life.
 * @param heartbeat How leases are kept alive.
 * @param waiting How to wait for a busy lock.
 * @param retry When a failed request is tried again. It is not about busy locks.
 * @param client The connection to DynamoDB.
 * @param shutdown What happens when the application stops.
 * @param annotation How locked methods behave.
 * @param metrics What is measured.
 * @since 0.1
 */
@ConfigurationProperties("dynamolock")
public record DynamolockProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("dynamodb") Store store,
        @Nullable String owner,
        @DefaultValue("") String namePrefix,
        @Nullable String tokenKey,
        @DefaultValue("event") OnLost onLost,
        @DefaultValue Table table,
        @DefaultValue Lease lease,
        @DefaultValue Heartbeat heartbeat,
        @Name("wait") @DefaultValue Wait waiting,
        @DefaultValue Retry retry,
        @DefaultValue Client client,
        @DefaultValue Shutdown shutdown,
        @DefaultValue Annotation annotation,
        @DefaultValue Metrics metrics) {

    /** Prints no secret. */
    @Override
    public String toString() {
        return ("DynamolockProperties[enabled=%s, store=%s, owner=%s, namePrefix=%s, tokenKey=%s, onLost=%s, table=%s, lease=%s,"
                        + " heartbeat=%s, waiting=%s, retry=%s, client=%s, shutdown=%s, annotation=%s, metrics=%s]")
                .formatted(
                        enabled,
                        store,
                        owner,
                        namePrefix,
                        masked(tokenKey),
                        onLost,
                        table,
                        lease,
                        heartbeat,
                        waiting,
                        retry,
                        client,
                        shutdown,
                        annotation,
                        metrics);
    }

    private static @Nullable String masked(@Nullable String secret) {
        return secret == null ? null : "******";
    }

    /** Where the locks are kept. */
    public enum Store {
        /** In a DynamoDB table, for all processes. */
        DYNAMODB,
        /** In this JVM's memory, for tests. */
        MEMORY
    }

    /**
     * The table that holds the locks.
     *
     * @param name Name of the table.
     * @param partitionKey Name of the partition key attribute, which holds the lock name.
     * @param sortKey Name of the sort key attribute, for a table that has one.
     * @param sortKeyValue Value of the sort key in each lock's item.
     * @param ttlAttribute Attribute that tells DynamoDB when an item may be deleted.
     * @param retention How long an unused item is kept, from 1 s to 3,650 days.
     * @param initialization What to do about the table when the application starts.
     * @param creationTimeout How long to wait for a new table to become active, at most a day.
     * @param billingMode How a new table is paid for.
     * @param readCapacity Read units per second of a new table with provisioned billing.
     * @param writeCapacity Write units per second of a new table with provisioned billing.
     * @param deletionProtection Whether a new table is protected from being deleted.
     * @param pointInTimeRecovery Whether point-in-time recovery is switched on for a new table.
     */
    public record Table(
            @DefaultValue("dynamolock") String name,
            @DefaultValue("lockName") String partitionKey,
            @Nullable String sortKey,
            @Nullable String sortKeyValue,
            @DefaultValue("ttl") String ttlAttribute,
            @DefaultValue("2d") Duration retention,
            @DefaultValue("create") Initialization initialization,
            @DefaultValue("60s") Duration creationTimeout,
            @DefaultValue("pay-per-request") BillingMode billingMode,
            @Nullable Long readCapacity,
            @Nullable Long writeCapacity,
            @DefaultValue("false") boolean deletionProtection,
            @DefaultValue("false") boolean pointInTimeRecovery) {

        /** What to do about the table when the application starts. */
        public enum Initialization {
            /** Create it if it is missing. */
            CREATE,
            /** Fail unless it exists and fits. */
            VALIDATE,
            /** Fail if it is missing, and look at nothing else. */
            NONE
        }

        /** How a new table is paid for. */
        public enum BillingMode {
            /** By the request. */
            PAY_PER_REQUEST,
            /** By the capacity kept ready. */
            PROVISIONED
        }
    }

    /**
     * How long a lock is held without a sign of life.
     *
     * @param duration How long a lease lasts without a renewal: how long a crashed holder blocks the others.
     * @param maxDuration Longest lease that a request may ask for. No limit by default.
     * @param time Time that decides when a lease has ended.
     * @param maxClockSkew How far the clocks that matter may disagree, in all.
     * @param lockDelay How much longer a rival waits than the holder believes, so that its writes under way can land.
     * @param warnAfter How long a lease may be open before it is reported, once and at WARN. Never by default.
     */
    public record Lease(
            @DefaultValue("30s") Duration duration,
            @Nullable Duration maxDuration,
            @DefaultValue("server") LeaseTime time,
            @DefaultValue("1s") Duration maxClockSkew,
            @DefaultValue("0s") Duration lockDelay,
            @Nullable Duration warnAfter) {}

    /**
     * How leases are kept alive.
     *
     * @param interval Time between two renewals, at most half of the lease. By default a third of the lease.
     * @param threads How many renewals run at once, at most.
     */
    public record Heartbeat(
            @Nullable Duration interval, @DefaultValue("24") int threads) {}

    /**
     * How to wait for a busy lock.
     *
     * @param time How long acquire and tryAcquire wait for a busy lock unless the call sets a wait time.
     * @param pollMin Shortest time between two looks at a busy lock.
     * @param pollMax Longest time between two looks at a busy lock.
     */
    public record Wait(
            @DefaultValue("0s") Duration time,
            @DefaultValue("50ms") Duration pollMin,
            @DefaultValue("1s") Duration pollMax) {}

    /**
     * When a failed request is tried again.
     *
     * @param maxAttempts Attempts in all.
     * @param baseDelay Upper limit of the delay before the second attempt.
     * @param multiplier Growth from one delay to the next.
     * @param maxDelay Longest delay.
     * @param jitter Jitter, as a fraction of each delay (0 to 1). With 1 a delay may be anything up to its limit.
     */
    public record Retry(
            @DefaultValue("9") int maxAttempts,
            @DefaultValue("25ms") Duration baseDelay,
            @DefaultValue("2") double multiplier,
            @DefaultValue("20s") Duration maxDelay,
            @DefaultValue("1") double jitter) {}

    /**
     * The connection to DynamoDB.
     *
     * @param region AWS Region of the client that is made if the application has none. By default what the AWS SDK finds.
     * @param endpoint Address to use instead of the Region's own one.
     * @param accessKey Access key of static credentials. By default what the AWS SDK finds.
     * @param secretKey Secret key of static credentials.
     * @param attemptTimeout How long one request may take. By default a fitting part of the lease.
     * @param callTimeout How long one operation may take with all its retries. By default a fitting part of the lease.
     * @param firstAnswerTimeout How long a request may take until the first acquire is answered. By default 10 s, or the call timeout if set.
     * @param maxConcurrentRequests Maximum number of concurrent requests by calling threads; further callers wait.
     */
    public record Client(
            @Nullable String region,
            @Nullable URI endpoint,
            @Nullable String accessKey,
            @Nullable String secretKey,
            @Nullable Duration attemptTimeout,
            @Nullable Duration callTimeout,
            @Nullable Duration firstAnswerTimeout,
            @DefaultValue("16") int maxConcurrentRequests) {

        /** Prints no credentials. */
        @Override
        public String toString() {
            return ("Client[region=%s, endpoint=%s, accessKey=%s, secretKey=%s, attemptTimeout=%s, callTimeout=%s,"
                            + " firstAnswerTimeout=%s, maxConcurrentRequests=%s]")
                    .formatted(
                            region,
                            endpoint,
                            masked(accessKey),
                            masked(secretKey),
                            attemptTimeout,
                            callTimeout,
                            firstAnswerTimeout,
                            maxConcurrentRequests);
        }
    }

    /**
     * What happens when the application stops.
     *
     * @param gracePeriod How long open leases are kept alive at shutdown, for their holders to release them. Then they run out.
     */
    public record Shutdown(@DefaultValue("10s") Duration gracePeriod) {}

    /**
     * How locked methods behave.
     *
     * @param order Order of the lock among the other advice of a method. By default outside of transactions.
     * @param onBusy What a method does if its lock is busy, unless it says itself or is scheduled.
     */
    public record Annotation(
            @DefaultValue("" + DEFAULT_ORDER) int order,
            @DefaultValue("default") OnBusy onBusy) {

        /** Outside of transactions, whose order is the lowest there is. */
        static final int DEFAULT_ORDER = Integer.MAX_VALUE - 100;
    }

    /**
     * What is measured.
     *
     * @param enabled Whether meters are registered, if there is a registry.
     * @param lockNameTag Whether meters carry the lock name as a tag. Only for applications with few names.
     */
    public record Metrics(
            @DefaultValue("true") boolean enabled,
            @DefaultValue("false") boolean lockNameTag) {}
}
