/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.LockManager;
import io.dynamolock.LockStore;
import io.dynamolock.LockStoreException;
import io.dynamolock.dynamodb.DynamoDbLockStore;
import io.dynamolock.dynamodb.Fault;
import io.dynamolock.dynamodb.FaultyHttpClient;
import io.dynamolock.dynamodb.LocalDynamoDb;
import io.dynamolock.spring.boot.TestClients;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.DescribeTimeToLiveResponse;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.TimeToLiveStatus;

/** Requests of a health check and what their failures mean. Only the checks of timeouts are limited in time. */
class LockHealthIndicatorTests {

    private static final Duration TIMEOUT = Duration.ofMinutes(1);

    private final FaultyHttpClient http = TestClients.http();
    private final String table = TestClients.newTableName();

    @BeforeEach
    void createTable() {
        store(TestClients.client(http)).table().createIfMissing(TIMEOUT);
        http.forget();
    }

    @Test
    void sendsLittleAndWritesNothing() {
        LockHealthIndicator indicator = indicator(store(TestClients.client(http)));

        for (int i = 0; i < 3; i++) {
            Health health = health(indicator);
            assertThat(health.getStatus()).isEqualTo(Status.UP);
            assertThat(health.getDetails()).containsEntry("billing", "PAY_PER_REQUEST");
        }

        assertThat(http.attempts())
                .extracting(FaultyHttpClient.Attempt::operation)
                .containsExactly("GetItem", "DescribeTable", "DescribeTimeToLive", "GetItem", "GetItem");
    }

    /** The page on observability promises a response within two seconds, the first one included. */
    @Test
    void limitsItsRequestsToTwoSecondsTogether() {
        Duration together = LockHealthIndicator.READ_TIMEOUT.plus(LockHealthIndicator.DESCRIBE_TIMEOUT);

        assertThat(together).isPositive().isLessThanOrEqualTo(Duration.ofSeconds(2));
    }

    @Test
    void limitsTheReadOfARow() {
        List<Object> timeouts = new ArrayList<>();
        LockStore store = failing(null, timeouts::add);

        health(new LockHealthIndicator(() -> manager(store), prefix -> "row", new LockHealth()));

        assertThat(timeouts).containsExactly(LockHealthIndicator.READ_TIMEOUT);
    }

    /** Without a timeout of its own, the request would take ten seconds. */
    @Test
    void limitsTheDescriptionOfTheTable() {
        LockStore store = store(TestClients.client(http));
        http.decide(attempt -> attempt.operation().equals("DescribeTable") ? Fault.hang() : Fault.none());
        long before = System.nanoTime();

        Health health = health(new LockHealthIndicator(() -> manager(store), prefix -> "row", new LockHealth()));

        assertThat(Duration.ofNanos(System.nanoTime() - before))
                .isLessThan(LockHealthIndicator.DESCRIBE_TIMEOUT.multipliedBy(10));
        assertThat(health.getStatus()).isEqualTo(Status.UP);
        assertThat(health.getDetails()).containsKey("description").doesNotContainKey("table");
    }

    @Test
    void describesTheTableAgainAfterAFailure() {
        LockHealthIndicator indicator = indicator(store(TestClients.client(http)));
        http.decide(attempt -> attempt.operation().equals("DescribeTable")
                ? Fault.reject(400, "LimitExceededException", "later")
                : Fault.none());
        Health undescribed = health(indicator);
        http.always(Fault.none());

        assertThat(undescribed.getStatus()).isEqualTo(Status.UP);
        assertThat(undescribed.getDetails()).containsKey("description").doesNotContainKey("table");
        assertThat(health(indicator).getDetails()).containsEntry("table", table).doesNotContainKey("description");
    }

    @Test
    void asksOnceForADescriptionThatIsDenied() {
        LockHealthIndicator indicator = indicator(store(TestClients.client(http)));
        http.decide(attempt -> attempt.operation().equals("DescribeTable")
                ? Fault.reject(400, "AccessDeniedException", "not authorized")
                : Fault.none());

        Health first = health(indicator);
        Health second = health(indicator);

        assertThat(second.getDetails()).containsKey("description").isEqualTo(first.getDetails());
        assertThat(http.count("DescribeTable")).isEqualTo(1);
    }

    @Test
    void describesTheTableAgainWhileItIsChanging() {
        AtomicReference<TimeToLiveStatus> ttl = new AtomicReference<>(TimeToLiveStatus.ENABLING);
        LockHealthIndicator indicator = indicator(store(describing(ttl)));

        assertThat(health(indicator).getDetails()).containsEntry("ttl", "ENABLING");
        ttl.set(TimeToLiveStatus.ENABLED);
        assertThat(health(indicator).getDetails()).containsEntry("ttl", "ENABLED");
    }

    @Test
    void describesTheTableAgainAfterItsTtlWasThrottled() {
        LockHealthIndicator indicator = indicator(store(TestClients.client(http)));
        http.decide(attempt -> attempt.isFor("DescribeTimeToLive") ? Fault.throttle() : Fault.none());

        assertThat(health(indicator).getStatus()).isEqualTo(Status.UP);
        http.always(Fault.none());

        assertThat(health(indicator).getDetails()).containsEntry("ttl", "ENABLED");
    }

