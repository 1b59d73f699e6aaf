/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;

/** Validation of tables for locks. */
class LockTableCheckTests extends TableSetUp {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    @Test
    void tableCreatedByLibraryIsValid() {
        table().createIfMissing(TIMEOUT);
        http.forget();

        table().validate();

        assertThat(operations()).containsExactly("DescribeTable", "DescribeTimeToLive");
        assertThat(logs.warnings()).isEmpty();
    }

    @Test
    void missingTableIsInvalid() {
        assertUnfit("Table '" + name + "' at " + LocalDynamoDb.endpoint()
                + " does not exist in Region eu-west-1 for these credentials; create it, or let the library do so");
        assertThat(problem()).isEqualTo(TableProblem.MISSING);
        assertThatExceptionOfType(LockTableException.class).isThrownBy(() -> table().describe());
        assertThat(http.count("CreateTable")).isZero();
    }

    /** Without a check of the table, the first read would fail as well. */
    @ParameterizedTest
    @ValueSource(strings = {"CREATING", "DELETING", "ARCHIVED", "INACCESSIBLE_ENCRYPTION_CREDENTIALS"})
    void tableThatIsNotReadyIsInvalid(String status) {
        http.next(StubbedTables.described(name, status, ""));

        assertThatExceptionOfType(LockTableException.class)
                .isThrownBy(() -> table().validate())
                .withMessageContaining("expected it to be ACTIVE, but it is " + status)
                .satisfies(failure -> assertThat(TableProblem.of(failure)).isEqualTo(TableProblem.NOT_READY));
    }

    @Test
    void tableThatChangesIsValid() {
        create(ScalarAttributeType.S, "lockName");
        http.next(StubbedTables.described(name, "UPDATING", ""));

        table().validate();
    }

    @Test
    void partitionKeyMustMatchNameAndType() {
        create(ScalarAttributeType.N, "lockName");

        assertUnfit(
                "expected partition key 'lockName' of type S, but found partition key 'lockName' of type N",
                "use another table, as its keys must be of type S");
        assertThat(problem()).isEqualTo(TableProblem.UNFIT);
    }

    @Test
    void sortKeyMustBeConfigured() {
        create(ScalarAttributeType.S, "lockName", "type");

        assertUnfit("expected no sort key, but found sort key 'type' of type S", "configure the sort key");
    }

    @Test
    void configuredSortKeyMustExist() {
        create(ScalarAttributeType.S, "lockName");
        store.sortKey("type", "lock");

        assertUnfit("expected sort key 'type' of type S, but found no sort key");
    }

