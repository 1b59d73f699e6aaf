/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.Lease;
import io.dynamolock.LockListener;
import io.dynamolock.LockManager;
import io.dynamolock.dynamodb.DynamoDbLockStore;
import io.dynamolock.dynamodb.Fault;
import io.dynamolock.dynamodb.FaultyHttpClient;
import io.dynamolock.dynamodb.LocalDynamoDb;
import io.dynamolock.spring.DistributedLock;
import io.dynamolock.spring.LogCapture;
import io.dynamolock.spring.OnlyOnLeader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** Startup failures are reported with a description and an action, without a stack trace. */
@ExtendWith(LogCapture.class)
class FailureAnalysisTests {

    /** Keeps Spring Boot's logging system from ending the capture. */
    @BeforeAll
    static void keepSpringBootFromTheLog() {
        System.setProperty(LoggingSystem.SYSTEM_PROPERTY, LoggingSystem.NONE);
    }

    @Test
    void reportsMissingTable(CapturedOutput output) {
        start(
                App.class,
                with(TestClients.ownClient(), "dynamolock.table.name=nowhere", "dynamolock.table.initialization=none"));

        assertThat(output.getAll())
                .contains("APPLICATION FAILED TO START")
                .contains("dynamolock.table.name = 'nowhere' cannot be used")
                .contains(LocalDynamoDb.REGION.id())
                .contains("set dynamolock.table.initialization = create")
                .doesNotContain("\tat io.dynamolock");
    }

    @ParameterizedTest
    @ValueSource(strings = {"create", "validate"})
    void reportsTableWithOtherKeys(String initialization, CapturedOutput output) {
        String table = TestClients.newTableName();
        DynamoDbLockStore.builder(LocalDynamoDb.client())
                .tableName(table)
                .partitionKey("id")
                .build()
                .table()
                .createIfMissing(Duration.ofMinutes(1));

        start(
                App.class,
                with(
                        TestClients.ownClient(),
                        "dynamolock.table.name=" + table,
                        "dynamolock.table.initialization=" + initialization));

        assertThat(output.getAll())
                .contains("dynamolock.table.name = '" + table + "' cannot be used")
                .contains("expected partition key 'lockName' of type S, but found partition key 'id' of type S")
                .contains("configure the partition key as in the table, or use another table")
                .contains("Set dynamolock.table.name to another table, or dynamolock.table.partition-key")
                .doesNotContain("to create the table");
    }

    @Test
    void reportsServerError(CapturedOutput output) {
        start(AppOnFailingDynamoDb.class, List.of());

        assertThat(output.getAll())
                .contains("dynamolock.table.name = 'dynamolock' cannot be used")
                .contains("Start the application again: DynamoDB failed or throttled the request.");
    }

    @Test
    void reportsMissingPermissions(CapturedOutput output) {
        start(
                AppWithoutRights.class,
                List.of("dynamolock.table.name=forbidden", "dynamolock.managers.billing.table.name=other"));

        assertThat(output.getAll())
                .contains("dynamolock.table.name = 'forbidden' cannot be used")
                .contains("the credentials do not allow dynamodb:DescribeTable")
                .contains("Grant the credentials the missing permissions on this table")
                .contains(
                        "set dynamolock.table.initialization = validate, which needs only dynamodb:DescribeTable and");
    }

    @Test
    void reportsUnreachableEndpoint(CapturedOutput output) {
        start(
                App.class,
                List.of(
                        "dynamolock.client.region=eu-west-1",
                        "dynamolock.client.access-key=local",
                        "dynamolock.client.secret-key=secret",
                        "dynamolock.client.endpoint=http://localhost:1",
                        "dynamolock.table.creation-timeout=2s"));

        assertThat(output.getAll())
                .contains("dynamolock.table.name = 'dynamolock' cannot be used")
                .contains("Check dynamolock.client.endpoint and dynamolock.client.region");
    }

