/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.auth.credentials.ProfileCredentialsProvider;
import software.amazon.awssdk.profiles.ProfileFile;
import software.amazon.awssdk.utils.StringInputStream;

/** Reads the messages that the AWS SDK really has. */
class CredentialsTests {

    private static final String SESSION = """
            sso_session = company
            sso_account_id = 123456789012
            sso_role_name = Operator
            [sso-session company]
            sso_region = eu-west-1
            sso_start_url = https://no-such-company.awsapps.com/start
            """;

    @Test
    void reasonIsThatOfTheProfileThatTheUserChose() {
        assertThat(missing("", "nope"))
                .isEqualTo("no AWS credentials in profile 'nope': Profile file contained no credentials for profile"
                        + " 'nope' (--debug shows more)");
        assertThat(missing("[profile role]\nrole_arn = arn:aws:iam::1:role/x\nsource_profile = missing\n", "role"))
                .startsWith("no AWS credentials in profile 'role': ")
                .contains("'missing'");
    }

    @Test
    void expiredSessionOfDefaultProfileNamesTheRemedy() {
        assertThat(missing("[default]\n" + SESSION, null))
                .startsWith("no AWS credentials in profile 'default': ")
                .contains("expired", "run aws sso login");
        assertThat(missing("[profile work]\n" + SESSION, "work"))
                .startsWith("no AWS credentials in profile 'work': ")
                .contains("expired", "run aws sso login");
    }

    @Test
    void processThatFailsNamesItsReason() {
        assertThat(missing("[default]\ncredential_process = sh -c \"echo vault is locked >&2; exit 3\"\n", null))
                .startsWith("no AWS credentials in profile 'default': ")
                .contains("(3)", "vault is locked");
        assertThat(missing("[default]\ncredential_process = echo hello\n", null))
                .startsWith("no AWS credentials in profile 'default': ")
                .contains("hello");
    }

    @Test
    void withoutProfileTheUsualPlacesAreNamed() {
        String places = "no AWS credentials: set AWS_PROFILE, or AWS_ACCESS_KEY_ID and ";

        assertThat(missing("", null)).startsWith(places);
        assertThat(missing("[default]\nregion = eu-west-1\n", null)).startsWith(places);
        assertThat(Credentials.missing(new IllegalStateException(), "work")).startsWith(places);
    }

    @Test
    void placesAreThoseOfTheSdkInItsOrder() {
        Run.of("--version"); // has set credentials in this JVM
        try (DefaultCredentialsProvider ofSdk =
                DefaultCredentialsProvider.builder().build()) {
            ofSdk.resolveCredentials(); // creates its chain

            assertThat(ofSdk.toString()).contains("(value=" + new Credentials() + ")");
        }
    }

    /** A second run might ask the user for another code, or succeed and leave no reason. */
    @Test
    void processRunsOnceAndItsFailureIsTheReason(@TempDir Path folder) throws Exception {
        Path ran = folder.resolve("ran");
        Path script = Files.writeString(folder.resolve("script"), """
                [ -e %1$s ] && echo '{"Version": 1, "AccessKeyId": "test", "SecretAccessKey": "test"}' && exit
                touch %1$s; echo vault is locked >&2; exit 3
                """.formatted(ran));
        Path configuration = Files.writeString(
                folder.resolve("config"), "[profile work]\ncredential_process = sh %s\n".formatted(script));
        List<String> line = List.of(
                CliProcess.java(),
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "list",
                "--debug");
        Map<String, String> environment = Map.of(
                "AWS_CONFIG_FILE", configuration.toString(),
                "AWS_PROFILE", "work",
                "AWS_ACCESS_KEY_ID", "",
                "AWS_SECRET_ACCESS_KEY", "",
                "AWS_EC2_METADATA_DISABLED", "true");

        try (CliProcess process = CliProcess.run(folder, line, environment)) {
            assertThat(process.end()).isEqualTo(70);
            assertThat(process.err().lines())
                    .anyMatch(shown -> shown.matches("\\s+Caused by: .*\\(3\\).*vault is locked"))
                    .last()
                    .asString()
                    .startsWith("dynamolock: no AWS credentials in profile 'work': ")
                    .contains("(3)", "vault is locked");
        }
    }

    private static String missing(String configuration, @Nullable String profile) {
        ProfileFile file = ProfileFile.builder()
                .content(new StringInputStream(configuration))
                .type(ProfileFile.Type.CONFIGURATION)
                .build();
        try (ProfileCredentialsProvider provider = ProfileCredentialsProvider.builder()
                .profileFile(file)
                .profileName(profile)
                .build()) {
            Throwable failure = new IllegalStateException();
            failure.addSuppressed(catchThrowable(provider::resolveCredentials));
            return Credentials.missing(failure, profile);
        }
    }
}
