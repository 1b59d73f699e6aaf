/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import io.dynamolock.InvalidSettingException;
import io.dynamolock.LeaseTime;
import io.dynamolock.LockGuard.Free;
import io.dynamolock.LockStore;
import io.dynamolock.LockStoreException;
import io.dynamolock.LockWrite.Acquire;
import io.dynamolock.LockWrite.RaiseFloor;
import io.dynamolock.LockWrite.Release;
import io.dynamolock.Writes;
import io.dynamolock.dynamodb.dax.AcceleratorClient;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.auth.credentials.AnonymousCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

class StoreSettingsTests {

    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final Duration ENDLESS = Duration.ofSeconds(Long.MAX_VALUE);
    private static final Instant NOW = Instant.parse("2100-01-01T12:00:00Z");
    private static final DynamoDbClient CLIENT = LocalDynamoDb.client();

    @Test
    void everyInvalidSettingIsNamed() {
        assertNamed("tableName", store -> store.tableName(" "));
        assertNamed("partitionKey", store -> store.partitionKey(""));
        assertNamed("ttlAttribute", store -> store.ttlAttribute(""));
        assertNamed("sortKey", store -> store.sortKey("", "value"));
        assertNamed("sortKeyValue", store -> store.sortKey("type", ""));
        assertNamed("retention", store -> store.retention(Duration.ofSeconds(-1)));
        assertNamed("retention", store -> store.retention(Duration.ZERO));
        assertNamed("retention", store -> store.retention(Duration.ofMillis(999)));
        assertNamed("retention", store -> store.retention(Duration.ofDays(3_651)));
        assertNamed("retention", store -> store.retention(ENDLESS));
        assertNamed("readCapacity", store -> store.provisionedThroughput(0, 1));
        assertNamed("writeCapacity", store -> store.provisionedThroughput(1, 0));
    }

    @ParameterizedTest
    @MethodSource("settings")
    void nullIsRejectedByName(String setting, Consumer<DynamoDbLockStoreBuilder> toNull) {
        DynamoDbLockStoreBuilder store = DynamoDbLockStore.builder(CLIENT);

        assertThatNullPointerException().isThrownBy(() -> toNull.accept(store)).withMessage(setting);
    }

    @SuppressWarnings("NullAway")
    static Stream<Arguments> settings() {
        return Stream.of(
                setting("client", store -> DynamoDbLockStore.builder((DynamoDbClient) null)),
                setting("tableName", store -> store.tableName(null)),
                setting("partitionKey", store -> store.partitionKey(null)),
                setting("sortKey", store -> store.sortKey(null, "value")),
                setting("sortKeyValue", store -> store.sortKey("type", null)),
                setting("ttlAttribute", store -> store.ttlAttribute(null)),
                setting("retention", store -> store.retention(null)),
                setting("tags", store -> store.tags(null)));
    }

    private static Arguments setting(String setting, Consumer<DynamoDbLockStoreBuilder> change) {
        return argumentSet(setting, setting, change);
    }

    @Test
    void shortestAndLongestRetentionAreKept() {
        for (Duration retention : List.of(Duration.ofSeconds(1), Duration.ofDays(3_650))) {
            DynamoDbLockStore store =
                    DynamoDbLockStore.builder(CLIENT).retention(retention).build();

            assertThat(store.layout().ttl(NOW)).isEqualTo(NOW.plus(retention).getEpochSecond());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT-1S", "PT24H0.001S", "PT2562047788015215H30M7S"})
    void tableTimeoutsAreBounded(Duration timeout) {
        LockTable table = DynamoDbLockStore.builder(CLIENT).build().table();

        assertThatIllegalArgumentException()
                .isThrownBy(() -> table.createIfMissing(timeout))
                .withMessageContaining("timeout");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> table.describe(timeout))
                .withMessageContaining("timeout");
    }

    @Test
    void unbuildableRequestChangesNothing() {
        FaultyHttpClient http = new FaultyHttpClient(LocalDynamoDb.newHttpClient());
        DynamoDbClient client = LocalDynamoDb.newClient().httpClient(http).build();
        DynamoDbLockStore store = DynamoDbLockStore.builder(client).build();
        List<ThrowingCallable> requests = List.of(
                () -> store.acquire(acquire("job", Instant.MAX), TIMEOUT),
                () -> store.renew(Writes.renew("job", "mine", 1, TIMEOUT, Instant.MAX, LeaseTime.SERVER), TIMEOUT),
                () -> store.release(new Release("job", "mine", Instant.MAX, null), TIMEOUT),
                () -> store.raiseFloor(new RaiseFloor("job", "mine", 1, Instant.MAX), TIMEOUT));

        for (ThrowingCallable request : requests) {
            LockStoreException failure = catchThrowableOfType(LockStoreException.class, request);

            assertThat(failure).hasMessageContaining("lock 'job'").hasMessageContaining("before a request was sent");
            assertThat(failure.isOutcomeUnknown()).isFalse();
            assertThat(failure.isRetryable()).isFalse();
        }
        assertThat(http.count("UpdateItem")).isZero();
        client.close();
    }

    @Test
    void longRequestTimeoutsWork() {
        String table = LocalDynamoDb.newTable();
        DynamoDbLockStore store =
                DynamoDbLockStore.builder(CLIENT).tableName(table).build();

        assertThat(store.acquire(acquire("job", NOW.plusSeconds(30)), ENDLESS).applied())
                .isTrue();
        assertThat(store.read("job", true, ENDLESS).row()).isNotNull();
    }

    @Test
    void attributesMustBeDistinct() {
        assertNamed("partitionKey", store -> store.partitionKey("leaseId"));
        assertNamed("sortKey", store -> store.sortKey("lockName", "value"));
        assertNamed("sortKey", store -> store.sortKey("owner", "value"));
        assertNamed("ttlAttribute", store -> store.ttlAttribute("expiresAt"));
        assertNamed("ttlAttribute", store -> store.ttlAttribute("lockName"));
        assertNamed("ttlAttribute", store -> store.ttlAttribute("type").sortKey("type", "value"));
    }

    @Test
    void daxClientIsRejected() {
        DynamoDbLockStoreBuilder store = DynamoDbLockStore.builder(new AcceleratorClient() {});

        assertThatIllegalArgumentException()
                .isThrownBy(store::build)
                .withMessageContaining("AcceleratorClient")
                .withMessageContaining("plain DynamoDbClient");
    }

    /** A mock returns null, without any request. */
    @Test
    void mockOfClientIsRejected() {
        DynamoDbClient mock = (DynamoDbClient) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {DynamoDbClient.class}, (proxy, method, arguments) -> null);

        assertThatExceptionOfType(InvalidSettingException.class)
                .isThrownBy(() -> DynamoDbLockStore.builder(mock).build())
                .withMessageStartingWith("client must send requests, which a mock does not")
                .withMessageContaining(mock.getClass().getName());
    }