    @Test
    void reportsUnknownHost(CapturedOutput output) {
        start(
                App.class,
                List.of(
                        "dynamolock.client.region=us-east1",
                        "dynamolock.client.access-key=local",
                        "dynamolock.client.secret-key=secret",
                        "dynamolock.client.endpoint=http://dynamodb.us-east1.invalid",
                        "dynamolock.table.creation-timeout=2s"));

        assertThat(output.getAll())
                .contains(
                        "The host dynamodb.us-east1.invalid is unknown: correct the Region (dynamolock.client.region,")
                .contains("or dynamolock.client.endpoint");
    }

    @ParameterizedTest
    @CsvSource({
        "store, DYNAMODB, MEMORY",
        "on-lost, THROW, SHUTDOWN",
        "lease.time, SERVER, OBSERVED",
        "table.initialization, CREATE, VALIDATE",
        "table.billing-mode, PAY_PER_REQUEST, PROVISIONED",
        "table.honor, AWSLABS, SHEDLOCK",
        "annotation.on-busy, SKIP, THROW"
    })
    void reportsWordThatIsNoValue(String key, String one, String other, CapturedOutput output) {
        start(App.class, List.of("dynamolock.%s=nonsense".formatted(key)));

        assertThat(output.getAll())
                .contains("APPLICATION FAILED TO START")
                .contains("Property: dynamolock." + key)
                .contains("Value: \"nonsense\"")
                .containsPattern("The following values are valid:\\s")
                .contains(one, other)
                .doesNotContain("\tat io.dynamolock");
    }

    @Test
    void reportsEndpointThatIsNoUri(CapturedOutput output) {
        start(App.class, List.of("dynamolock.client.endpoint=http://[localhost"));

        assertThat(output.getAll())
                .contains("APPLICATION FAILED TO START")
                .contains("Property: dynamolock.client.endpoint")
                .contains("Value: \"http://[localhost\"");
    }

    @Test
    void reportsMalformedRegion(CapturedOutput output) {
        start(App.class, List.of("dynamolock.client.region=eu west"));

        assertThat(output.getAll())
                .contains("dynamolock.client.region must be a Region such as eu-west-1, but is 'eu west'");
    }

    @Test
    void reportsMissingHttpClient(CapturedOutput output) {
        start(
                AppWithoutHttpClient.class,
                List.of(
                        "dynamolock.client.region=us-east-1",
                        "dynamolock.client.access-key=local",
                        "dynamolock.client.secret-key=secret"));

        assertThat(output.getAll())
                .contains("There is no HTTP client for the AWS SDK on the class path.")
                .contains("Add software.amazon.awssdk:apache5-client to the dependencies");
    }

    @Test
    void reportsWhichManagerFailed(CapturedOutput output) {
        start(
                App.class,
                with(
                        TestClients.ownClient(),
                        "dynamolock.table.name=" + TestClients.newTableName(),
                        "dynamolock.managers.billing.table.name=nowhere",
                        "dynamolock.managers.billing.table.initialization=validate"));

        assertThat(output.getAll())
                .contains("dynamolock.managers.billing.table.name = 'nowhere' cannot be used")
                .contains("Set dynamolock.managers.billing.table.name to an existing table with the keys")
                .contains("set dynamolock.managers.billing.table.initialization = create");
    }

    @Test
    void reportsContradictoryKeys(CapturedOutput output) {
        start(App.class, List.of("dynamolock.store=memory", "dynamolock.lease.max-duration=10s"));

        assertThat(output.getAll())
                .contains("dynamolock.lease.duration must not exceed dynamolock.lease.max-duration (10s), but is 30s.")
                .contains(
                        "Set dynamolock.lease.duration to a positive duration of at most dynamolock.lease.max-duration");
    }

