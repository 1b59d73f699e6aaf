/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.dynamolock.TestRun;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;

/** Creation of the table. */
class LockTableTests extends TableSetUp {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final String BACKUPS = "UpdateContinuousBackups";

    private final ManualClocks clocks = new ManualClocks();

    @Test
    void createsMissingTable() {
        table().createIfMissing(TIMEOUT);

        assertThat(table().describe())
                .isEqualTo(new TableState(name, "eu-west-1", "ACTIVE", "PAY_PER_REQUEST", "ttl", "ENABLED"));
        assertThat(description().keySchema()).hasSize(1);
        assertThat(logs.warnings()).isEmpty();
    }

    @Test
    void describesExistingTableOnce() {
        createByAnother();

        table().createIfMissing(TIMEOUT);

        assertThat(operations()).containsExactly("DescribeTable");
        assertThat(clocks.pauses()).isEmpty();
    }

    @Test
    void createsTableAsConfigured() {
        DynamoDbLockStore provisioned = store.provisionedThroughput(3, 2)
                .sortKey("type", "lock")
                .deletionProtection(true)
                .tags(Map.of("team", "orders"))
                .build();

        provisioned.table().createIfMissing(TIMEOUT);

        assertThat(provisioned.table().describe().billingMode()).isEqualTo("PROVISIONED");
        assertThat(description().provisionedThroughput().readCapacityUnits()).isEqualTo(3);
        assertThat(description().provisionedThroughput().writeCapacityUnits()).isEqualTo(2);
        assertThat(description().deletionProtectionEnabled()).isTrue();
        assertThat(http.attempts("CreateTable").get(0).body())
                .contains("\"Tags\":[{\"Key\":\"team\",\"Value\":\"orders\"}]");
        provisioned.table().validate();
    }

    @Test
    void requestsNothingThatIsNotConfigured() {
        table().createIfMissing(TIMEOUT);

        assertThat(http.attempts("CreateTable").get(0).body())
                .contains("PAY_PER_REQUEST")
                .doesNotContain("DeletionProtectionEnabled", "Tags", "ProvisionedThroughput");
    }

    @Test
    void enablesPointInTimeRecoveryForNewTable() {
        http.decide(attempt -> attempt.isFor(BACKUPS) ? Fault.response(200, "{}") : Fault.none());

        recoverable().createIfMissing(TIMEOUT);

        assertThat(operations()).endsWith("UpdateTimeToLive", BACKUPS);
        assertThat(http.attempts(BACKUPS))
                .singleElement()
                .satisfies(attempt -> assertThat(attempt.body()).contains("\"PointInTimeRecoveryEnabled\":true", name));
        assertThat(logs.warnings()).isEmpty();
    }

    @Test
    void waitsUntilPointInTimeRecoveryCanBeEnabled() {
        Fault notYet =
                Fault.reject(400, "ContinuousBackupsUnavailableException", "Backups are being enabled for the table");
        http.decide(attempt ->
                !attempt.isFor(BACKUPS) ? Fault.none() : http.count(BACKUPS) < 4 ? notYet : Fault.response(200, "{}"));

        recoverable().createIfMissing(TIMEOUT);

        assertThat(http.count(BACKUPS)).isEqualTo(4);
        assertThat(clocks.pauses()).endsWith(Duration.ofMillis(100), Duration.ofMillis(200), Duration.ofMillis(400));
        assertThat(logs.warnings()).isEmpty();
    }

    @Test
    void waitForPointInTimeRecoveryIsBounded() {
        Fault notYet =
                Fault.reject(400, "ContinuousBackupsUnavailableException", "Backups are being enabled for the table");
        http.decide(attempt -> attempt.isFor(BACKUPS) ? notYet : Fault.none());

        recoverable().createIfMissing(Duration.ofSeconds(20));

        assertThat(total(clocks.pauses())).isLessThanOrEqualTo(Duration.ofSeconds(20));
        assertThat(logs.warnings())
                .singleElement()
                .satisfies(warning -> assertThat(warning)
                        .contains("cannot be enabled for table '" + name + "'", "Backups are being enabled"));
    }

    @Test
    void missingRightForPointInTimeRecoveryIsWarning() {
        http.decide(attempt -> attempt.isFor(BACKUPS) ? Fault.denyAccess() : Fault.none());

        recoverable().createIfMissing(TIMEOUT);

        assertThat(logs.warnings())
                .singleElement()
                .satisfies(warning -> assertThat(warning).contains("dynamodb:UpdateContinuousBackups", "grant it"));
    }