    @Test
    void tableDescriptionIsConsistent() {
        LockStore here = DynamoDbLockStore.builder(CLIENT).tableName("locks").build();
        LockStore there = DynamoDbLockStore.builder(CLIENT).tableName("locks").build();

        assertThat(here.describe()).isEqualTo("table 'locks' in eu-west-1").isEqualTo(there.describe());
    }

    @Test
    void tableDescriptionIsTheSameThroughAnotherEndpoint() {
        DynamoDbClient other = DynamoDbClient.builder()
                .region(Region.EU_WEST_1)
                .credentialsProvider(AnonymousCredentialsProvider.create())
                .endpointOverride(URI.create("https://user:pass@vpce.example:8443/path"))
                .build();
        DynamoDbLockStore there =
                DynamoDbLockStore.builder(other).tableName("locks").build();

        assertThat(there.describe()).isEqualTo("table 'locks' in eu-west-1");
        assertThat(there.table().endpoint()).isEqualTo("https://vpce.example:8443");
    }

    @Test
    void clientWithoutConfigurationIsAccepted() {
        DynamoDbClient silent = new DynamoDbClient() {
            @Override
            public String serviceName() {
                return SERVICE_NAME;
            }

            @Override
            public void close() {
                // nothing to close
            }
        };

        DynamoDbLockStore store = DynamoDbLockStore.builder(silent).build();

        assertThat(store.describe()).isEqualTo("table 'dynamolock'");
        assertThat(store.table().endpoint()).isNull();
    }

    @ParameterizedTest
    @CsvSource({"key, ttl", "name, value", "lock, timestamp", "a.b-c d, #ttl", "pk, time to live"})
    void attributesMayHaveAnyName(String partitionKey, String ttlAttribute) {
        DynamoDbLockStore store = DynamoDbLockStore.builder(CLIENT)
                .tableName(LocalDynamoDb.newTableName())
                .partitionKey(partitionKey)
                .ttlAttribute(ttlAttribute)
                .build();
        store.table().createIfMissing(TIMEOUT);

        assertThat(everyWriteIsApplied(store, "job")).isTrue();
        assertThat(store.table().describe().ttlAttribute()).isEqualTo(ttlAttribute);
    }

    @Test
    void tableMayHoldOtherItems() {
        String table = LocalDynamoDb.newTableName();
        DynamoDbLockStoreBuilder settings =
                DynamoDbLockStore.builder(CLIENT).tableName(table).partitionKey("pk");
        DynamoDbLockStore locks = settings.sortKey("sk", "lock").build();
        DynamoDbLockStore others = settings.sortKey("sk", "other").build();
        locks.table().createIfMissing(TIMEOUT);

        assertThat(everyWriteIsApplied(locks, "job")).isTrue();
        assertThat(locks.read("job", true, TIMEOUT).row()).isNotNull();
        assertThat(others.read("job", true, TIMEOUT).row()).isNull();
        assertThat(everyWriteIsApplied(others, "job")).isTrue();
    }

    /** Returns whether every write is applied. */
    private static boolean everyWriteIsApplied(LockStore store, String name) {
        Instant end = NOW.plusSeconds(30);
        Duration lease = Duration.ofSeconds(30);
        return store.acquire(acquire(name, end), TIMEOUT).applied()
                && store.renew(Writes.renew(name, "mine", 1, lease, end, LeaseTime.SERVER), TIMEOUT)
                        .applied()
                && store.revoke(name, "mine", TIMEOUT).applied()
                && store.release(new Release(name, "mine", NOW, null), TIMEOUT).applied()
                && store.raiseFloor(new RaiseFloor(name, "other", 8, NOW), TIMEOUT)
                        .applied();
    }

    private static Acquire acquire(String name, Instant end) {
        Duration lease = Duration.ofSeconds(30);
        return Writes.acquire(name, "mine", "me", 7, lease, NOW, end, LeaseTime.SERVER, Map.of("a", "b"), new Free());
    }

    private static void assertNamed(String setting, Consumer<DynamoDbLockStoreBuilder> change) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> {
                    DynamoDbLockStoreBuilder store = DynamoDbLockStore.builder(CLIENT);
                    change.accept(store);
                    store.build();
                })
                .withMessageContaining(setting);
    }
}