    @Test
    void reportsKnownManagers(CapturedOutput output) {
        start(
                AppWithUnknownManager.class,
                List.of("dynamolock.store=memory", "dynamolock.managers.billing.table.name=billing-locks"));

        assertThat(output.getAll())
                .contains("there is no LockManager bean named 'biling', only billing, dynamolockManager")
                .contains("Correct the name, set dynamolock.managers.biling.table.name, or add a bean of that name");
    }

    @ParameterizedTest
    @ValueSource(classes = {AppWithListener.class, AppWithUseOfLocksAndListener.class})
    void explainsHowListenerGetsItsManager(Class<?> application, CapturedOutput output) {
        start(application, List.of("dynamolock.store=memory"));

        assertThat(output.getAll())
                .contains("A LockListener bean depends on a LockManager, which is created with its listeners")
                .contains("Inject ObjectProvider<LockManager> into the listener");
    }

    @Test
    void reportsSeveralClients(CapturedOutput output) {
        start(AppWithClients.class, List.of());

        assertThat(output.getAll())
                .contains("There is more than one DynamoDbClient bean, and none of them is primary ([one, other])")
                .contains("Name the one for locks dynamolockClient, or mark one as primary.");
    }

    @Test
    void reportsSlowHeartbeat(CapturedOutput output) {
        start(App.class, with(TestClients.ownClient(), "dynamolock.heartbeat.interval=20s"));

        assertThat(output.getAll())
                .contains("dynamolock.heartbeat.interval must be at most half of dynamolock.lease.duration")
                .contains("Set dynamolock.heartbeat.interval to a positive duration of at most half");
    }

    @Test
    void reportsMissingRegion(CapturedOutput output) {
        withoutAws(() -> start(App.class, List.of("dynamolock.client.endpoint=http://localhost:1")));

        assertThat(output.getAll())
                .contains("dynamolock.client.region is not set, and the AWS SDK finds no Region either")
                .contains("Set dynamolock.client.region or the environment variable AWS_REGION")
                .contains("In a test, set dynamolock.store = memory, or use @AutoConfigureTestLocks.");
    }

    @Test
    void reportsMissingCredentials(CapturedOutput output) {
        withoutAws(() -> start(App.class, List.of("dynamolock.client.region=eu-west-1")));

        assertThat(output.getAll())
                .contains("dynamolock.client.access-key and dynamolock.client.secret-key are not set")
                .contains("AWS_ACCESS_KEY_ID")
                .contains("software.amazon.awssdk:sts");
    }

    @Test
    void reportsHalfOfTheCredentials(CapturedOutput output) {
        start(App.class, List.of("dynamolock.client.region=eu-west-1", "dynamolock.client.access-key=AKIDEXAMPLE"));

        assertThat(output.getAll())
                .contains("dynamolock.client.secret-key is not set, but dynamolock.client.access-key is")
                .doesNotContain("AKIDEXAMPLE");
    }

    @Test
    void reportsInvalidAnnotation(CapturedOutput output) {
        start(AppWithMistake.class, List.of("dynamolock.store=memory"));

        assertThat(output.getAll())
                .contains("APPLICATION FAILED TO START")
                .contains("@DistributedLock on " + Mistake.class.getName() + ".work: the name template 'job-#{#order}'")
                .contains("#order is not a parameter of the method")
                .contains("compiled with -parameters");
    }

    @Test
    void reportsMissingLeaderName(CapturedOutput output) {
        start(AppWithLeaderMethod.class, List.of("dynamolock.store=memory"));

        assertThat(output.getAll())
                .contains("APPLICATION FAILED TO START")
                .contains("@OnlyOnLeader on " + LeaderMethod.class.getName() + ".run: there is no Leadership bean.")
                .contains("Set dynamolock.leader.name to a name that all processes of the application share.")
                .doesNotContain("\tat io.dynamolock");
    }

    private static List<String> with(String[] some, String... more) {
        List<String> all = new ArrayList<>(List.of(some));
        all.addAll(List.of(more));
        return all;
    }

