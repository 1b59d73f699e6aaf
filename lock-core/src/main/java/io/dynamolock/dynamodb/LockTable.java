/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import io.dynamolock.LockRow;
import io.dynamolock.LockStore.TimeSample;
import io.dynamolock.StoredLock;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;
import software.amazon.awssdk.services.dynamodb.model.TableStatus;
import software.amazon.awssdk.services.dynamodb.model.TimeToLiveDescription;

/**
 * The table of a store: creates it if it is missing, checks whether it is fit for locks, and lists its locks.
 *
 * <p>A table is fit if its keys are those of the store's settings, of type S, and it is not replicated between Regions
 * with eventual consistency, since each Region would then evaluate conditions on its own; replicas of the legacy
 * version 2017.11.29 of global tables are not recognized. If a table is unfit, or that cannot be determined, a
 * {@link LockTableException} is thrown. Thread-safe; may be used by many processes at the same time.
 *
 * @since 0.1
 */
public final class LockTable {

    private static final Logger log = LoggerFactory.getLogger(LockTable.class);

    private static final Duration LONGEST_TIMEOUT = Duration.ofDays(1);
    private static final Duration LOOKING = Duration.ofSeconds(20);
    static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);

    private final DynamoDbClient client;
    private final TableLayout layout;
    private final NewTable newTable;
    private final HonoredLocks honored;
    private final Clocks clocks;
    private final ConnectionLimit connectionLimit;
    private final TimeSampler time;

    /** Created lazily: the start of an application does not need it. */
    private volatile @Nullable LockListing rows;

    LockTable(DynamoDbClient client, TableLayout layout, NewTable newTable, HonoredLocks honored, Clocks clocks) {
        this.client = client;
        this.layout = layout;
        this.newTable = newTable;
        this.honored = honored;
        this.clocks = clocks;
        this.connectionLimit = new ConnectionLimit(client);
        this.time = new TimeSampler(clocks);
    }

    /**
     * Creates the table if it is missing, with TTL enabled, and returns once it can be used. Several processes may do
     * this at the same time. A table that is ready is not changed: this takes a single {@code DescribeTable}.
     *
     * <p>If the permissions for TTL or for point-in-time recovery are missing, a warning is logged and the call does
     * not fail.
     *
     * @param timeout for all requests together, above zero and at most one day; a new table usually takes some 10
     *     seconds
     * @throws IllegalArgumentException if the timeout is out of range
     * @throws LockTableException if the table is unfit for locks, not ready in time, or a request fails
     */
    public void createIfMissing(Duration timeout) {
        Deadline deadline = new Deadline(clocks, requireBounded(timeout));
        TableRequests requests = requests(deadline);
        TableDescription found = requests.describe();
        if (found != null && isReady(found)) {
            validate(found);
            warnIfUnprotected(found);
            return;
        }
        validate(awaitReady(requests, found, deadline));
        new TimeToLive(requests, layout).enable();
        if (newTable.pointInTimeRecovery()) {
            new PointInTimeRecovery(requests, layout).enable(pause -> hasTimeAfter(pause, deadline));
        }
    }

    /**
     * Checks that the table exists, can be used now, and is fit for locks. Changes nothing. Logs a warning if TTL is
     * off or cannot be read, and if the settings require deletion protection that the table lacks.
     *
     * @throws LockTableException if the table is missing, not ready, or unfit, or a request fails
     */
    public void validate() {
        TableRequests requests = requests(new Deadline(clocks, LOOKING));
        TableDescription found = existing(requests);
        validate(found);
        if (!isReady(found)) {
            throw notReady("", found.tableStatusAsString(), "");
        }
        warnIfUnprotected(found);
        new TimeToLive(requests, layout).validate();
    }

    /**
     * Describes the table. Changes nothing.
     *
     * @return the state that DynamoDB reports
     * @throws LockTableException if the table is missing, or a request fails
     */
    public TableState describe() {
        return describe(LOOKING);
    }

    /**
     * Describes the table within a timeout. Changes nothing.
     *
     * @param timeout for all requests together, above zero and at most one day
     * @return the state that DynamoDB reports
     * @throws IllegalArgumentException if the timeout is out of range
     * @throws LockTableException if the table is missing, or a request fails
     */
    public TableState describe(Duration timeout) {
        TableRequests requests = requests(new Deadline(clocks, requireBounded(timeout)));
        TableDescription table = existing(requests);
        TimeToLiveDescription ttl = new TimeToLive(requests, layout).describe();
        return new TableState(
                layout.tableName(),
                layout.region(),
                table.tableStatusAsString(),
                table.billingModeSummary() == null
                        ? BillingMode.PROVISIONED.toString()
                        : table.billingModeSummary().billingModeAsString(),
                ttl == null ? null : ttl.attributeName(),
                ttl == null ? null : ttl.timeToLiveStatusAsString());
    }

    /**
     * Returns the endpoint of the client, for example {@code http://localhost:8000}. Sends no request.
     *
     * @return scheme, host and port; null if the client uses the endpoint of its Region, or does not reveal it
     */
    public @Nullable String endpoint() {
        return layout.endpoint();
    }

    /**
     * Returns the maximum number of connections of the client, from the metrics of the last request that described the
     * table.
     *
     * @return empty before such a request, and for a client whose HTTP client does not count its connections
     */
    public OptionalInt clientConnections() {
        return connectionLimit.connections();
    }

    /**
     * Returns the time that the last description of the table carried, for
     * {@link io.dynamolock.LockManagerBuilder#timeSample}.
     *
     * @return null before such a response, and if it carried none
     */
    public @Nullable TimeSample timeSample() {
        return time.last();
    }

    /**
     * Lists all locks of the table, including free ones and those of other name prefixes, in no particular order. A row
     * that this library did not write in this form is listed with its {@linkplain LockRow#defects() defects}.
     *
     * <p>The list is no snapshot: each page shows its rows as they are when it is read, with strong consistency. A lock
     * that exists from the beginning to the end is listed exactly once.
     *
     * <p>For operators, not for the way to a lock: this is a {@code Scan}, which needs the permission
     * {@code dynamodb:Scan} and consumes one read unit for each 4 KB of the table, whatever is selected from the
     * stream; the rows of unused locks are there until DynamoDB deletes them. A page of at most 1 MB is requested when
     * the stream reaches it, so a stream that ends early costs less. Timeouts are those of the client, and so are
     * retries; requests of a client without any are retried as the SDK does by default.
     *
     * @return the locks; the stream throws a {@link LockTableException} if a request fails, or if a row lacks the
     *     partition key of the settings
     */
    public Stream<StoredLock> locks() {
        return rows().locks();
    }

    LockListing rows() {
        LockListing known = rows;
        if (known == null) {
            known = new LockListing(client, layout, honored);
            rows = known;
        }
        return known;
    }

    private static Duration requireBounded(Duration timeout) {
        Objects.requireNonNull(timeout, "timeout");
        if (timeout.isNegative() || timeout.isZero() || timeout.compareTo(LONGEST_TIMEOUT) > 0) {
            throw new IllegalArgumentException("timeout must be above zero and at most a day, but is " + timeout);
        }
        return timeout;
    }

    private TableRequests requests(Deadline deadline) {
        return new TableRequests(client, layout, deadline, connectionLimit, time);
    }

    private TableDescription existing(TableRequests requests) {
        TableDescription table = requests.describe();
        if (table == null) {
            throw failure(
                    TableProblem.MISSING,
                    "does not exist"
                            + (layout.region() == null ? "" : " in Region " + layout.region())
                            + " for these credentials; create it, or let the library do so");
        }
        return table;
    }

    private TableDescription awaitReady(TableRequests requests, @Nullable TableDescription found, Deadline deadline) {
        TableDescription table = found;
        for (Duration pause = FIRST_PAUSE; table == null || !isReady(table); pause = longer(pause)) {
            if (table == null && requests.create(newTable)) {
                log.info("Created {}{}", layout.describe(), layout.at());
            }
            if (!hasTimeAfter(pause, deadline)) {
                String state = table == null ? TableStatus.CREATING.toString() : table.tableStatusAsString();
                throw notReady(" within " + deadline.timeout(), state, ", or raise the timeout");
            }
            table = requests.describe();
        }
        return table;
    }

    private boolean hasTimeAfter(Duration pause, Deadline deadline) {
        try {
            return deadline.pause(pause);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new LockTableException(
                    layout.tableName(), "Interrupted while waiting for " + layout.name(), interrupted);
        }
    }

    private void warnIfUnprotected(TableDescription table) {
        if (newTable.deletionProtection() && !Boolean.TRUE.equals(table.deletionProtectionEnabled())) {
            log.warn(
                    "Deletion protection is off for {} although the settings require it: the library enables it only for"
                            + " tables that it creates. Enable it with UpdateTable.",
                    layout.name());
        }
    }

    static Duration longer(Duration pause) {
        Duration twice = pause.multipliedBy(2);
        return twice.compareTo(LONGEST_PAUSE) < 0 ? twice : LONGEST_PAUSE;
    }

    private static boolean isReady(TableDescription table) {
        return table.tableStatus() == TableStatus.ACTIVE || table.tableStatus() == TableStatus.UPDATING;
    }

    private void validate(TableDescription table) {
        List<String> problems = new TableCheck(layout).problems(table);
        if (!problems.isEmpty()) {
            throw unfit(TableProblem.UNFIT, String.join("; and ", problems));
        }
    }

    private LockTableException notReady(String within, String state, String otherRemedy) {
        return unfit(
                TableProblem.NOT_READY,
                "expected it to be ACTIVE" + within + ", but it is " + state + "; check its state in DynamoDB"
                        + otherRemedy);
    }

    private LockTableException unfit(TableProblem kind, String problem) {
        return failure(kind, "is unfit for locks: " + problem);
    }

    private LockTableException failure(TableProblem kind, String problem) {
        String name =
                Character.toUpperCase(layout.name().charAt(0)) + layout.name().substring(1) + layout.at();
        return new LockTableException(layout.tableName(), name + " " + problem, kind);
    }
}
