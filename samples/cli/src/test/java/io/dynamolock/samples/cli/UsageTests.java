/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.profiles.ProfileFile;
import software.amazon.awssdk.utils.StringInputStream;

/** The command line is explained, and its mistakes are named, before anything is sent. */
class UsageTests {

    @Test
    void helpNamesAllCommands() {
        Run run = Run.of("--help");

        assertThat(run.out())
                .startsWith("Usage: dynamolock [-hV] COMMAND")
                .contains(
                        "lock", "list", "inspect", "release", "revoke", "create-table", "print-table", "print-policy");
        assertThat(run.exitCode()).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"lock", "list", "inspect", "release", "revoke", "create-table", "print-table", "print-policy"})
    void helpDescribesEachCommand(String command) {
        Run run = Run.of(command, "--help");

        assertThat(run.out())
                .startsWith("Usage: dynamolock " + command + " ")
                .contains("Options:", "--table=TABLE", "--debug", "-h, --help");
        assertThat(run.out().lines()).allMatch(line -> line.length() <= 100);
        assertThat(run.exitCode()).isZero();
    }

    @Test
    void helpOfLockDescribesExitCodesAndEnvironment() {
        assertThat(Run.of("lock", "--help").out())
                .startsWith("Usage: dynamolock lock [OPTION...] NAME -- COMMAND [ARG...]")
                .contains("64 ", "70 ", "75 ", "126 ", "127 ")
                .contains("DYNAMOLOCK_NAME", "DYNAMOLOCK_TOKEN", "DYNAMOLOCK_OWNER")
                .contains("a number without a unit is in seconds");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "                                | a command is missing",
                "unlock                          | unknown command 'unlock'; did you mean 'lock'?",
                "relase job                      | unknown command 'relase'; did you mean 'release'?",
                "policy                          | unknown command 'policy'; did you mean 'print-policy'?",
                "LIST                            | unknown command 'LIST'; did you mean 'list'?",
                "lisk                            | unknown command 'lisk'; did you mean 'list'?",
                "lsit                            | unknown command 'lsit'; did you mean 'list'?",
                "inspect job --josn              | Unknown option: '--josn'; did you mean '--json'?",
                "inspect job --JSON              | Unknown option: '--JSON'; did you mean '--json'?",
                "inspect job --tabel=x           | Unknown option: '--tabel=x'; did you mean '--table'?",
                "inspect job --table-name x      | Unknown options: '--table-name', 'x'; did you mean '--table'?",
                "list job                        | Unmatched argument at index 1: 'job'",
                "inspect job --jsn               | Unknown option: '--jsn'; did you mean '--json'?",
                "lock                            | Missing required parameter: 'NAME'",
                "lock job                        | the command is missing",
                "lock job --                     | the command is missing",
                "lock -- true                    | Missing required parameter: 'NAME'",
                "lock job true                   | put the command after --: dynamolock lock [OPTION...] NAME -- COMMAND",
                "lock job ls -l                  | put the command after --: dynamolock lock [OPTION...] NAME -- COMMAND",
                "lock job a -- true              | Unmatched argument at index 2: 'a'",
                "lock job --no-such -- true      | Unknown option: '--no-such'",
                "lock job --wait soon -- true    | Invalid value for option '--wait': 'soon' is not a duration",
                "lock job --wait -1s -- true     | Invalid value for option '--wait': '-1s' is not a duration",
                "lock job --lease 0s -- true     | --lease must be between 1 ms and 365 days, but is 0s",
                "lock job --lease 9999d -- true  | --lease must be between 1 ms and 365 days, but is 9999d",
                "lock job --min-hold 9999d -- x  | --min-hold must be at most 365 days, but is 9999d",
                "lock job --sort-key sk -- x     | --sort-key must be ATTRIBUTE=VALUE, but is 'sk'",
                "lock job --sort-key =v -- x     | --sort-key must not be ",
                "list --partition-key=           | --partition-key must not be ",
                "list --honor shedlck            | Invalid value for option '--honor' (LIBRARY): expected one of [shedlock, ",
                "lock job --endpoint here -- x   | Invalid value for option '--endpoint': 'here' is not a URL",
                "lock job --endpoint ftp://x -- x | Invalid value for option '--endpoint': 'ftp://x' is not a URL",
                "list --region a.b              | Invalid value for option '--region': 'a.b' is not a Region such as eu-west-1",
                "lock job --lease-time x -- x    | Invalid value for option '--lease-time': expected one of [SERVER,",
                "inspect                         | Missing required parameter: 'NAME'",
                "release job                     | Missing required argument (specify one of these): (--lease-id=ID | --anyway)",
                "release job --anyway --lease-id x | --lease-id=ID, --anyway are mutually exclusive",
                "revoke job                      | Missing required option: '--lease-id=ID'",
                "print-table                     | Missing required option: '--format=FORMAT'",
                "print-table --format=terraform --sort-key=sk | --sort-key must be ATTRIBUTE=VALUE, but is 'sk'",
                "print-table --format=terraform --sort-key=a${b}=x | --sort-key must be 1 to 255 letters, digits and",
                "print-table --format=terraform --partition-key=a\"b | --partition-key must be 1 to 255 letters,",
                "print-table --format=terraform --ttl-attribute=owner | --ttl-attribute must not be the name of an attribute",
                "print-policy                    | Missing required options: '--account=ID', '--region=REGION'"
            })
    void mistakesAreNamed(String line, String message) {
        Run run = Run.of(line == null ? new String[0] : line.split(" +"));

        assertThat(run.err().lines()).hasSize(2).first().asString().startsWith("dynamolock: " + message);
        assertThat(run.err().lines())
                .last()
                .asString()
                .startsWith("Try 'dynamolock")
                .endsWith(" --help'.");
        assertThat(run.out()).isEmpty();
        assertThat(run.exitCode()).isEqualTo(64);
    }

    @Test
    void endpointsOfTheEnvironmentAreCheckedAsThoseOfTheOption() {
        settings(Map.of("AWS_ENDPOINT_URL", "foo", "AWS_ENDPOINT_URL_DYNAMODB", "http://localhost:1"), "")
                .requireValidEndpoint();
        for (String invalid : List.of("", "foo", "localhost:8000")) {
            assertThatExceptionOfType(UsageException.class)
                    .isThrownBy(() ->
                            settings(Map.of("AWS_ENDPOINT_URL", invalid), "").requireValidEndpoint())
                    .withMessage("AWS_ENDPOINT_URL: '%s' is not a URL such as http://localhost:8000", invalid);
        }
    }

    @Test
    void endpointsOfTheProfileAreCheckedAsThoseOfTheOption() {
        String ofServices = "[profile work]\nservices = local\n[services local]\ndynamodb =\n  endpoint_url = foo\n";
        Map<String, String> work = Map.of("AWS_PROFILE", "work");

        assertThatExceptionOfType(UsageException.class)
                .isThrownBy(() ->
                        settings(Map.of(), "[default]\nendpoint_url = foo").requireValidEndpoint())
                .withMessage("endpoint_url of profile 'default': 'foo' is not a URL such as http://localhost:8000");
        assertThatExceptionOfType(UsageException.class)
                .isThrownBy(() -> settings(work, ofServices).requireValidEndpoint())
                .withMessageStartingWith("endpoint_url for dynamodb of services 'local': 'foo' is not a URL ");
        settings(Map.of(), ofServices).requireValidEndpoint();
        settings(Map.of(), "[default]\nendpoint_url = foo\ndynamodb =\n  endpoint_url = http://localhost:1\n")
                .requireValidEndpoint();
    }

    @Test
    void endpointsThatTheUserIgnoresAreNotChecked() {
        settings(Map.of("AWS_ENDPOINT_URL", "foo", "AWS_IGNORE_CONFIGURED_ENDPOINT_URLS", "True"), "")
                .requireValidEndpoint();
        settings(Map.of("AWS_ENDPOINT_URL", "foo"), "[default]\nignore_configured_endpoint_urls = true")
                .requireValidEndpoint();
    }

    @Test
    void schemesOfEndpointsAreNotCaseSensitive() {
        assertThat(new Endpoints().convert("HTTP://localhost:8000")).hasPort(8000);
    }

    @Test
    void regionsOfEnvironmentAndProfileAreCheckedAsThatOfTheOption() {
        String profile = "[default]\nregion = eu west";

        assertThatExceptionOfType(UsageException.class)
                .isThrownBy(() -> settings(Map.of("AWS_REGION", "a.b"), profile).requireValidRegion())
                .withMessage("AWS_REGION: 'a.b' is not a Region such as eu-west-1");
        assertThatExceptionOfType(UsageException.class)
                .isThrownBy(() -> settings(Map.of("AWS_REGION", ""), profile).requireValidRegion())
                .withMessage("region of profile 'default': 'eu west' is not a Region such as eu-west-1");
        settings(Map.of("AWS_REGION", "eu-west-1"), profile).requireValidRegion();
        assertThat(Run.of("list", "--region", "").err()).contains("'' is not a Region such as eu-west-1");
    }

    /** The guide to DynamoDB Local uses this one. */
    @Test
    void regionsOfDynamoDbLocalAreAccepted() {
        settings(Map.of("AWS_REGION", "fakeRegion"), "").requireValidRegion();
        settings(Map.of(), "[default]\nregion = Local-1").requireValidRegion();
        assertThat(new Regions().convert("fakeRegion")).hasToString("fakeRegion");
    }

    /** The SDK does not read the variable, then. */
    @Test
    void systemPropertiesOverrideEnvironment() {
        Map<String, String> wrong =
                Map.of("AWS_REGION", "a.b", "AWS_PROFILE", "work", "AWS_ENDPOINT_URL_DYNAMODB", "foo");
        String profiles = "[profile work]\nregion = a.b\n[profile other]\nendpoint_url = foo";

        settings(wrong, Map.of("aws.region", "eu-west-1"), profiles).requireValidRegion();
        settings(wrong, Map.of("aws.endpointUrl", "http://localhost:1"), profiles)
                .requireValidEndpoint();
        settings(wrong, Map.of("aws.endpointUrlDynamoDb", "http://localhost:1"), profiles)
                .requireValidEndpoint();
        settings(wrong, Map.of("aws.ignoreConfiguredEndpointUrls", "true"), profiles)
                .requireValidEndpoint();
        settings(Map.of("AWS_PROFILE", "work"), Map.of("aws.profile", "other"), profiles)
                .requireValidRegion();
        assertThatExceptionOfType(UsageException.class)
                .isThrownBy(() -> settings(Map.of(), Map.of("aws.endpointUrl", "foo"), profiles)
                        .requireValidEndpoint())
                .withMessageStartingWith("system property aws.endpointUrl: 'foo' is not a URL ");
    }

    private static AwsSettings settings(Map<String, String> environment, String configuration) {
        return settings(environment, Map.of(), configuration);
    }

    private static AwsSettings settings(
            Map<String, String> environment, Map<String, String> systemProperties, String configuration) {
        Properties properties = new Properties();
        properties.putAll(systemProperties);
        return new AwsSettings(
                environment,
                properties,
                ProfileFile.builder()
                        .content(new StringInputStream(configuration))
                        .type(ProfileFile.Type.CONFIGURATION)
                        .build());
    }

    /** Two names that look equal are not the same lock. */
    @Test
    void invisibleCharactersAreShown() {
        assertThat(Shown.text("job\uDB40\uDC41")).isEqualTo("job\\udb40\\udc41");
        assertThat(Shown.text("job\uD83D\uDE80\u200B")).isEqualTo("job\uD83D\uDE80\\u200b");
    }

    @Test
    void valueOfSeveralLinesDoesNotPreventSuggestion() {
        assertThat(Run.of("inspect", "job", "--tabel=one\ntwo").err()).contains("did you mean '--table'?");
    }

    /** Half of a short word may differ by chance. */
    @ParameterizedTest
    @ValueSource(strings = {"xyz", "frobnicate", "test"})
    void onlySimilarCommandsAreSuggested(String command) {
        assertThat(Run.of(command).err().lines())
                .first()
                .isEqualTo("dynamolock: unknown command '%s'".formatted(command));
    }

    @Test
    void namesThatLocksCannotHaveAreRejected() {
        assertThat(Run.of("lock", "", "--", "true").err()).startsWith("dynamolock: NAME must not be empty");
        assertThat(Run.of("lock", " ", "--", "true").err()).startsWith("dynamolock: NAME must not be blank");
        assertThat(Run.of("lock", "a\u0007", "--", "true").err())
                .startsWith("dynamolock: NAME must not contain control characters");
        assertThat(Run.of("lock", "job", "--owner", "a\nb", "--", "true").err())
                .startsWith("dynamolock: --owner must not contain control characters");
    }

    /** Otherwise all names with as many such bytes would be the same lock. */
    @Test
    void argumentsThatTheLocaleCannotReadAreRejected() {
        Run run = Run.of("lock", "\uFFFD\uFFFDjob", "--", "true");

        assertThat(run.exitCode()).isEqualTo(64);
        assertThat(run.err()).contains("LC_ALL=C.UTF-8");
        assertThat(Run.of("lock", "job", "--", "echo", "\uFFFD").exitCode()).isEqualTo(64);
    }

    @ParameterizedTest
    @CsvSource({"10, PT10S", "0, PT0S", "500ms, PT0.5S", "10s, PT10S", "1m30s, PT1M30S", "2h, PT2H", "1d, PT24H"})
    void durationsHaveUnits(String text, Duration duration) {
        assertThat(new DurationConverter().convert(text)).isEqualTo(duration);
    }
}