    private static void start(Class<?> application, List<String> properties) {
        SpringApplication starting = new SpringApplication(application);
        starting.setWebApplicationType(WebApplicationType.NONE);
        starting.setRegisterShutdownHook(false);
        String[] args = properties.stream().map(property -> "--" + property).toArray(String[]::new);
        try {
            starting.run(args).close();
        } catch (RuntimeException expected) {
            return;
        }
        throw new AssertionError("The application has started");
    }

    /** Keeps the SDK from a long search for credentials in this machine's environment. */
    private static void withoutAws(Runnable work) {
        List<String> set = List.of("aws.disableEc2Metadata", "aws.configFile", "aws.sharedCredentialsFile");
        System.setProperty("aws.disableEc2Metadata", "true");
        System.setProperty("aws.configFile", "/nowhere");
        System.setProperty("aws.sharedCredentialsFile", "/nowhere");
        try {
            work.run();
        } finally {
            set.forEach(System::clearProperty);
        }
    }

    private static DynamoDbClient failing(Fault fault) {
        FaultyHttpClient http = TestClients.http();
        http.always(fault);
        return TestClients.client(http);
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({DynamolockAutoConfiguration.class, DistributedLockAutoConfiguration.class})
    static class App {}

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration(DynamolockAutoConfiguration.class)
    static class AppOnFailingDynamoDb {

        @Bean
        DynamoDbClient client() {
            return failing(Fault.serverError());
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration(DynamolockAutoConfiguration.class)
    static class AppWithoutRights {

        @Bean
        DynamoDbClient client() {
            return failing(Fault.denyAccess());
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration(DynamolockAutoConfiguration.class)
    static class AppWithoutHttpClient {

        /** Fails as the SDK does, whose search of the class path would find the HTTP client of the tests. */
        @Bean
        DynamoDbClientBuilderCustomizer withoutHttpClient() {
            return builder -> builder.httpClientBuilder(defaults -> {
                throw SdkClientException.create(
                        "Unable to load an HTTP implementation from any provider in the chain. You must declare a dependency"
                                + " on an appropriate HTTP implementation or pass in an SdkHttpClient explicitly to the client"
                                + " builder.");
            });
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration(DynamolockAutoConfiguration.class)
    static class AppWithListener {

        @Bean
        LockListener listener(LockManager locks) {
            return new LockListener() {
                @Override
                public void onAcquired(Lease lease, Duration took, Duration waited) {
                    locks.inspect(lease.name());
                }
            };
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration(DynamolockAutoConfiguration.class)
    static class AppWithUseOfLocksAndListener {

        @Bean
        Supplier<LockManager> first(LockManager locks) {
            return () -> locks;
        }

        @Bean
        LockListener listener(LockManager locks) {
            return new AppWithListener().listener(locks);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration(DynamolockAutoConfiguration.class)
    static class AppWithClients {

        @Bean
        DynamoDbClient one() {
            return TestClients.client(TestClients.http());
        }

        @Bean
        DynamoDbClient other() {
            return TestClients.client(TestClients.http());
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({DynamolockAutoConfiguration.class, DistributedLockAutoConfiguration.class})
    static class AppWithUnknownManager {

        @Bean
        UnknownManager unknown() {
            return new UnknownManager();
        }
    }

    static class UnknownManager {

        @DistributedLock(name = "job", manager = "biling")
        public void work() {}
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({DynamolockAutoConfiguration.class, DistributedLockAutoConfiguration.class})
    static class AppWithMistake {

        @Bean
        Mistake mistake() {
            return new Mistake();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({DynamolockAutoConfiguration.class, DynamolockLeaderAutoConfiguration.class})
    static class AppWithLeaderMethod {

        @Bean
        LeaderMethod leaderMethod() {
            return new LeaderMethod();
        }
    }

    static class LeaderMethod {

        @OnlyOnLeader
        public void run() {}
    }

    static class Mistake {

        @DistributedLock("job-#{#order}")
        public void work(String id) {}
    }
}
