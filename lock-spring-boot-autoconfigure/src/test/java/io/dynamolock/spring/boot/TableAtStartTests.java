/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.LockManager;
import io.dynamolock.dynamodb.DynamoDbLockStore;
import io.dynamolock.dynamodb.Fault;
import io.dynamolock.dynamodb.FaultyHttpClient;
import io.dynamolock.dynamodb.LocalDynamoDb;
import io.dynamolock.spring.LogCapture;
import io.dynamolock.spring.StartFailure;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;

/** Initialization of the table before the first lock. */
class TableAtStartTests {

    private final FaultyHttpClient http = TestClients.http();
    private final String table = TestClients.newTableName();
    private final ApplicationContextRunner contexts =
            TestClients.contexts(http).withPropertyValues("dynamolock.table.name=" + table);

    @Test
    @ExtendWith(LogCapture.class)
    void isLoggedWithItsEndpointAndTheLeaseDuration(CapturedOutput output) {
        String other = TestClients.newTableName();
        contexts.withPropertyValues(
                        "dynamolock.managers.billing.table.name=" + other,
                        "dynamolock.managers.billing.name-prefix=billing/",
                        "dynamolock.managers.billing.lease.duration=30000")
                .run(context -> assertThat(output.getOut())
                        .contains("Locks of dynamolockManager: table '" + table + "' in eu-west-1 at "
                                + LocalDynamoDb.endpoint() + ", leases of 30s")
                        .containsPattern(
                                "Locks of billing: table '" + other + "' .*, name prefix 'billing/', leases of 8h20m"));
    }

    @Test
    void isCreatedBeforeTheManagerCanBeUsed() {
        contexts.withBean(LocksWhileItIsMade.class).run(context -> {
            assertThat(context.getBean(LocksWhileItIsMade.class).acquired).isTrue();
            assertThat(describe(table).billingModeSummary().billingMode()).isEqualTo(BillingMode.PAY_PER_REQUEST);
        });
    }

    @Test
    void costsOneRequestIfItExists() {
        contexts.run(context -> assertThat(context).hasNotFailed());
        http.forget();

        contexts.run(context -> assertThat(context).hasNotFailed());

        assertThat(http.attempts())
                .extracting(FaultyHttpClient.Attempt::operation)
                .containsExactly("DescribeTable");
    }

    @Test
    void hasTheKeysAndTheBillingOfTheProperties() {
        contexts.withPropertyValues(
                        "dynamolock.table.partition-key=pk",
                        "dynamolock.table.sort-key=sk",
                        "dynamolock.table.sort-key-value=lock",
                        "dynamolock.table.billing-mode=provisioned",
                        "dynamolock.table.read-capacity=3",
                        "dynamolock.table.write-capacity=4")
                .run(context -> {
                    assertThat(context.getBean(LockManager.class).tryAcquire("job"))
                            .isPresent();

                    TableDescription made = describe(table);
                    assertThat(made.keySchema())
                            .extracting(key -> key.attributeName())
                            .containsExactly("pk", "sk");
                    assertThat(made.provisionedThroughput().readCapacityUnits()).isEqualTo(3);
                    assertThat(made.provisionedThroughput().writeCapacityUnits())
                            .isEqualTo(4);
                });
    }

    @Test
    void isProtectedAndBackedUpByProperties() {
        http.decide(attempt -> attempt.isFor("UpdateContinuousBackups") ? Fault.response(200, "{}") : Fault.none());

        contexts.withPropertyValues(
                        "dynamolock.table.deletion-protection=true", "dynamolock.table.point-in-time-recovery=true")
                .run(context -> assertThat(context).hasNotFailed());

        assertThat(describe(table).deletionProtectionEnabled()).isTrue();
        assertThat(http.attempts("UpdateContinuousBackups"))
                .singleElement()
                .satisfies(attempt -> assertThat(attempt.body()).contains("\"PointInTimeRecoveryEnabled\":true"));
    }

