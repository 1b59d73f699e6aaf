/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromN;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromS;

import io.dynamolock.Lease;
import io.dynamolock.LockManager;
import io.dynamolock.LockState;
import io.dynamolock.dynamodb.LocalDynamoDb;
import io.dynamolock.spring.Docs;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.beans.factory.config.YamlPropertiesFactoryBean;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.io.ByteArrayResource;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;

/**
 * The pages about moving from other libraries: with the settings of each page, locks in the table of the other library
 * are honored, and what that library does with rows of this one is as {@code rolling.md} says. Its requests are modeled
 * by their conditions. For the lock client of awslabs, which reads first, see {@code ForeignClientsTests}.
 */
class RollingMoveTests {

    private static final Pattern CONDITION = Pattern.compile("--condition-expression '(.*?)'");
    private static final DynamoDbClient CLIENT = LocalDynamoDb.client();

    private static final String ENDED = "attribute_not_exists(#key) OR #end < :now";

    /** A library: its table, and when it acquires a lock. */
    enum Origin {
        SHEDLOCK("_id", null, "lockedBy", "lockUntil", "attribute_not_exists(#end) OR #end <= :now"),
        SPRING_INTEGRATION("lockKey", "expireAt", "lockOwner", "expireAt", ENDED),
        LAYERED_CRAFT("pk", "expiresAt", "ownerId", "expiresAt", ENDED),
        DYNAMO_LOCK("id", "purge_time", "lock_owner", "expires", ENDED),
        DYNDB_MUTEX("lockname", null, "holder", "expire_ts", ENDED),
        AWS_DISTRIBUTED_MUTEX("resourceId", null, "holderId", "leaseExpiry", ENDED);

        private static final DateTimeFormatter MILLIS = utc("yyyy-MM-dd'T'HH:mm:ss.SSS'Z'");
        private static final DateTimeFormatter TICKS = utc("yyyy-MM-dd'T'HH:mm:ss.SSSSSSS'+00:00'");

        final String key;
        final @Nullable String ttl;
        final String holder;
        final String end;
        final String condition;

        Origin(String key, @Nullable String ttl, String holder, String end, String condition) {
            this.key = key;
            this.ttl = ttl;
            this.holder = holder;
            this.end = end;
            this.condition = condition;
        }

        private static DateTimeFormatter utc(String pattern) {
            return DateTimeFormatter.ofPattern(pattern).withZone(ZoneOffset.UTC);
        }

        String page() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-') + ".md";
        }

        Map<String, AttributeValue> key(String name) {
            return this == LAYERED_CRAFT
                    ? Map.of(key, fromS("lock#" + name), "sk", fromS("metadata#lock"))
                    : Map.of(key, fromS(name));
        }

        AttributeValue time(Instant time) {
            return switch (this) {
                case SHEDLOCK -> fromS(MILLIS.format(time));
                case AWS_DISTRIBUTED_MUTEX -> fromS(TICKS.format(time));
                case DYNDB_MUTEX -> fromN(Long.toString(time.toEpochMilli()));
                default -> fromN(Long.toString(time.getEpochSecond()));
            };
        }

