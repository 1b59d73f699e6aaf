/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

import io.dynamolock.LeaseTime;
import io.dynamolock.LockGuard;
import io.dynamolock.LockGuard.Free;
import io.dynamolock.LockGuard.FreeOrExpired;
import io.dynamolock.LockGuard.HeldBy;
import io.dynamolock.LockGuard.Unchanged;
import io.dynamolock.LockStoreException;
import io.dynamolock.LockWrite.Acquire;
import io.dynamolock.LockWrite.RaiseFloor;
import io.dynamolock.LockWrite.Release;
import io.dynamolock.Writes;
import io.dynamolock.dynamodb.FaultyHttpClient.Attempt;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.awscore.client.builder.AwsClientBuilder;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.protocols.jsoncore.JsonNode;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** Requests of the store, and how it uses the application's client. */
class StoreRequestTests {

    private final String table = LocalDynamoDb.newTable();
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Instant NOW = Instant.parse("2100-01-01T12:00:00Z");
    private static final Instant END = NOW.plus(LEASE);

    final FaultyHttpClient http = new FaultyHttpClient(LocalDynamoDb.newHttpClient());
    private final DynamoDbClient client = newClient(options -> {});
    private final DynamoDbLockStore store = storeOn(client);

    /** Creates a client on the faulty network, with the SDK's default settings except for these. */
    DynamoDbClient newClient(Consumer<AwsClientBuilder<?, ?>> options) {
        return FaultyClients.blocking(http, options);
    }

    @AfterEach
    void close() {
        client.close();
    }

    @Test
    void everyOperationIsOneRequestAndNoneDeletes() {
        everyWrite();
        assertThat(http.attempts())
                .extracting(Attempt::operation)
                .containsOnly("UpdateItem")
                .hasSize(10);
        http.forget();

        store.read("job", true, TIMEOUT);
        assertThat(http.attempts()).extracting(Attempt::operation).containsExactly("GetItem");
    }

    @Test
    void buildingStoreSendsNothing() {
        storeOn(client);

        assertThat(http.attempts()).isEmpty();
    }

    @Test
    void attributesAreLiteralUnlessReservedOrConfigurable() {
        everyWrite();

        assertThat(http.attempts()).allSatisfy(attempt -> {
            JsonNode body = JsonNode.parser().parse(attempt.body());
            String expressions = text(body, "UpdateExpression") + " " + text(body, "ConditionExpression");
            assertThat(expressions.split("[ ,()]+"))
                    .filteredOn(word -> !word.isEmpty())
                    .allMatch(word -> word.matches(
                                    ":\\w+|#owner|#format|#ttl|#key|SET|REMOVE|AND|OR|=|<|>|>=|<>|NOT|attribute_exists|attribute_not_exists|if_not_exists")
                            || LockRowMapper.ATTRIBUTES.contains(word)); // DynamoDB Local rejects reserved ones
            assertThat(body.field("ExpressionAttributeNames").orElseThrow().asObject())
                    .containsOnlyKeys(Stream.of("#owner", "#format", "#ttl", "#key")
                            .filter(name -> Pattern.compile(name + "\\b")
                                    .matcher(expressions)
                                    .find())
                            .toArray(String[]::new));
        });
    }

    @Test
    void everyWriteHasConditionAndReturnsRejectingRow() {
        everyWrite();

        assertThat(http.attempts()).allSatisfy(attempt -> {
            JsonNode body = JsonNode.parser().parse(attempt.body());
            assertThat(text(body, "ConditionExpression")).isNotBlank();
            assertThat(text(body, "ReturnValuesOnConditionCheckFailure")).isEqualTo("ALL_OLD");
            assertThat(text(body, "TableName")).isEqualTo(table);
        });
    }

    /** It keeps metadata that its caller does not know; the others know what they have written. */
    @Test
    void onlyResumptionReturnsTheRowThatItWrote() {
        everyWrite();

        assertThat(http.attempts())
                .extracting(attempt -> text(JsonNode.parser().parse(attempt.body()), "ReturnValues"))
                .containsExactly("NONE", "NONE", "NONE", "NONE", "ALL_NEW", "NONE", "NONE", "NONE", "NONE", "NONE");
    }

    @Test
    void readUsesRequestedConsistency() {
        store.read("job", true, TIMEOUT);
        store.read("job", false, TIMEOUT);

        assertThat(http.attempts())
                .extracting(attempt -> JsonNode.parser()
                        .parse(attempt.body())
                        .field("ConsistentRead")
                        .map(JsonNode::asBoolean)
                        .orElse(false))
                .containsExactly(true, false);
    }

