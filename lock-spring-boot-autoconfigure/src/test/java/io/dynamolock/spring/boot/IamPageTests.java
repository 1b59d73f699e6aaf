/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.Lease;
import io.dynamolock.LockManager;
import io.dynamolock.LockRequest;
import io.dynamolock.LockStore;
import io.dynamolock.dynamodb.DynamoDbLockStore;
import io.dynamolock.dynamodb.FaultyHttpClient;
import io.dynamolock.dynamodb.Fencing;
import io.dynamolock.dynamodb.LocalDynamoDb;
import io.dynamolock.spring.Docs;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;

/** The policies in iam.md allow exactly the actions that the library calls. */
class IamPageTests {

    /** Actions that AWS documents for using or creating a table with a customer-managed key. */
    private static final Set<String> OF_A_KEY = Set.of(
            "kms:Encrypt",
            "kms:Decrypt",
            "kms:ReEncrypt*",
            "kms:GenerateDataKey*",
            "kms:DescribeKey",
            "kms:CreateGrant");

    private static final List<String> DESCRIPTION = List.of("dynamodb:DescribeTable", "dynamodb:DescribeTimeToLive");

    private final Map<String, AttributeValue> statements = statements();
    private final FaultyHttpClient http = TestClients.http();
    private final String table = TestClients.newTableName();
    private final ApplicationContextRunner contexts = TestClients.contexts(http)
            .withConfiguration(AutoConfigurations.of(DynamolockHealthAutoConfiguration.class))
            .withPropertyValues("dynamolock.table.name=" + table);

    /** Returns the statements of the page by name. */
    private static Map<String, AttributeValue> statements() {
        Map<String, AttributeValue> statements = new LinkedHashMap<>();
        Docs.blocks("json", Docs.page("iam.md")).stream().map(IamPolicy::json).forEach(json -> {
            List<AttributeValue> several = json.m().containsKey("Statement")
                    ? IamPolicy.member(json, "Statement").l()
                    : List.of(json);
            for (AttributeValue statement : several) {
                assertThat(statement.m())
                        .containsEntry("Effect", AttributeValue.fromS("Allow"))
                        .containsKeys("Action", "Resource");
                statements.put(IamPolicy.member(statement, "Sid").s(), statement);
            }
        });
        return statements;
    }

    private IamPolicy policy(String... names) {
        IamPolicy policy = new IamPolicy(Stream.of(names)
                .map(name -> Objects.requireNonNull(statements.get(name), name))
                .toList());
        http.decide(policy::on);
        return policy;
    }

    @Test
    void everyStatementIsTried() {
        assertThat(statements)
                .containsOnlyKeys(
                        "Locks",
                        "Table",
                        "LocksOfOneApplication",
                        "NewTable",
                        "Backups",
                        "Tags",
                        "List",
                        "Fencing",
                        "Key");
    }

    /**
     * They cannot be tested with requests: DynamoDB calls KMS on behalf of the caller, for requests that need other
     * actions, and DynamoDB Local has no keys.
     */
    @Test
    void rightsToAKeyAreThoseThatAwsDocuments() {
        AttributeValue key = Objects.requireNonNull(statements.get("Key"));

        assertThat(new IamPolicy(List.of(key)).granted()).isEqualTo(OF_A_KEY);
        assertThat(IamPolicy.member(key, "Condition"))
                .isEqualTo(IamPolicy.json(
                        "{\"StringEquals\": {\"kms:ViaService\": \"dynamodb.eu-west-1.amazonaws.com\"}}"));
    }

    @Test
    void validating() {
        create();
        IamPolicy policy = policy("Locks", "Table");

        contexts.withPropertyValues("dynamolock.table.initialization=validate").run(IamPageTests::useLocks);

        assertThat(policy.used()).isEqualTo(policy.granted());
        assertThat(policy.denied()).isEmpty();
    }

    @Test
    void lookingAtNothing() {
        create();
        IamPolicy policy = policy("Locks");

        contexts.withPropertyValues("dynamolock.table.initialization=none").run(IamPageTests::useLocks);

        assertThat(policy.used()).isEqualTo(policy.granted());
        assertThat(DESCRIPTION).containsAll(policy.denied());
    }

    @Test
    void creating() {
        IamPolicy policy = policy("Locks", "Table", "NewTable");

        contexts.withPropertyValues("dynamolock.table.deletion-protection=true").run(IamPageTests::useLocks);

        assertThat(policy.used()).isEqualTo(policy.granted());
        assertThat(policy.denied()).isEmpty();
    }

    @Test
    void creatingWithBackupsAndTags() {
        IamPolicy policy = policy("Locks", "Table", "NewTable", "Backups", "Tags");

        contexts.withPropertyValues("dynamolock.table.point-in-time-recovery=true")
                .withBean(
                        DynamoDbLockStoreCustomizer.class,
                        () -> (manager, store) -> store.tags(Map.of("team", "orders")))
                .run(IamPageTests::useLocks);

        assertThat(policy.used()).isEqualTo(policy.granted());
        assertThat(policy.denied()).isEmpty();
    }

