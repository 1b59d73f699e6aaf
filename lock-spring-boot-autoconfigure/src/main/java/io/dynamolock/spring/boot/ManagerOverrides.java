/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import static java.util.Objects.requireNonNullElse;

import io.dynamolock.LeaseTime;
import io.dynamolock.OnLost;
import io.dynamolock.dynamodb.ForeignLocks;
import io.dynamolock.spring.boot.DynamolockProperties.Store;
import io.dynamolock.spring.boot.TableProperties.BillingMode;
import io.dynamolock.spring.boot.TableProperties.Initialization;
import java.net.URI;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.bind.Name;
import org.springframework.boot.convert.DurationUnit;

/**
 * Properties below {@code dynamolock.managers.<name>}: those of {@link DynamolockProperties} that one lock manager may
 * override. A manager inherits the value of each component that is null. Immutable. {@link #toString()} masks secrets.
 *
 * @param store see {@link DynamolockProperties#store()}
 * @param owner see {@link DynamolockProperties#owner()}
 * @param namePrefix see {@link DynamolockProperties#namePrefix()}
 * @param tokenKey see {@link DynamolockProperties#tokenKey()}
 * @param onLost see {@link DynamolockProperties#onLost()}
 * @param table see {@link DynamolockProperties#table()}
 * @param lease see {@link DynamolockProperties#lease()}
 * @param heartbeat see {@link DynamolockProperties#heartbeat()}
 * @param waiting see {@link DynamolockProperties#waiting()}
 * @param retry see {@link DynamolockProperties#retry()}
 * @param client see {@link DynamolockProperties#client()}
 * @param shutdown see {@link DynamolockProperties#shutdown()}
 * @since 0.1
 */