        Map<String, AttributeValue> item(String name, Instant until) {
            Map<String, AttributeValue> item = new HashMap<>(key(name));
            item.put(holder, fromS("theirs"));
            item.put(end, time(until));
            return item;
        }
    }

    private final String table = TestClients.newTableName();

    @ParameterizedTest
    @EnumSource
    void settingsOfThePageHonorLocksOfTheLibrary(Origin origin) {
        onTheirTable(origin).run(context -> {
            LockManager locks = context.getBean(LockManager.class);
            put(origin.item("live", Instant.now().plusSeconds(60)));
            put(origin.item("dead", Instant.now().minusSeconds(60)));

            assertThat(locks.tryAcquire("live")).isEmpty();
            assertThat(locks.inspect("live").owner()).isEqualTo("theirs");
            assertThat(locks.tryAcquire("dead")).isPresent();
        });
    }

    @ParameterizedTest
    @EnumSource
    void pageSaysWhatOtherLibraryDoesWithOurRows(Origin origin) {
        onTheirTable(origin).run(context -> {
            LockManager locks = context.getBean(LockManager.class);
            for (String left : new String[] {"left-held", "left-released"}) {
                put(origin.item(left, Instant.now().minusSeconds(60)));
            }
            for (String held : new String[] {"held", "left-held"}) {
                assertThat(locks.tryAcquire(held)).isPresent();
            }
            for (String released : new String[] {"released", "left-released"}) {
                locks.tryAcquire(released).orElseThrow().release();
                assertThat(locks.inspect(released).status()).isEqualTo(LockState.Status.FREE);
            }

            String row = Stream.of("held", "released", "left-held", "left-released")
                    .map(name -> acquires(origin, name) ? "acquires it" : "busy")
                    .reduce("", (cells, cell) -> cells + " | " + cell);
            assertThat(page("rolling.md")).contains("(" + origin.page() + ")" + row + " |");
        });
    }

    @ParameterizedTest
    @EnumSource
    void libraryAcquiresAgainAfterThePagesWayBack(Origin origin) {
        onTheirTable(origin).run(context -> {
            LockManager locks = context.getBean(LockManager.class);
            Lease lease = locks.tryAcquire("job").orElseThrow();

            assertThatThrownBy(() -> delete(origin, "job", Instant.now()))
                    .isInstanceOf(ConditionalCheckFailedException.class);
            lease.release();
            delete(origin, "job", Instant.now());

            assertThat(acquires(origin, "job")).isTrue();
        });
    }

    /** As after a minimum hold, or a crash. */
    @ParameterizedTest
    @EnumSource
    void wayBackDeletesExpiredRows(Origin origin) {
        onTheirTable(origin).run(context -> {
            LockManager locks = context.getBean(LockManager.class);
            assertThat(locks.tryAcquire("job")).isPresent();

            delete(origin, "job", Instant.now().plusSeconds(3_600));

            assertThat(acquires(origin, "job")).isTrue();
        });
    }

    @ParameterizedTest
    @EnumSource
    void wayBackDeletesNoLockOfTheLibrary(Origin origin) {
        onTheirTable(origin).run(context -> {
            put(origin.item("created", Instant.now().plusSeconds(60)));
            LockManager locks = context.getBean(LockManager.class);
            locks.tryAcquire("kept").orElseThrow().release();
            CLIENT.updateItem(request -> request.tableName(table)
                    .key(origin.key("kept"))
                    .updateExpression("SET #holder = :holder")
                    .expressionAttributeNames(Map.of("#holder", origin.holder))
                    .expressionAttributeValues(Map.of(":holder", fromS("theirs"))));

            for (String name : new String[] {"created", "kept"}) {
                assertThatThrownBy(() -> delete(origin, name, Instant.now().plusSeconds(3_600)))
                        .isInstanceOf(ConditionalCheckFailedException.class);
            }
        });
    }

    /** Its end is by the wall clock of its holder, which may be off. */
    @ParameterizedTest
    @EnumSource
    void wayBackDeletesNoObservedLease(Origin origin) {
        onTheirTable(origin)
                .withPropertyValues("dynamolock.lease.time=observed")
                .run(context -> {
                    assertThat(context.getBean(LockManager.class).tryAcquire("job"))
                            .isPresent();

                    assertThatThrownBy(() -> delete(origin, "job", Instant.now().plusSeconds(3_600)))
                            .isInstanceOf(ConditionalCheckFailedException.class);
                });
    }

    private void delete(Origin origin, String name, Instant past) {
        Matcher condition = CONDITION.matcher(page("rolling.md"));
        assertThat(condition.find()).isTrue();
        assertThat(page("rolling.md")).contains("`" + origin.holder + "`");
        CLIENT.deleteItem(request -> request.tableName(table)
                .key(origin.key(name))
                .conditionExpression(condition.group(1).replace("lockOwner", origin.holder))
                .expressionAttributeValues(
                        Map.of(":past", fromN(Long.toString(past.toEpochMilli())), ":server", fromS("D"))));
    }

    private static String page(String name) {
        return Docs.page("moving/" + name);
    }

    private ApplicationContextRunner onTheirTable(Origin origin) {
        createTable(origin);
        return TestClients.contexts()
                .withPropertyValues(TestClients.ownClient())
                .withPropertyValues(settings(origin))
                .withPropertyValues("dynamolock.table.name=" + table);
    }

    private static String[] settings(Origin origin) {
        YamlPropertiesFactoryBean yaml = new YamlPropertiesFactoryBean();
        yaml.setResources(new ByteArrayResource(
                Docs.blocks("yaml", page(origin.page())).get(0).getBytes(StandardCharsets.UTF_8)));
        Properties properties = Objects.requireNonNull(yaml.getObject());
        return properties.entrySet().stream().map(Object::toString).toArray(String[]::new);
    }

    private void createTable(Origin origin) {
        CLIENT.createTable(request -> {
            request.tableName(table)
                    .billingMode(BillingMode.PAY_PER_REQUEST)
                    .keySchema(origin.key("x").keySet().stream()
                            .map(name -> KeySchemaElement.builder()
                                    .attributeName(name)
                                    .keyType(name.equals(origin.key) ? KeyType.HASH : KeyType.RANGE)
                                    .build())
                            .sorted((a, b) -> a.keyType().compareTo(b.keyType()))
                            .toList())
                    .attributeDefinitions(origin.key("x").keySet().stream()
                            .map(name -> AttributeDefinition.builder()
                                    .attributeName(name)
                                    .attributeType(ScalarAttributeType.S)
                                    .build())
                            .toList());
        });
        if (origin.ttl != null) {
            CLIENT.updateTimeToLive(request -> request.tableName(table)
                    .timeToLiveSpecification(
                            ttl -> ttl.attributeName(origin.ttl).enabled(true)));
        }
    }

    private void put(Map<String, AttributeValue> item) {
        CLIENT.putItem(request -> request.tableName(table).item(item));
    }

    /** Sends what the library sends to acquire a lock: an update by ShedLock, a new item by the others. */
    private boolean acquires(Origin origin, String name) {
        Map<String, AttributeValue> now = Map.of(":now", origin.time(Instant.now()));
        try {
            if (origin == Origin.SHEDLOCK) {
                Map<String, AttributeValue> values = new HashMap<>(now);
                values.put(":until", origin.time(Instant.now().plusSeconds(60)));
                CLIENT.updateItem(request -> request.tableName(table)
                        .key(origin.key(name))
                        .updateExpression("SET #end = :until")
                        .conditionExpression(origin.condition)
                        .expressionAttributeNames(Map.of("#end", origin.end))
                        .expressionAttributeValues(values));
            } else {
                CLIENT.putItem(request -> request.tableName(table)
                        .item(origin.item(name, Instant.now().plusSeconds(60)))
                        .conditionExpression(origin.condition)
                        .expressionAttributeNames(Map.of("#key", origin.key, "#end", origin.end))
                        .expressionAttributeValues(now));
            }
            return true;
        } catch (ConditionalCheckFailedException busy) {
            return false;
        }
    }
}