    @Test
    void isNeitherProtectedNorBackedUpByDefault() {
        contexts.run(context -> assertThat(context).hasNotFailed());

        assertThat(describe(table).deletionProtectionEnabled()).isNotEqualTo(true);
        assertThat(http.count("UpdateContinuousBackups")).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"validate", "none"})
    void stopsTheStartIfItIsMissing(String mode) {
        contexts.withPropertyValues("dynamolock.table.initialization=" + mode).run(context -> {
            InvalidLockPropertyException failure = failure(context);

            assertThat(failure.problem())
                    .contains("dynamolock.table.name = '" + table + "'")
                    .contains("dynamolock.table.initialization = " + mode)
                    .contains(LocalDynamoDb.REGION.id());
            assertThat(failure.remedy()).contains("dynamolock.table.initialization = create");
        });
        assertThat(http.count("CreateTable")).isZero();
    }

    @Test
    void isLookedAtIfItIsOnlyToBeValidated() {
        create();

        contexts.withPropertyValues("dynamolock.table.initialization=validate")
                .run(context -> assertThat(context).hasNotFailed());

        assertThat(http.attempts())
                .extracting(FaultyHttpClient.Attempt::operation)
                .containsExactly("DescribeTable", "DescribeTimeToLive");
    }

    @Test
    void isOnlyReadIfNothingIsToBeDone() {
        create();

        contexts.withPropertyValues("dynamolock.table.initialization=none")
                .run(context -> assertThat(context).hasNotFailed());

        assertThat(http.attempts())
                .extracting(FaultyHttpClient.Attempt::operation)
                .isEqualTo(List.of("GetItem"));
    }

    /** The SDK corrects for it after the first response. */
    @Test
    void isReadAgainIfTheClockOfTheMachineIsWrong() {
        create();
        http.next(Fault.reject(
                400, "InvalidSignatureException", "Signature expired: 20261127T1012Z is now earlier than"));

        contexts.withPropertyValues("dynamolock.table.initialization=none")
                .run(context -> assertThat(context).hasNotFailed());

        assertThat(http.attempts()).hasSize(2);
    }

    @Test
    void stopsTheStartIfItIsBeingDeleted() {
        http.next(Fault.response(200, """
                {"Table": {
                    "TableStatus": "DELETING",
                    "KeySchema": [{"AttributeName": "lockName", "KeyType": "HASH"}],
                    "AttributeDefinitions": [{"AttributeName": "lockName", "AttributeType": "S"}]
                }}"""));

        contexts.withPropertyValues("dynamolock.table.initialization=validate").run(context -> {
            assertThat(failure(context).problem()).contains("expected it to be ACTIVE, but it is DELETING");
            assertThat(failure(context).remedy())
                    .contains("Check the state of the table")
                    .doesNotContain("creation-timeout");
        });
    }

    @Test
    void stopsTheStartIfItsKeysAreOthers() {
        create();

        contexts.withPropertyValues("dynamolock.table.partition-key=id")
                .run(context ->
                        assertThat(failure(context).problem()).contains(table).contains("'id'"));
    }

    @Test
    void stopsTheStartIfTheRightsAreMissing() {
        http.always(Fault.denyAccess());

        contexts.run(context -> assertThat(failure(context).problem()).contains(table, "credentials"));
    }

    private void create() {
        DynamoDbLockStore.builder(LocalDynamoDb.client())
                .tableName(table)
                .build()
                .table()
                .createIfMissing(Duration.ofMinutes(1));
    }

    private static TableDescription describe(String table) {
        return LocalDynamoDb.client()
                .describeTable(request -> request.tableName(table))
                .table();
    }

    private static InvalidLockPropertyException failure(AssertableApplicationContext context) {
        return StartFailure.of(context, InvalidLockPropertyException.class);
    }

    static class LocksWhileItIsMade {

        final boolean acquired;

        LocksWhileItIsMade(LockManager locks) {
            acquired = locks.tryAcquire("at-start").isPresent();
        }
    }
}