    @Test
    void describesTheTableAgainUntilItIsActive() {
        LockHealthIndicator indicator = indicator(store(TestClients.client(http)));
        String inaccessible =
                "{\"Table\": {\"TableName\": \"locks\", \"TableStatus\": \"INACCESSIBLE_ENCRYPTION_CREDENTIALS\"}}";
        http.decide(attempt -> attempt.isFor("DescribeTable") ? Fault.response(200, inaccessible) : Fault.none());

        assertThat(health(indicator).getDetails()).containsEntry("tableStatus", "INACCESSIBLE_ENCRYPTION_CREDENTIALS");
        http.always(Fault.none());

        assertThat(health(indicator).getDetails()).containsEntry("tableStatus", "ACTIVE");
    }

    @Test
    void isDownIfTheStoreFails() {
        assertThat(health(indicator(failing(null))).getStatus()).isEqualTo(Status.DOWN);
    }

    @Test
    void isUnknownIfTheStoreMayNotBeRead() {
        Health health = health(indicator(failing(DynamoDbException.builder()
                .awsErrorDetails(AwsErrorDetails.builder()
                        .errorCode("AccessDeniedException")
                        .build())
                .build())));

        assertThat(health.getStatus()).isEqualTo(Status.UNKNOWN);
        assertThat(health.getDetails()).containsEntry("store", "a store").containsEntry("error", "failed");
    }

    /** Other than a permission to read: writes fail as well. */
    @Test
    void isDownIfTheKeyOfTheTableCannotBeUsed() {
        Health health = health(indicator(failing(DynamoDbException.builder()
                .awsErrorDetails(AwsErrorDetails.builder()
                        .errorCode("AccessDeniedException")
                        .errorMessage("KMS key access denied error: no")
                        .build())
                .build())));

        assertThat(health.getStatus()).isEqualTo(Status.DOWN);
    }

    @Test
    void namesTheEndpointWhetherTheTableRespondsOrNot() {
        LockHealthIndicator indicator = indicator(store(TestClients.client(http)));
        String endpoint = LocalDynamoDb.endpoint().toString();

        assertThat(health(indicator).getDetails()).containsEntry("endpoint", endpoint);
        http.always(Fault.reject(400, "ResourceNotFoundException", "none"));

        assertThat(health(indicator).getDetails()).containsEntry("endpoint", endpoint);
        assertThat(health(indicator).getDetails().get("error")).asString().contains(" at " + endpoint);
    }

    @Test
    void isUpForAManagerWithoutDiagnostics() {
        LockManager plain = (LockManager) Proxy.newProxyInstance(
                LockManager.class.getClassLoader(),
                new Class<?>[] {LockManager.class},
                (proxy, method, args) -> method.getName().equals("held") ? Stream.empty() : Optional.empty());

        Health health = health(new LockHealthIndicator(() -> plain, prefix -> "row", new LockHealth()));

        assertThat(health.getStatus()).isEqualTo(Status.UP);
        assertThat(health.getDetails()).containsEntry("held", 0L).doesNotContainKey("store");
    }

    private static LockHealthIndicator indicator(LockStore store) {
        LockManager manager = manager(store);
        return new LockHealthIndicator(() -> manager, prefix -> "row", new LockHealth(), TIMEOUT, TIMEOUT);
    }

    private static LockManager manager(LockStore store) {
        return LockManager.builder(store).shutdownGrace(Duration.ZERO).build();
    }

    private static Health health(LockHealthIndicator indicator) {
        return Objects.requireNonNull(indicator.health());
    }

    private DynamoDbLockStore store(DynamoDbClient client) {
        return DynamoDbLockStore.builder(client).tableName(table).build();
    }

    /** Returns a client that reports the given state of TTL. */
    private DynamoDbClient describing(AtomicReference<TimeToLiveStatus> ttl) {
        DynamoDbClient client = TestClients.client(http);
        return (DynamoDbClient) Proxy.newProxyInstance(
                DynamoDbClient.class.getClassLoader(),
                new Class<?>[] {DynamoDbClient.class},
                (proxy, method, args) -> method.getName().equals("describeTimeToLive")
                        ? DescribeTimeToLiveResponse.builder()
                                .timeToLiveDescription(
                                        state -> state.attributeName("ttl").timeToLiveStatus(ttl.get()))
                                .build()
                        : method.invoke(client, args));
    }

    private static LockStore failing(@Nullable Exception cause) {
        return failing(cause, timeout -> {});
    }

    /** Store that returns its name, and fails on all other calls. */
    private static LockStore failing(@Nullable Exception cause, Consumer<Object> readTimeouts) {
        return (LockStore) Proxy.newProxyInstance(
                LockStore.class.getClassLoader(), new Class<?>[] {LockStore.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("describe")) {
                        return "a store";
                    }
                    if (method.getName().equals("read")) {
                        readTimeouts.accept(arguments[2]);
                    }
                    throw new LockStoreException("row", "failed", cause, false, true);
                });
    }
}
