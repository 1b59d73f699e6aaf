/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynamolock.Lease;
import io.dynamolock.LeaseLostException;
import io.dynamolock.LockRequest;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.protocols.jsoncore.JsonNode;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

@Timeout(120)
class OperatorCommandsTests {

    private final TestTable table = TestTable.create();

    @AfterEach
    void close() {
        table.close();
    }

    @Test
    void listShowsAllLocks() throws InterruptedException {
        table.locks().acquire("free").close();
        Lease held = table.locks().acquire("held");
        put("other", "leaseId", AttributeValue.fromN("7"));

        Run run = Run.on(table, "list");

        assertThat(run.out().lines().map(line -> List.of(line.split("\\s+"))))
                .contains(List.of("STATUS", "TOKEN", "EXPIRES", "OWNER", "NAME"))
                .contains(List.of("free", table.inspect("free").fencingToken() + "", "-", "-", "free"))
                .contains(List.of(
                        "held",
                        held.fencingToken() + "",
                        Objects.requireNonNull(table.inspect("held").expiresAt())
                                .toString(),
                        "rival",
                        "held"))
                .contains(List.of("corrupt", "0", "-", "-", "other"))
                .hasSize(4);
        assertThat(run.exitCode()).isZero();
    }

    @Test
    void listPrintsJson() throws InterruptedException {
        Lease held = table.locks().acquire(LockRequest.of("h \"\\ \u00e4").metadata(Map.of("why", "test")));
        table.locks().acquire("free").close();

        Map<String, JsonNode> locks = new HashMap<>();
        JsonNode.parser()
                .parse(Run.on(table, "list", "--json").out())
                .asArray()
                .forEach(lock -> locks.put(lock.field("name").orElseThrow().asString(), lock));

        assertThat(locks).containsOnlyKeys("free", held.name());
        JsonNode lock = Objects.requireNonNull(locks.get(held.name()));
        assertThat(text(lock, "status")).isEqualTo("held");
        assertThat(text(lock, "leaseId")).isEqualTo(held.id());
        assertThat(text(lock, "owner")).isEqualTo("rival");
        assertThat(lock.field("fencingToken").orElseThrow().asNumber()).isEqualTo(held.fencingToken() + "");
        assertThat(text(lock.field("metadata").orElseThrow(), "why")).isEqualTo("test");
        assertThat(Objects.requireNonNull(locks.get("free"))
                        .field("owner")
                        .orElseThrow()
                        .isNull())
                .isTrue();
    }

    private static String text(JsonNode object, String name) {
        return object.field(name).orElseThrow().asString();
    }

