/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.dynamodb.LocalDynamoDb;
import io.dynamolock.spring.DistributedLock;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What a person reads when an application does not start: a description and an action, no stack trace. */
@ExtendWith(OutputCaptureExtension.class)
class FailureAnalysisTests {

    @Test
    void tellsThatTheTableIsMissing(CapturedOutput output) {
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

    @Test
    void tellsThatTheHeartbeatIsTooSlow(CapturedOutput output) {
        start(App.class, with(TestClients.ownClient(), "dynamolock.heartbeat.interval=20s"));

        assertThat(output.getAll())
                .contains("dynamolock.heartbeat.interval must be at most half of dynamolock.lease.duration")
                .contains("Set dynamolock.heartbeat.interval to at most half");
    }

    @Test
    void tellsThatThereIsNoRegion(CapturedOutput output) {
        withoutAws(() -> start(App.class, List.of("dynamolock.client.endpoint=http://localhost:1")));

        assertThat(output.getAll())
                .contains("dynamolock.client.region is not set, and the AWS SDK finds no Region either")
                .contains("Set dynamolock.client.region or the environment variable AWS_REGION");
    }

    @Test
    void tellsThatThereAreNoCredentials(CapturedOutput output) {
        withoutAws(() -> start(App.class, List.of("dynamolock.client.region=eu-west-1")));

        assertThat(output.getAll())
                .contains("dynamolock.client.access-key and dynamolock.client.secret-key are not set")
                .contains("AWS_ACCESS_KEY_ID");
    }

    @Test
    void tellsThatHalfOfTheCredentialsIsMissing(CapturedOutput output) {
        start(App.class, List.of("dynamolock.client.region=eu-west-1", "dynamolock.client.access-key=AKIDEXAMPLE"));

        assertThat(output.getAll())
                .contains("dynamolock.client.secret-key is not set, but dynamolock.client.access-key is")
                .doesNotContain("AKIDEXAMPLE");
    }

    @Test
    void tellsWhichAnnotationCannotWork(CapturedOutput output) {
        start(AppWithMistake.class, List.of("dynamolock.store=memory"));

        assertThat(output.getAll())
                .contains("APPLICATION FAILED TO START")
                .contains("@DistributedLock on " + Mistake.class.getName() + ".work: the name template 'job-#{#order}'")
                .contains("#order is no parameter of the method")
                .contains("compiled with -parameters");
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

    /** Keeps the SDK from looking into this machine's environment for longer than a moment. */
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

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({DynamolockAutoConfiguration.class, DistributedLockAutoConfiguration.class})
    static class App {}

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({DynamolockAutoConfiguration.class, DistributedLockAutoConfiguration.class})
    static class AppWithMistake {

        @Bean
        Mistake mistake() {
            return new Mistake();
        }
    }

    static class Mistake {

        @DistributedLock("job-#{#order}")
        public void work(String id) {}
    }
}