    @Test
    void existingTableKeepsItsRecoveryAndProtection() {
        createByAnother();

        store.deletionProtection(true).pointInTimeRecovery(true).build().table().createIfMissing(TIMEOUT);
        store.build().table().validate();

        assertThat(operations()).containsExactly("DescribeTable", "DescribeTable", "DescribeTimeToLive");
        assertThat(logs.warnings())
                .hasSize(2)
                .allSatisfy(
                        warning -> assertThat(warning).contains("Deletion protection is off for table '" + name + "'"));
    }

    @Test
    void concurrentlyCreatedTableIsAccepted() {
        createByAnother();
        http.next(missing());

        table().createIfMissing(TIMEOUT);

        assertThat(operations()).containsExactly("DescribeTable", "CreateTable", "DescribeTable", "DescribeTimeToLive");
        assertThat(logs.warnings()).isEmpty();
    }

    @Test
    void waitsUntilTableIsActive() {
        createByAnother();
        http.next(missing(), Fault.none(), described("CREATING"), described("CREATING"), described("CREATING"));

        table().createIfMissing(TIMEOUT);

        assertThat(http.count("DescribeTable")).isEqualTo(5);
        assertThat(clocks.pauses())
                .containsExactly(
                        Duration.ofMillis(100), Duration.ofMillis(200), Duration.ofMillis(400), Duration.ofMillis(800));
    }

    @Test
    void waitsForTableCreatedByOthersAndEnablesItsTtl() {
        createByAnother();
        http.next(described("CREATING"), Fault.none());

        table().createIfMissing(TIMEOUT);

        assertThat(operations()).containsExactly("DescribeTable", "DescribeTable", "DescribeTimeToLive");
    }

    @Test
    void updatingTableIsUsed() {
        http.next(described("UPDATING"));

        table().createIfMissing(TIMEOUT);

        assertThat(operations()).containsExactly("DescribeTable");
    }

    @Test
    void deletingTableIsRecreated() {
        http.next(described("DELETING"));

        table().createIfMissing(TIMEOUT);

        assertThat(http.count("CreateTable")).isOne();
    }

    @Test
    void waitForTableIsBounded() {
        http.always(described("CREATING"));

        assertThatExceptionOfType(LockTableException.class)
                .isThrownBy(() -> table().createIfMissing(Duration.ofSeconds(5)))
                .satisfies(failure -> assertThat(TableProblem.of(failure)).isEqualTo(TableProblem.NOT_READY))
                .withMessageContaining("Table '" + name + "'")
                .withMessageContaining("ACTIVE within PT5S")
                .withMessageContaining("CREATING")
                .satisfies(failure -> assertThat(failure.tableName()).isEqualTo(name));
        assertThat(total(clocks.pauses())).isEqualTo(Duration.ofSeconds(4));
        assertThat(clocks.pauses()).allMatch(pause -> pause.compareTo(Duration.ofSeconds(2)) <= 0);
    }

    @ParameterizedTest
    @ValueSource(longs = {500_000, 50_000_000})
    void lastRequestOfWaitHasTimeForItsResponse(long nanosAfterFourPauses) {
        http.always(described("CREATING"));

        assertThatExceptionOfType(LockTableException.class)
                .isThrownBy(
                        () -> table().createIfMissing(Duration.ofMillis(1500).plusNanos(nanosAfterFourPauses)))
                .satisfies(failure -> assertThat(TableProblem.of(failure)).isEqualTo(TableProblem.NOT_READY));
        assertThat(http.count("DescribeTable")).isEqualTo(5);
        assertThat(total(clocks.pauses())).isLessThan(Duration.ofMillis(1200));
    }

    @Test
    void tableThatBecomesActiveInTheLastPauseIsUsed() {
        createByAnother();
        http.next(described("CREATING"), described("CREATING"), described("CREATING"), described("CREATING"));

        table().createIfMissing(Duration.ofMillis(1500));

        assertThat(http.count("DescribeTable")).isEqualTo(5);
    }

    @Test
    void pauseThatTakesTooLongIsFollowedByNoRequest() {
        http.always(described("CREATING"));
        clocks.oversleep(Duration.ofSeconds(3));

        assertFailure(() -> table().createIfMissing(Duration.ofSeconds(2)), "but it is CREATING");

        assertThat(operations()).containsExactly("DescribeTable");
    }

    @Test
    void tableThatIsCreatedWithoutTimeToAwaitItIsNotReportedAsMissing() {
        clocks.oversleep(TIMEOUT);

        assertFailure(() -> table().createIfMissing(TIMEOUT), "but it is CREATING");

        assertThat(operations()).containsExactly("DescribeTable", "CreateTable");
    }

    @Test
    void hangingRequestEndsWithTimeout() {
        http.always(Fault.hang());

        assertThatExceptionOfType(LockTableException.class)
                .isThrownBy(() -> table().createIfMissing(Duration.ofMillis(200)))
                .withMessageContaining("Describing table '" + name + "' failed")
                .withMessageMatching(".*: no response in time \\(\\d+ ms, including retries\\)");
    }