    @Test
    void listReadsAllPages() throws Exception {
        String filler = "x".repeat(390_000);
        for (int i = 0; i < 6; i++) {
            put("lock" + i, "filler", AttributeValue.fromS(filler));
        }

        try (Proxy proxy = new Proxy()) {
            Run run = Run.of(Run.line(proxy.endpoint(), table, "list"));

            assertThat(run.out().lines()).hasSize(7);
            assertThat(proxy.operations()).containsOnly("Scan").hasSizeGreaterThan(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"list", "inspect job", "release job --anyway", "revoke job --lease-id x"})
    void missingTableIsProbablyAnotherOne(String line) {
        String[] where = {"--endpoint", TestTable.endpoint().toString(), "--table", "no-such-table"};

        Run run = Run.of(
                Stream.concat(Stream.of(line.split(" ")), Stream.of(where)).toArray(String[]::new));

        assertThat(run)
                .isEqualTo(new Run(
                        70,
                        "",
                        "dynamolock: table 'no-such-table' does not exist in this Region for these credentials, or is not ready; check --table and --region%n"
                                .formatted()));
    }

    @Test
    void listSelectsByPrefix() {
        put("app1/a", "x", AttributeValue.fromN("1"));
        put("app2/b", "x", AttributeValue.fromN("1"));

        assertThat(Run.on(table, "list", "--name-prefix", "app1/").out().lines())
                .hasSize(2)
                .last()
                .asString()
                .endsWith(" a");
    }

    @Test
    void listOfEmptyTableIsEmpty() {
        assertThat(JsonNode.parser()
                        .parse(Run.on(table, "list", "--json").out())
                        .asArray())
                .isEmpty();
    }

    @Test
    void namesCannotControlTheTerminal() {
        put("\u001b[2J\u202ex\n", "x", AttributeValue.fromN("1"));

        assertThat(Run.on(table, "list").out())
                .contains("\\u001b[2J\\u202ex\\u000a")
                .doesNotContain("\u001b");
        assertThat(Run.on(table, "list", "--json").out())
                .contains("\\u001b[2J\\u202ex\\u000a")
                .doesNotContain("\u001b");
    }

    @Test
    void inspectShowsHolder() throws InterruptedException {
        Lease held = table.locks().acquire("job");

        assertThat(Run.on(table, "inspect", "job").out().lines().map(line -> List.of(line.split("\\s+", 2))))
                .contains(
                        List.of("name", "job"),
                        List.of("status", "held"),
                        List.of("owner", "rival"),
                        List.of("leaseId", held.id()),
                        List.of("fencingToken", held.fencingToken() + ""));
        assertThat(text(
                        JsonNode.parser()
                                .parse(Run.on(table, "inspect", "job", "--json").out()),
                        "leaseId"))
                .isEqualTo(held.id());
    }

    @Test
    void keptLockIsShownAsKept() throws InterruptedException {
        Lease lease = table.locks().acquire("job");
        lease.release(Duration.ofMinutes(1));

        assertThat(Run.on(table, "inspect", "job", "--json").out()).contains("\"kept\": true");
        assertThat(Run.on(table, "list", "--json").out()).contains("\"status\": \"kept\"", "\"kept\": true");
        assertThat(Run.on(table, "list").out().lines()).last().asString().startsWith("kept ");
        assertThat(Run.on(table, "release", "job", "--anyway").out())
                .startsWith("released lock 'job', which 'rival' with token %d had released and kept until "
                        .formatted(lease.fencingToken()));
    }

    @Test
    void revokedLockIsShownAsRevoked() throws InterruptedException {
        Lease lease = table.locks().acquire("job");
        table.locks().revoke("job", lease.id());

        assertThat(Run.on(table, "inspect", "job").out())
                .containsPattern("(?m)^status +revoked$")
                .containsPattern("(?m)^revoked +true$");
        assertThat(Run.on(table, "inspect", "job", "--json").out()).contains("\"revoked\": true");
        assertThat(Run.on(table, "list").out().lines()).last().asString().startsWith("revoked ");
        assertThat(Run.on(table, "lock", "job", "--", "true").err())
                .contains(", until ")
                .doesNotContain("unless renewed");
    }

    @Test
    void inspectShowsTheStatusOfTheList() {
        put("closed", "tokenFloor", AttributeValue.fromN("9007199254740991"));
        put("unreadable", "leaseId", AttributeValue.fromN("7"));

        for (String name : List.of("closed", "unreadable")) {
            assertThat(Run.on(table, "inspect", name).out())
                    .containsPattern("(?m)^status +corrupt$")
                    .containsPattern("(?m)^fencingToken +0$");
            assertThat(Run.on(table, "list", "--name-prefix", name).out()).containsPattern("(?m)^corrupt +0 ");
        }
        assertThat(Run.on(table, "inspect", "closed", "--json").out()).contains("\"closed\": true");
        assertThat(Run.on(table, "list", "--name-prefix", "closed", "--json").out())
                .contains("\"closed\": true");
        assertThat(Run.on(table, "inspect", "unreadable").out()).containsPattern("(?m)^defects +\\[.*leaseId.*\\]$");
    }

    @Test
    void otherDefectsHideNoStatus() throws InterruptedException {
        put("free", "owner", AttributeValue.fromN("7"));
        table.locks().acquire("held").close();
        table.locks().acquire("held");
        set("held", "lastFailed", AttributeValue.fromS("x"));
        table.locks().acquire("expired");
        set("expired", "owner", AttributeValue.fromN("7"));
        set("expired", "expiresAt", AttributeValue.fromN("1"));

        for (String name : List.of("free", "held", "expired")) {
            assertThat(Run.on(table, "inspect", name).out())
                    .containsPattern("(?m)^status +" + name + "$")
                    .containsPattern("(?m)^defects +\\[.+\\]$");
            assertThat(Run.on(table, "list", "--name-prefix", name).out()).containsPattern("(?m)^" + name + " ");
        }
    }

    @Test
    void lockOfAnotherLibraryIsHonoredInItsTable() {
        String[] where = {
            "--table",
            table.name() + "-other",
            "--partition-key",
            "pk",
            "--sort-key",
            "sk=lock",
            "--ttl-attribute",
            "end"
        };
        Run.of(command(where, "create-table"));
        table.client()
                .putItem(request -> request.tableName(table.name() + "-other")
                        .item(Map.of(
                                "pk",
                                AttributeValue.fromS("job"),
                                "sk",
                                AttributeValue.fromS("lock"),
                                "lockedBy",
                                AttributeValue.fromS("old process"),
                                "lockUntil",
                                AttributeValue.fromS("9999-01-01T00:00:00.000Z"))));

        assertThat(Run.of(command(where, "lock", "job", "--honor", "awslabs,shedlock", "--", "true")))
                .isEqualTo(new Run(
                        75,
                        "",
                        "dynamolock: lock 'job' is held by 'old process', until 9999-01-01T00:00:00Z unless renewed%n"
                                .formatted()));
        assertThat(Run.of(command(where, "release", "job", "--honor", "shedlock", "--anyway")))
                .isEqualTo(new Run(
                        70,
                        "",
                        "dynamolock: Another lock library holds lock 'job' for 'old process': release it there%n"
                                .formatted()));
        assertThat(Run.of(command(where, "lock", "job", "--", "true")).exitCode())
                .isZero();
        assertThat(Run.of(command(where, "list")).out().lines())
                .hasSize(2)
                .last()
                .asString()
                .startsWith("free ");
    }

    private static String[] command(String[] where, String command, String... args) {
        return Stream.of(
                        Stream.of(command, "--endpoint", TestTable.endpoint().toString()),
                        Stream.of(where),
                        Stream.of(args))
                .flatMap(each -> each)
                .toArray(String[]::new);
    }

    @Test
    void inspectOfUnknownLockShowsThatItIsFree() {
        Run run = Run.on(table, "inspect", "unknown");

        assertThat(run.out()).containsPattern("status +free");
        assertThat(run.exitCode()).isZero();
    }

    @Test
    void releaseFreesLockOfLease() throws InterruptedException {
        Lease held = table.locks().acquire("job");

        Run run = Run.on(table, "release", "job", "--lease-id", held.id());

        assertThat(run.out())
                .startsWith("released lock 'job', held by 'rival' with token " + held.fencingToken() + " since ");
        assertThat(run.exitCode()).isZero();
        assertThat(table.isFree("job")).isTrue();
    }

    @Test
    void releaseWithAnotherLeaseChangesNothing() throws InterruptedException {
        Lease held = table.locks().acquire("job");

        Run run = Run.on(table, "release", "job", "--lease-id", "another");

        assertThat(run.err())
                .startsWith("dynamolock: lock 'job', held by 'rival' ")
                .contains("is not held by lease 'another'");
        assertThat(run.exitCode()).isEqualTo(70);
        assertThat(held.verify()).isTrue();
    }

    @Test
    void releaseFreesLockAnyway() {
        put("job", "leaseId", AttributeValue.fromN("7"));

        Run run = Run.on(table, "release", "job", "--anyway");

        assertThat(run.out()).startsWith("released lock 'job', held by ");
        assertThat(table.isFree("job")).isTrue();
    }

    @Test
    void releaseOfClosedLockNamesNoHolder() {
        put("job", "tokenFloor", AttributeValue.fromN("9007199254740991"));

        assertThat(Run.on(table, "release", "job", "--anyway").out())
                .isEqualTo("released lock 'job', held by nobody%n".formatted());
    }

    @Test
    void releaseOfFreeLockIsAnError() throws InterruptedException {
        table.locks().acquire("free").close();
        Run error = new Run(70, "", "dynamolock: lock 'free' is not held%n".formatted());

        assertThat(Run.on(table, "release", "free", "--anyway")).isEqualTo(error);
        assertThat(Run.on(table, "release", "free", "--lease-id", "x")).isEqualTo(error);
        assertThat(Run.on(table, "revoke", "free", "--lease-id", "x")).isEqualTo(error);
    }

    @Test
    void releaseOfUnknownLockAsksForItsName() {
        put("never-held", "note", AttributeValue.fromS("by hand"));

        for (String name : List.of("unknown", "never-held")) {
            Run error = new Run(
                    70, "", "dynamolock: lock '%s' is not held; check NAME and --name-prefix%n".formatted(name));
            assertThat(Run.on(table, "release", name, "--lease-id", "x")).isEqualTo(error);
            assertThat(Run.on(table, "revoke", name, "--lease-id", "x")).isEqualTo(error);
            assertThat(Run.on(table, "release", name, "--anyway")).isEqualTo(error);
        }
    }

    @Test
    void revokeEndsLease() throws InterruptedException {
        Lease held = table.locks().acquire("job");

        Run run = Run.on(table, "revoke", "job", "--lease-id", held.id());

        assertThat(run.out()).matches("revoked lock 'job', held by 'rival' .* until \\S+\\R");
        assertThatThrownBy(held::renew).isInstanceOf(LeaseLostException.class);
        assertThat(table.isHeld("job")).isTrue();
    }

    @Test
    void namePrefixSelectsLock() throws InterruptedException {
        Lease held = table.locks().acquire("app/job");

        assertThat(Run.on(table, "release", "job", "--name-prefix", "app/", "--lease-id", held.id())
                        .exitCode())
                .isZero();
    }

    @Test
    void tableIsCreatedOnce() {
        String[] line = {"create-table", "--table", table.name() + "-new", "--endpoint", TestTable.endpoint() + ""};

        Run first = Run.of(line);

        assertThat(first.out())
                .isEqualTo("table '%s-new' in eu-west-1: ACTIVE, billing PAY_PER_REQUEST, TTL ENABLED on 'ttl'%n"
                        .formatted(table.name()));
        assertThat(Run.of(line)).isEqualTo(first);
    }

    private void put(String name, String attribute, AttributeValue value) {
        table.client()
                .putItem(request -> request.tableName(table.name())
                        .item(Map.of("lockName", AttributeValue.fromS(name), attribute, value)));
    }

    private void set(String name, String attribute, AttributeValue value) {
        table.client()
                .updateItem(request -> request.tableName(table.name())
                        .key(Map.of("lockName", AttributeValue.fromS(name)))
                        .updateExpression("SET #name = :value")
                        .expressionAttributeNames(Map.of("#name", attribute))
                        .expressionAttributeValues(Map.of(":value", value)));
    }
}