public record ManagerOverrides(
        @Nullable Store store,
        @Nullable String owner,
        @Nullable String namePrefix,
        @Nullable String tokenKey,
        @Nullable OnLost onLost,
        @DefaultValue Table table,
        @DefaultValue Lease lease,
        @DefaultValue Heartbeat heartbeat,
        @Name("wait") @DefaultValue Wait waiting,
        @DefaultValue Retry retry,
        @DefaultValue Client client,
        @DefaultValue Shutdown shutdown) {

    /** Returns the properties of the manager. */
    DynamolockProperties over(DynamolockProperties inherited) {
        return new DynamolockProperties(
                inherited.enabled(),
                requireNonNullElse(store, inherited.store()),
                either(owner, inherited.owner()),
                requireNonNullElse(namePrefix, inherited.namePrefix()),
                either(tokenKey, inherited.tokenKey()),
                onLost == null || onLost == OnLost.DEFAULT ? inherited.onLost() : onLost,
                table.over(inherited.table()),
                lease.over(inherited.lease()),
                heartbeat.over(inherited.heartbeat()),
                waiting.over(inherited.waiting()),
                retry.over(inherited.retry()),
                client.over(inherited.client()),
                shutdown.over(inherited.shutdown()),
                inherited.annotation(),
                inherited.metrics(),
                inherited.leader(),
                Map.of());
    }

    private static <T> @Nullable T either(@Nullable T own, @Nullable T inherited) {
        return own != null ? own : inherited;
    }

    /** Masks secrets. */
    @Override
    public String toString() {
        return ("ManagerOverrides[store=%s, owner=%s, namePrefix=%s, tokenKey=%s, onLost=%s, table=%s, lease=%s, heartbeat=%s,"
                        + " waiting=%s, retry=%s, client=%s, shutdown=%s]")
                .formatted(
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
                        shutdown);
    }

    /** Overrides of {@link TableProperties}. */
    public record Table(
            @Nullable String name,
            @Nullable String partitionKey,
            @Nullable String sortKey,
            @Nullable String sortKeyValue,
            @Nullable String ttlAttribute,
            @DurationUnit(ChronoUnit.DAYS) @Nullable Duration retention,
            @Nullable Initialization initialization,
            @DurationUnit(ChronoUnit.SECONDS) @Nullable Duration creationTimeout,
            @Nullable BillingMode billingMode,
            @Nullable Long readCapacity,
            @Nullable Long writeCapacity,
            @Nullable Boolean deletionProtection,
            @Nullable Boolean pointInTimeRecovery,
            @Nullable Set<ForeignLocks> honor) {

        TableProperties over(TableProperties inherited) {
            return new TableProperties(
                    requireNonNullElse(name, inherited.name()),
                    requireNonNullElse(partitionKey, inherited.partitionKey()),
                    either(sortKey, inherited.sortKey()),
                    either(sortKeyValue, inherited.sortKeyValue()),
                    requireNonNullElse(ttlAttribute, inherited.ttlAttribute()),
                    requireNonNullElse(retention, inherited.retention()),
                    requireNonNullElse(initialization, inherited.initialization()),
                    requireNonNullElse(creationTimeout, inherited.creationTimeout()),
                    requireNonNullElse(billingMode, inherited.billingMode()),
                    either(readCapacity, inherited.readCapacity()),
                    either(writeCapacity, inherited.writeCapacity()),
                    requireNonNullElse(deletionProtection, inherited.deletionProtection()),
                    requireNonNullElse(pointInTimeRecovery, inherited.pointInTimeRecovery()),
                    requireNonNullElse(honor, inherited.honor()));
        }
    }

    /** Overrides of {@link DynamolockProperties.Lease}. */
    public record Lease(
            @DurationUnit(ChronoUnit.SECONDS) @Nullable Duration duration,
            @DurationUnit(ChronoUnit.SECONDS) @Nullable Duration maxDuration,
            @Nullable LeaseTime time,
            @DurationUnit(ChronoUnit.SECONDS) @Nullable Duration maxClockSkew,
            @DurationUnit(ChronoUnit.SECONDS) @Nullable Duration lockDelay,
            @DurationUnit(ChronoUnit.SECONDS) @Nullable Duration warnAfter) {

        DynamolockProperties.Lease over(DynamolockProperties.Lease inherited) {
            return new DynamolockProperties.Lease(
                    requireNonNullElse(duration, inherited.duration()),
                    either(maxDuration, inherited.maxDuration()),
                    requireNonNullElse(time, inherited.time()),
                    requireNonNullElse(maxClockSkew, inherited.maxClockSkew()),
                    requireNonNullElse(lockDelay, inherited.lockDelay()),
                    either(warnAfter, inherited.warnAfter()));
        }
    }

    /** Overrides of {@link DynamolockProperties.Heartbeat}. */
    public record Heartbeat(
            @DurationUnit(ChronoUnit.SECONDS) @Nullable Duration interval,
            @Nullable Integer threads) {

        DynamolockProperties.Heartbeat over(DynamolockProperties.Heartbeat inherited) {
            return new DynamolockProperties.Heartbeat(
                    either(interval, inherited.interval()), requireNonNullElse(threads, inherited.threads()));
        }
    }

    /** Overrides of {@link DynamolockProperties.Wait}. */
    public record Wait(
            @DurationUnit(ChronoUnit.SECONDS) @Nullable Duration time,
            @DurationUnit(ChronoUnit.SECONDS) @Nullable Duration pollMin,
            @DurationUnit(ChronoUnit.SECONDS) @Nullable Duration pollMax) {

        DynamolockProperties.Wait over(DynamolockProperties.Wait inherited) {
            return new DynamolockProperties.Wait(
                    requireNonNullElse(time, inherited.time()),
                    requireNonNullElse(pollMin, inherited.pollMin()),
                    requireNonNullElse(pollMax, inherited.pollMax()));
        }
    }

    /** Overrides of {@link DynamolockProperties.Retry}. */
    public record Retry(
            @Nullable Integer maxAttempts,
            @DurationUnit(ChronoUnit.SECONDS) @Nullable Duration baseDelay,
            @Nullable Double multiplier,
            @DurationUnit(ChronoUnit.SECONDS) @Nullable Duration maxDelay,
            @Nullable Double jitter) {

        DynamolockProperties.Retry over(DynamolockProperties.Retry inherited) {
            return new DynamolockProperties.Retry(
                    requireNonNullElse(maxAttempts, inherited.maxAttempts()),
                    requireNonNullElse(baseDelay, inherited.baseDelay()),
                    requireNonNullElse(multiplier, inherited.multiplier()),
                    requireNonNullElse(maxDelay, inherited.maxDelay()),
                    requireNonNullElse(jitter, inherited.jitter()));
        }
    }

    /** Overrides of {@link ClientProperties}. */
    public record Client(
            @Nullable String region,
            @Nullable URI endpoint,
            @Nullable String accessKey,
            @Nullable String secretKey,
            @DurationUnit(ChronoUnit.SECONDS) @Nullable Duration attemptTimeout,
            @DurationUnit(ChronoUnit.SECONDS) @Nullable Duration callTimeout,
            @DurationUnit(ChronoUnit.SECONDS) @Nullable Duration firstResponseTimeout,
            @Nullable Integer maxConcurrentRequests) {

        ClientProperties over(ClientProperties inherited) {
            return new ClientProperties(
                    either(region, inherited.region()),
                    either(endpoint, inherited.endpoint()),
                    either(accessKey, inherited.accessKey()),
                    either(secretKey, inherited.secretKey()),
                    either(attemptTimeout, inherited.attemptTimeout()),
                    either(callTimeout, inherited.callTimeout()),
                    either(firstResponseTimeout, inherited.firstResponseTimeout()),
                    requireNonNullElse(maxConcurrentRequests, inherited.maxConcurrentRequests()));
        }

        /** Whether the manager needs a client of its own. */
        boolean hasConnection() {
            return region != null || endpoint != null || accessKey != null || secretKey != null;
        }

        /** Masks the credentials. */
        @Override
        public String toString() {
            return ("Client[region=%s, endpoint=%s, accessKey=%s, secretKey=%s, attemptTimeout=%s, callTimeout=%s,"
                            + " firstResponseTimeout=%s, maxConcurrentRequests=%s]")
                    .formatted(
                            region,
                            endpoint,
                            Secrets.masked(accessKey),
                            Secrets.masked(secretKey),
                            attemptTimeout,
                            callTimeout,
                            firstResponseTimeout,
                            maxConcurrentRequests);
        }
    }

    /** Overrides of {@link DynamolockProperties.Shutdown}. */
    public record Shutdown(
            @DurationUnit(ChronoUnit.SECONDS) @Nullable Duration gracePeriod) {

        DynamolockProperties.Shutdown over(DynamolockProperties.Shutdown inherited) {
            return new DynamolockProperties.Shutdown(requireNonNullElse(gracePeriod, inherited.gracePeriod()));
        }
    }
}