    @Test
    void everyProblemIsReported() {
        create(ScalarAttributeType.N, "id", "type");

        assertUnfit("found partition key 'id' of type N", "found sort key 'type' of type N");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ", \"MultiRegionConsistency\": \"EVENTUAL\""})
    void eventuallyConsistentRegionsAreInvalid(String consistency) {
        http.next(stubbed(", \"Replicas\": [{\"RegionName\": \"us-east-1\"}]" + consistency));

        assertUnfit("replicas in us-east-1 with eventual consistency", "use a single-Region table");
    }

    @Test
    void existingEventuallyConsistentGlobalTableIsRejected() {
        http.next(stubbed(", \"Replicas\": [{\"RegionName\": \"us-east-1\"}]"));

        assertThatExceptionOfType(LockTableException.class)
                .isThrownBy(() -> table().createIfMissing(TIMEOUT))
                .withMessageContaining("eventual consistency");
    }

    @Test
    void stronglyConsistentRegionsAreValid() {
        http.next(
                stubbed(", \"Replicas\": [{\"RegionName\": \"us-east-1\"}], \"MultiRegionConsistency\": \"STRONG\""),
                StubbedTables.timeToLive("ENABLED", "ttl"));

        table().validate();

        assertThat(logs.warnings()).isEmpty();
    }

    @Test
    void ttlOnAnotherAttributeIsInvalid() {
        create(ScalarAttributeType.S, "lockName");
        enableTtl("expires");

        assertUnfit("expected attribute 'ttl', but found 'expires'", "set ttlAttribute");
    }

    @Test
    void disabledTtlIsWarning() {
        create(ScalarAttributeType.S, "lockName");

        table().validate();

        assertThat(logs.warnings()).singleElement().asString().contains("TTL is off for table '" + name + "'", "'ttl'");
    }

    @Test
    void missingRightToDescribeTtlIsWarning() {
        create(ScalarAttributeType.S, "lockName");
        http.next(Fault.none(), Fault.denyAccess());

        table().validate();

        assertThat(logs.warnings()).singleElement().asString().contains("dynamodb:DescribeTimeToLive", name);
    }

    @Test
    void tableIsDescribedWithoutRightToDescribeTtl() {
        create(ScalarAttributeType.S, "lockName");
        http.next(Fault.none(), Fault.denyAccess());

        TableState state = table().describe();

        assertThat(state).isEqualTo(new TableState(name, "eu-west-1", "ACTIVE", "PAY_PER_REQUEST", null, null));
        assertThat(logs.warnings()).isEmpty();
    }

    @Test
    void newTableIsUsedWithoutTtlRights() {
        http.decide(attempt -> attempt.operation().endsWith("TimeToLive") ? Fault.denyAccess() : Fault.none());

        table().createIfMissing(TIMEOUT);

        assertThat(logs.warnings()).singleElement().asString().contains("dynamodb:DescribeTimeToLive");
    }

    @Test
    void newTableIsUsedWithoutRightToEnableTtl() {
        http.decide(attempt -> attempt.isFor("UpdateTimeToLive") ? Fault.denyAccess() : Fault.none());

        table().createIfMissing(TIMEOUT);

        assertThat(logs.warnings()).singleElement().asString().contains("dynamodb:UpdateTimeToLive");
    }

    /** Of a proxy, and of an implementation without TTL. */
    @ParameterizedTest
    @CsvSource({"'', '', not DynamoDB's", "application/x-amz-json-1.0, {}, TTL is off"})
    void missingDescriptionOfTtlIsWarning(String contentType, String body, String warning) {
        create(ScalarAttributeType.S, "lockName");
        http.decide(
                attempt -> attempt.isFor("DescribeTimeToLive") ? Fault.response(200, contentType, body) : Fault.none());

        table().validate();

        assertThat(logs.warnings()).singleElement().asString().contains(warning, name);
    }

    @Test
    void missingDescriptionOfTtlIsDescribedAsUnknown() {
        create(ScalarAttributeType.S, "lockName");
        http.decide(attempt -> attempt.isFor("DescribeTimeToLive")
                ? Fault.response(200, "application/x-amz-json-1.0", "{}")
                : Fault.none());

        assertThat(table().describe().ttlStatus()).isNull();
    }

    /** Whatever a wrapper of the client, or an interceptor, throws: no lock depends on TTL. */
    @Test
    void clientWithoutTtlIsWarning() {
        DynamoDbClient rowsOnly = without(client, "TimeToLive", "ContinuousBackups");
        LockTable table = DynamoDbLockStore.builder(rowsOnly)
                .tableName(name)
                .pointInTimeRecovery(true)
                .build()
                .table();

        table.createIfMissing(TIMEOUT);
        table.validate();

        assertThat(table.describe().ttlStatus()).isNull();
        assertThat(logs.warnings())
                .hasSize(3)
                .allSatisfy(warning -> assertThat(warning).contains("UnsupportedOperationException", name));
    }

    /** A response of a proxy has enabled nothing. */
    @Test
    void ttlThatProxyAnswersIsWarning() {
        http.decide(attempt -> attempt.isFor("UpdateTimeToLive") ? Fault.response(200, "", "") : Fault.none());

        table().createIfMissing(TIMEOUT);

        assertThat(logs.warnings()).singleElement().asString().contains("cannot be enabled", "not DynamoDB's");
    }

    @Test
    void concurrentlyEnabledTtlIsAccepted() {
        http.decide(attempt -> {
            boolean firstLook = attempt.isFor("DescribeTimeToLive") && http.count("DescribeTimeToLive") == 1;
            if (firstLook) {
                enableTtl("ttl");
            }
            return firstLook ? StubbedTables.timeToLive("DISABLED", "") : Fault.none();
        });

        table().createIfMissing(TIMEOUT);

        assertThat(http.count("UpdateTimeToLive")).isOne();
        assertThat(http.count("DescribeTimeToLive")).isEqualTo(2);
        assertThat(logs.warnings()).isEmpty();
    }

    @Test
    void justEnabledTtlIsLeftUnchanged() {
        http.decide(attempt ->
                attempt.isFor("DescribeTimeToLive") ? StubbedTables.timeToLive("ENABLING", "ttl") : Fault.none());

        table().createIfMissing(TIMEOUT);

        assertThat(http.count("UpdateTimeToLive")).isZero();
    }

    @Test
    void temporarilyUnchangeableTtlIsWarning() {
        http.decide(attempt -> attempt.isFor("UpdateTimeToLive")
                ? Fault.reject(400, "ValidationException", "Time to live has been modified multiple times")
                : Fault.none());

        table().createIfMissing(TIMEOUT);

        assertThat(logs.warnings()).singleElement().asString().contains("multiple times");
    }

    /** A client whose operations with such names are not implemented. */
    private static DynamoDbClient without(DynamoDbClient client, String... operations) {
        InvocationHandler handler = (proxy, method, arguments) -> {
            if (Stream.of(operations).anyMatch(method.getName()::contains)) {
                throw new UnsupportedOperationException();
            }
            try {
                return method.invoke(client, arguments);
            } catch (InvocationTargetException thrown) {
                throw thrown.getCause();
            }
        };
        return (DynamoDbClient) Proxy.newProxyInstance(
                DynamoDbClient.class.getClassLoader(), new Class<?>[] {DynamoDbClient.class}, handler);
    }

    private LockTable table() {
        return store.build().table();
    }

    private Fault stubbed(String more) {
        return StubbedTables.described(name, "ACTIVE", more);
    }

    private void assertUnfit(String... texts) {
        assertThatExceptionOfType(LockTableException.class)
                .isThrownBy(() -> table().validate())
                .satisfies(failure -> assertThat(failure.getMessage()).contains(texts));
    }

    private TableProblem problem() {
        return TableProblem.of(catchThrowableOfType(LockTableException.class, () -> table().validate()));
    }

    private void enableTtl(String attribute) {
        LocalDynamoDb.client()
                .updateTimeToLive(update -> update.tableName(name)
                        .timeToLiveSpecification(ttl -> ttl.enabled(true).attributeName(attribute)));
    }

    private void create(ScalarAttributeType type, String... keys) {
        List<KeySchemaElement> schema = new ArrayList<>();
        List<AttributeDefinition> definitions = new ArrayList<>();
        for (String key : keys) {
            KeyType keyType = schema.isEmpty() ? KeyType.HASH : KeyType.RANGE;
            schema.add(KeySchemaElement.builder()
                    .attributeName(key)
                    .keyType(keyType)
                    .build());
            definitions.add(AttributeDefinition.builder()
                    .attributeName(key)
                    .attributeType(type)
                    .build());
        }
        LocalDynamoDb.client()
                .createTable(create -> create.tableName(name)
                        .billingMode(BillingMode.PAY_PER_REQUEST)
                        .keySchema(schema)
                        .attributeDefinitions(definitions));
    }
}