    @Test
    void listing() {
        create();
        IamPolicy policy = policy("Locks", "Table", "List");

        contexts.withPropertyValues("dynamolock.table.initialization=validate").run(context -> {
            useLocks(context);
            assertThat(store(context.getBean(DynamoDbClient.class)).table().locks())
                    .isNotEmpty();
        });

        assertThat(policy.used()).isEqualTo(policy.granted());
        assertThat(policy.denied()).isEmpty();
    }

    @Test
    void fencing() {
        create();
        IamPolicy policy = policy("Locks", "Table", "Fencing");

        contexts.run(context -> {
            useLocks(context);
            try (Lease lease = context.getBean(LockManager.class).acquire("fenced")) {
                TransactWriteItem held = TransactWriteItem.builder()
                        .conditionCheck(Fencing.conditionCheck(lease))
                        .build();
                context.getBean(DynamoDbClient.class)
                        .transactWriteItems(transaction -> transaction.transactItems(held));
            }
        });

        assertThat(policy.used()).isEqualTo(policy.granted());
        assertThat(policy.denied()).isEmpty();
    }

    @Test
    void keysOfOneApplicationAreEnoughForIt() {
        create();
        IamPolicy policy = policy("LocksOfOneApplication");

        contexts.withPropertyValues("dynamolock.table.initialization=none", "dynamolock.name-prefix=app1/")
                .run(IamPageTests::useLocks);

        assertThat(policy.used()).isEqualTo(policy.granted());
        assertThat(DESCRIPTION).containsAll(policy.denied());
    }

    @Test
    void keysOfOneApplicationAreEnoughForSeveralManagers() {
        create();
        IamPolicy policy = policy("LocksOfOneApplication");

        contexts.withPropertyValues(
                        "dynamolock.table.initialization=none",
                        "dynamolock.name-prefix=app1/",
                        "dynamolock.managers.billing.name-prefix=app1/billing/")
                .run(IamPageTests::isUp);

        assertThat(DESCRIPTION).containsAll(policy.denied());
    }

    @Test
    void keysOfOneApplicationAreEnoughForItsOwnManager() {
        create();
        IamPolicy policy = policy("LocksOfOneApplication");

        contexts.withBean(LockStore.class, () -> store(TestClients.client(http)))
                .withBean(
                        "own",
                        LockManager.class,
                        () -> LockManager.builder(store(TestClients.client(http)))
                                .namePrefix("app1/")
                                .build())
                .run(IamPageTests::isUp);

        assertThat(DESCRIPTION).containsAll(policy.denied());
    }

    @Test
    void keysOfApplicationAreEnoughForItsManagers() {
        create();
        IamPolicy policy = policy("LocksOfOneApplication");

        contexts.withBean("oneLockStore", LockStore.class, () -> store(TestClients.client(http)))
                .withBean("otherLockStore", LockStore.class, () -> store(TestClients.client(http)))
                .withBean("one", LockManager.class, () -> own("app1/one/"))
                .withBean("other", LockManager.class, () -> own("app1/other/"))
                .run(IamPageTests::isUp);

        assertThat(DESCRIPTION).containsAll(policy.denied());
    }

    private LockManager own(String prefix) {
        return LockManager.builder(store(TestClients.client(http)))
                .namePrefix(prefix)
                .build();
    }

    @Test
    void locksOfAnotherApplicationAreDenied() {
        create();
        IamPolicy policy = policy("LocksOfOneApplication");

        contexts.withPropertyValues("dynamolock.table.initialization=none", "dynamolock.name-prefix=app2/")
                .run(context -> assertThat(context).hasFailed());

        assertThat(policy.denied()).containsExactly("dynamodb:GetItem");
    }

    private static void useLocks(AssertableApplicationContext context) throws Exception {
        assertThat(context).hasNotFailed();
        LockManager locks = context.getBean(LockManager.class);
        Lease lease = locks.acquire("job");
        CompletableFuture<Lease> waiting =
                locks.acquireAsync(LockRequest.of("job").waitTime(Duration.ofMinutes(5)));
        lease.renew();
        lease.verify();
        locks.inspect("job");
        lease.release();
        Lease resumed = locks.resume(waiting.join().detach());
        locks.revoke("job", resumed.id());
        locks.forceRelease("job", resumed.id());
        locks.acquire("gone");
        locks.forceFree("gone");
        isUp(context);
    }

    private static void isUp(AssertableApplicationContext context) {
        assertThat(context).hasNotFailed();
        Object health = context.getBean("dynamolockHealthContributor");
        Stream<HealthIndicator> all = health instanceof CompositeHealthContributor several
                ? several.stream().map(each -> (HealthIndicator) each.contributor())
                : Stream.of((HealthIndicator) health);
        assertThat(all).isNotEmpty().allSatisfy(each -> {
            Health found = Objects.requireNonNull(each.health());
            assertThat(found.getStatus()).as(found.toString()).isEqualTo(Status.UP);
        });
    }

    private void create() {
        store(LocalDynamoDb.client()).table().createIfMissing(Duration.ofMinutes(1));
    }

    private DynamoDbLockStore store(DynamoDbClient client) {
        return DynamoDbLockStore.builder(client).tableName(table).build();
    }
}