    @Test
    void hangingRequestEndsWithTimeoutThoughInterceptorReplacesItsConfiguration() {
        http.always(Fault.hang());
        LockTable table = DynamoDbLockStore.builder(FaultyClients.blocking(
                        http,
                        client -> client.overrideConfiguration(
                                own -> own.addExecutionInterceptor(new ReplacingInterceptor()))))
                .tableName(name)
                .build()
                .table();

        CompletableFuture<TableState> description =
                CompletableFuture.supplyAsync(() -> table.describe(Duration.ofMillis(200)));

        assertThat(description)
                .failsWithin(TestRun.TIMEOUT)
                .withThrowableThat()
                .withMessageContaining("no response in time");
    }

    @Test
    void interruptEndsWait() {
        clocks.interrupt();
        http.always(described("CREATING"));

        assertFailure(() -> table().createIfMissing(TIMEOUT), "Interrupted while waiting for table '" + name + "'");

        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void failedRequestIsRetriedAsClientIsConfigured() {
        http.next(Fault.serverError(), Fault.loseResponse());

        table().createIfMissing(TIMEOUT);

        assertThat(table().describe().status()).isEqualTo("ACTIVE");
    }

    @Test
    void missingRightIsNamed() {
        http.next(Fault.denyAccess());
        assertFailure(() -> table().createIfMissing(TIMEOUT), "dynamodb:DescribeTable", "grant it");
        http.next(Fault.none(), Fault.denyAccess());
        assertFailure(() -> table().createIfMissing(TIMEOUT), "dynamodb:CreateTable", "grant it");
    }

    /** Here of a tag; the keys of a table that does not exist yet match nothing. */
    @Test
    void rejectedCreationIsNotTakenForOtherKeys() {
        http.next(
                Fault.none(),
                Fault.reject(
                        400, "ValidationException", "Value '' at 'tags.1.member.key' failed to satisfy constraint"));

        assertThatExceptionOfType(LockTableException.class)
                .isThrownBy(() -> table().createIfMissing(TIMEOUT))
                .withMessageContaining("Creating table '" + name + "'")
                .withMessageContaining("tags.1.member.key")
                .withMessageNotContaining("key schema");
    }

    @Test
    void existingTableWithOtherKeysIsRejectedImmediately() {
        createByAnother();

        LockTable other = store.partitionKey("id").build().table();

        assertFailure(
                () -> other.createIfMissing(TIMEOUT),
                "expected partition key 'id' of type S",
                "found partition key 'lockName' of type S",
                "configure the partition key");
    }

    @Test
    void onlyOneOfManyProcessesCreates() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(8);
        Callable<TableState> start = () -> {
            LockTable table = store.build().table();
            table.createIfMissing(TIMEOUT);
            return table.describe();
        };

        List<Future<TableState>> states =
                threads.invokeAll(Stream.generate(() -> start).limit(8).toList());
        threads.shutdown();

        for (Future<TableState> state : states) {
            assertThat(state.get().status()).isEqualTo("ACTIVE");
        }
        assertThat(table().describe().ttlStatus()).isEqualTo("ENABLED");
        assertThat(logs.warnings()).isEmpty();
    }

    private LockTable recoverable() {
        TableLayout layout =
                new TableLayout(name, "eu-west-1", null, "lockName", null, null, "ttl", Duration.ofDays(2));
        return new LockTable(client, layout, new NewTable(null, false, true, Map.of()), HonoredLocks.NONE, clocks);
    }

    private LockTable table() {
        TableLayout layout =
                new TableLayout(name, "eu-west-1", null, "lockName", null, null, "ttl", Duration.ofDays(2));
        return new LockTable(client, layout, new NewTable(null, false, false, Map.of()), HonoredLocks.NONE, clocks);
    }

    private void createByAnother() {
        DynamoDbLockStore.builder(LocalDynamoDb.client())
                .tableName(name)
                .build()
                .table()
                .createIfMissing(TIMEOUT);
    }

    private TableDescription description() {
        return client.describeTable(describe -> describe.tableName(name)).table();
    }

    private static Fault missing() {
        return Fault.reject(400, "ResourceNotFoundException", "Cannot do operations on a non-existent table");
    }

    private Fault described(String status) {
        return StubbedTables.described(name, status, "");
    }

    private static Duration total(List<Duration> pauses) {
        return pauses.stream().reduce(Duration.ZERO, Duration::plus);
    }

    private static void assertFailure(Runnable action, String... texts) {
        assertThatExceptionOfType(LockTableException.class)
                .isThrownBy(action::run)
                .satisfies(failure -> assertThat(failure.getMessage()).contains(texts));
    }
}
