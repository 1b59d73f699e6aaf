/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.dynamodb.LocalDynamoDb;
import io.dynamolock.spring.LogCapture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;

/** A pod with its own role must not silently run with the role of its node. */
@ExtendWith(LogCapture.class)
class WebIdentityTests {

    private static final String STS = "software.amazon.awssdk:sts";
    private static final String UNREADABLE = "does not exist or cannot be read";

    @TempDir
    private Path files;

    /** Contexts with other credentials that the SDK finds, like those of a node. */
    private final ApplicationContextRunner contexts = TestClients.contexts()
            .withSystemProperties("aws.accessKeyId=node", "aws.secretAccessKey=node")
            .withPropertyValues(
                    "dynamolock.client.endpoint=" + LocalDynamoDb.endpoint(),
                    "dynamolock.client.region=" + LocalDynamoDb.REGION);

    @Test
    void isReportedOnceIfStsIsMissing(CapturedOutput output) {
        withoutSts(inPod(token()))
                .withPropertyValues(billing())
                .run(context -> assertThat(context).hasNotFailed());

        assertThat(output.getAll())
                .containsOnlyOnce(STS)
                .containsPattern("WARN .*AWS_WEB_IDENTITY_TOKEN_FILE.*Add software.amazon.awssdk:sts");
    }

    @Test
    void isReportedOnceIfItsTokenIsMissing(CapturedOutput output) {
        inPod(files.resolve("missing"))
                .withPropertyValues(billing())
                .run(context -> assertThat(context).hasNotFailed());

        assertThat(output.getAll())
                .containsOnlyOnce(UNREADABLE)
                .containsPattern("WARN .*AWS_WEB_IDENTITY_TOKEN_FILE.*" + UNREADABLE + ".*those of the node");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "a\u0000b"})
    void isReportedIfItsTokenIsNoFile(String path, CapturedOutput output) {
        warnWith("aws.webIdentityTokenFile=" + path).run(context -> new WebIdentity().warnIfIgnored());

        assertThat(output.getAll()).containsOnlyOnce(UNREADABLE);
    }

    @Test
    void isNotReportedIfItCanBeUsed(CapturedOutput output) {
        inPod(token()).run(context -> assertThat(context).hasNotFailed());

        assertThat(output.getAll()).doesNotContain(STS, UNREADABLE);
    }

    @Test
    void isNotReportedIfThereIsNone(CapturedOutput output) {
        withoutSts(contexts).run(context -> assertThat(context).hasNotFailed());

        assertThat(output.getAll()).doesNotContain(STS);
    }

    @Test
    void isNotReportedBesideKeysInProperties(CapturedOutput output) {
        withoutSts(inPod(token()))
                .withPropertyValues(TestClients.ownClient())
                .run(context -> assertThat(context).hasNotFailed());

        assertThat(output.getAll()).doesNotContain(STS);
    }

    @Test
    void isNotReportedBesideAnApplicationsClient(CapturedOutput output) {
        withoutSts(TestClients.contexts(TestClients.http()))
                .withSystemProperties("aws.webIdentityTokenFile=/token")
                .run(context -> assertThat(context).hasNotFailed());

        assertThat(output.getAll()).doesNotContain(STS, UNREADABLE);
    }

    @Test
    void rolesOfProfilesAreReportedIfStsIsMissing(CapturedOutput output) {
        withoutSts(profile("role_arn = arn:aws:iam::1:role/app", "source_profile = default"))
                .run(context -> new WebIdentity().warnIfIgnored());

        assertThat(output.getAll()).containsPattern("WARN .*role_arn of the AWS profile.*" + STS);
    }

    @Test
    void rolesOfProfilesAreReportedIfTheirTokenIsMissing(CapturedOutput output) {
        profile("role_arn = arn:aws:iam::1:role/app", "web_identity_token_file = " + files.resolve("missing"))
                .run(context -> new WebIdentity().warnIfIgnored());

        assertThat(output.getAll()).containsPattern("WARN .*role_arn of the AWS profile.*" + UNREADABLE);
    }

    @Test
    void profilesThatWorkAreNotReported(CapturedOutput output) {
        profile("role_arn = arn:aws:iam::1:role/app", "source_profile = default")
                .run(context -> new WebIdentity().warnIfIgnored());
        profile("role_arn = arn:aws:iam::1:role/app", "web_identity_token_file = " + token())
                .run(context -> new WebIdentity().warnIfIgnored());
        withoutSts(profile("region = eu-west-1")).run(context -> new WebIdentity().warnIfIgnored());

        assertThat(output.getAll()).doesNotContain("WARN");
    }

    @Test
    void rolesOfProfilesAreNotReportedBesideKeys(CapturedOutput output) {
        withoutSts(profile("role_arn = arn:aws:iam::1:role/app"))
                .withSystemProperties("aws.accessKeyId=own", "aws.secretAccessKey=own")
                .run(context -> new WebIdentity().warnIfIgnored());

        assertThat(output.getAll()).doesNotContain(STS);
    }

    @Test
    void aProfileThatCannotBeReadHarmsNothing(CapturedOutput output) {
        profile("[[", "= what").run(context -> new WebIdentity().warnIfIgnored());

        assertThat(output.getAll()).doesNotContain(STS, UNREADABLE);
    }

    private ApplicationContextRunner inPod(Path token) {
        return contexts.withSystemProperties("aws.webIdentityTokenFile=" + token);
    }

    private static String[] billing() {
        return new String[] {
            "dynamolock.managers.billing.client.region=us-east-1",
            "dynamolock.managers.billing.table.name=" + TestClients.newTableName()
        };
    }

    private Path token() {
        return write("token", "secret");
    }

    /** Returns contexts with the given lines in the active AWS profile, without an application. */
    private ApplicationContextRunner profile(String... lines) {
        Path config = write("config", "[profile app]\n" + String.join("\n", lines) + "\n");
        return warnWith("aws.configFile=" + config, "aws.sharedCredentialsFile=/nowhere", "aws.profile=app");
    }

    private static ApplicationContextRunner warnWith(String... systemProperties) {
        return new ApplicationContextRunner().withSystemProperties(systemProperties);
    }

    private Path write(String name, String text) {
        try {
            return Files.writeString(files.resolve(name), text);
        } catch (IOException failure) {
            throw new AssertionError(failure);
        }
    }

    private static ApplicationContextRunner withoutSts(ApplicationContextRunner contexts) {
        return contexts.withClassLoader(new FilteredClassLoader("software.amazon.awssdk.services.sts"));
    }
}