    @Test
    void possiblyCachedResponseHasNoTime() {
        http.next(
                Fault.alterResponse(response -> response.putHeader("Age", "3")),
                Fault.alterResponse(response -> response.removeHeader("Date")),
                Fault.alterResponse(response -> response.putHeader("Date", "tomorrow")),
                Fault.alterResponse(response -> response.putHeader("Via", "1.1 proxy")),
                Fault.alterResponse(response -> response.putHeader("Date", "Fri, 01 May 2026 12:00:00 GMT")),
                Fault.alterResponse(response -> response.putHeader("Date", "Fri, 01 May 2026 12:00:01 GMT")));

        assertThat(store.acquire(acquisition("first", 1, new Free()), TIMEOUT).date())
                .isNull();
        assertThat(store.acquire(acquisition("second", 2, new Free()), TIMEOUT).date())
                .isNull();
        assertThat(store.read("job", true, TIMEOUT).date()).isNull();
        assertThat(store.revoke("job", "first", TIMEOUT).date()).isNull();
        assertThat(store.acquire(acquisition("third", 3, new Free()), TIMEOUT).date())
                .isEqualTo(Instant.parse("2026-05-01T12:00:00Z"));
        assertThat(store.read("job", true, TIMEOUT).date()).isEqualTo(Instant.parse("2026-05-01T12:00:01Z"));
    }

    @Test
    void requestsOfApplicationKeepTheirRetries() {
        http.next(Fault.serverError(), Fault.serverError(), Fault.serverError());
        assertThatException()
                .isThrownBy(() -> store.revoke("job", "mine", TIMEOUT))
                .isInstanceOf(LockStoreException.class);

        client.describeTable(describe -> describe.tableName(table));

        assertThat(http.count("UpdateItem")).isOne();
        assertThat(http.count("DescribeTable")).isEqualTo(3);
    }

    @Test
    void otherClientSettingsStayInEffect() {
        AtomicInteger intercepted = new AtomicInteger();
        ExecutionInterceptor interceptor = new ExecutionInterceptor() {
            @Override
            public void beforeTransmission(Context.BeforeTransmission context, ExecutionAttributes attributes) {
                intercepted.incrementAndGet();
            }
        };
        DynamoDbClient own = newClient(options -> options.overrideConfiguration(
                override -> override.addExecutionInterceptor(interceptor).putHeader("X-Application", "orders")));

        storeOn(own).revoke("job", "mine", TIMEOUT);

        assertThat(intercepted).hasValue(1);
        assertThat(http.attempts().get(0).request().firstMatchingHeader("X-Application"))
                .hasValue("orders");
    }

    @Test
    void lateDuplicateFromNetworkHasNoEffect() {
        store.acquire(acquisition("mine", 1, new FreeOrExpired(NOW, LeaseTime.SERVER)), TIMEOUT);
        store.renew(Writes.renew("job", "mine", 1, LEASE, END, LeaseTime.SERVER), TIMEOUT);
        store.release(new Release("job", "mine", NOW, null), TIMEOUT);
        store.acquire(acquisition("theirs", 2, new FreeOrExpired(NOW, LeaseTime.SERVER)), TIMEOUT);

        assertThat(http.attempts("UpdateItem").subList(0, 3))
                .extracting(http::resend)
                .containsOnly(400);
        assertThat(store.read("job", true, TIMEOUT).row())
                .isNotNull()
                .extracting("leaseId")
                .isEqualTo("theirs");
    }

    private void everyWrite() {
        store.acquire(acquisition("a", 1, new Free()), TIMEOUT);
        store.acquire(acquisition("b", 2, new FreeOrExpired(END.plusSeconds(1), LeaseTime.SERVER)), TIMEOUT);
        store.acquire(acquisition("c", 3, new Unchanged("b", 0L)), TIMEOUT);
        store.acquire(acquisition("d", 4, new Unchanged("c", null)), TIMEOUT);
        store.acquire(acquisition("d", 5, new HeldBy("c")), TIMEOUT);
        store.renew(Writes.renew("job", "d", 1, LEASE, END, LeaseTime.SERVER), TIMEOUT);
        store.revoke("job", "d", TIMEOUT);
        store.release(new Release("job", "d", NOW, Writes.rest(LEASE, END, LeaseTime.SERVER)), TIMEOUT);
        store.release(new Release("job", "d", NOW, null), TIMEOUT);
        store.raiseFloor(new RaiseFloor("job", "e", 6, NOW), TIMEOUT);
    }

    private static Acquire acquisition(String leaseId, long token, LockGuard guard) {
        Map<String, String> metadata = token % 2 == 0 ? Map.of() : Map.of("job", "42");
        return Writes.acquire("job", leaseId, "me", token, LEASE, NOW, END, LeaseTime.SERVER, metadata, guard);
    }

    private DynamoDbLockStore storeOn(DynamoDbClient client) {
        return DynamoDbLockStore.builder(client).tableName(table).build();
    }

    private static String text(JsonNode body, String field) {
        return body.field(field).map(JsonNode::asString).orElse("");
    }
}
