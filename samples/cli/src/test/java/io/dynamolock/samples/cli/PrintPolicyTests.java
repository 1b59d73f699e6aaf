/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.Lease;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.protocols.jsoncore.JsonNode;

/** The printed policies are those that {@code iam.md} documents, and allow exactly what the commands do. */
class PrintPolicyTests {

    private static final Path PAGE = Path.of("../../lock-spring-boot-starter/docs/iam.md");
    private static final Pattern BLOCK = Pattern.compile("```json\\R(.*?)```", Pattern.DOTALL);

    private static List<String> blocks() throws IOException {
        return BLOCK.matcher(Files.readString(PAGE))
                .results()
                .map(block -> block.group(1))
                .toList();
    }

    private static Map<String, JsonNode> documented() throws IOException {
        Map<String, JsonNode> documented = new LinkedHashMap<>();
        blocks().stream()
                .map(JsonNode.parser()::parse)
                .flatMap(json -> json.field("Statement").map(JsonNode::asArray).orElse(List.of(json)).stream())
                .forEach(statement -> documented.put(id(statement), statement));
        return documented;
    }

    private static List<JsonNode> printed(String... options) {
        Run run = print(options);
        assertThat(run.err()).isEmpty();
        return JsonNode.parser()
                .parse(run.out())
                .field("Statement")
                .orElseThrow()
                .asArray();
    }

    private static Run print(String... options) {
        return Run.of(Stream.concat(
                        Stream.of("print-policy", "--account", "111122223333", "--region", "eu-west-1"),
                        Stream.of(options))
                .toArray(String[]::new));
    }

    private static String id(JsonNode statement) {
        return statement.field("Sid").orElseThrow().asString();
    }

    @Test
    void policyForProductionIsThatOfThePage() throws IOException {
        assertThat(print().out()).isEqualTo(blocks().get(0));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--for=run                         | Locks",
                "--for=start                       | Table",
                "--for=create                      | Table NewTable",
                "--for=run,create,backups          | Locks Table NewTable Backups",
                "--for=create,tags                 | Table NewTable Tags",
                "--for=run,fencing                 | Locks Fencing",
                "--for=cli                         | Locks List",
                "--for=cli --name-prefix=app1/     | LocksOfOneApplication List"
            })
    void statementsAreThoseOfThePage(String options, String ids) throws IOException {
        List<JsonNode> printed = printed(options.split(" "));

        Map<String, JsonNode> documented = documented();
        assertThat(printed)
                .containsExactlyElementsOf(
                        Stream.of(ids.split(" ")).map(documented::get).toList());
    }

    @Test
    void fencingIsAllowedForThePrefixOnly() {
        List<JsonNode> printed = printed("--for=run,fencing", "--name-prefix=app1/");

        assertThat(printed).hasSize(2);
        assertThat(printed.get(1).field("Condition"))
                .isPresent()
                .isEqualTo(printed.get(0).field("Condition"));
    }

    @Test
    void resourceIsTheTable() {
        assertThat(Run.of(
                                "print-policy --for=run --partition=aws-cn --region=cn-north-1 --account=444455556666 --table=a.B_c-1"
                                        .split(" "))
                        .out())
                .contains("\"Resource\": \"arn:aws-cn:dynamodb:cn-north-1:444455556666:table/a.B_c-1\"");
    }

    @ParameterizedTest
    @CsvSource({
        "--account=1, --account must be 12 digits: '1'",
        "--table=a\"b, '--table must be 3 to 255 letters, digits and any of _.-: ''a\"b'''",
        "--region=*, --region must be a name such as eu-west-1: '*'",
        "--partition=x:y, --partition must be a name such as aws or aws-cn: 'x:y'",
        "--name-prefix=a*, '--name-prefix must be a text without the wildcards *, ? and $: ''a*'''"
    })
    void textsThatWouldChangeThePolicyAreRejected(String option, String message) {
        Run run = Run.of(Stream.concat(
                        Stream.of("print-policy --account=111122223333 --region=eu-west-1 --table=abc".split(" "))
                                .filter(other -> !other.startsWith(option.replaceFirst("=.*", "="))),
                        Stream.of(option))
                .toArray(String[]::new));

        assertThat(run.err()).startsWith("dynamolock: " + message.replace("''", "'"));
        assertThat(run.exitCode()).isEqualTo(64);
        assertThat(run.out()).isEmpty();
    }

    @Test
    void commandsNeedExactlyWhatIsAllowed() throws Exception {
        try (TestTable table = TestTable.create();
                Proxy proxy = new Proxy()) {
            Lease held = table.locks().acquire("held");
            run(proxy, table, "lock", "job", "--", "true");
            run(proxy, table, "list");
            run(proxy, table, "inspect", "job");
            run(proxy, table, "revoke", "held", "--lease-id", held.id());
            run(proxy, table, "release", "held", "--lease-id", held.id());
            table.locks().acquire("other");
            run(proxy, table, "release", "other", "--anyway");
            assertThat(proxy.actions()).isEqualTo(actions(printed("--for=cli")));

            table.client().deleteTable(request -> request.tableName(table.name()));
            proxy.operations().clear();
            run(proxy, table, "create-table");
            assertThat(proxy.actions()).isEqualTo(actions(printed("--for=create")));
        }
    }

    private static void run(Proxy proxy, TestTable table, String command, String... args) {
        Run run = Run.of(Run.line(proxy.endpoint(), table, command, args));
        assertThat(run.exitCode()).as(run.err()).isZero();
    }

    private static Set<String> actions(List<JsonNode> statements) {
        Set<String> actions = new TreeSet<>();
        for (JsonNode statement : statements) {
            JsonNode action = Objects.requireNonNull(statement.field("Action").orElse(null));
            List<JsonNode> all = action.isArray() ? action.asArray() : List.of(action);
            all.forEach(each -> actions.add(each.asString()));
        }
        return actions;
    }
}
