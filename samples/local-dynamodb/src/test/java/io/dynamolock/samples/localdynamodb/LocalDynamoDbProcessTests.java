/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.localdynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

@Timeout(300)
class LocalDynamoDbProcessTests {

    @Test
    void responsesUntilClosed() throws Exception {
        try (LocalDynamoDbProcess server = LocalDynamoDbProcess.start();
                DynamoDbClient client =
                        LocalDynamoDbProcess.client(server.endpoint()).build()) {
            assertThat(client.listTables().tableNames()).isEmpty();
        }

        assertThat(ProcessHandle.current().children()).isEmpty();
    }

    @Test
    void saysWhatItIsAndEndsWithItsInput() throws Exception {
        Process process = run("0", Main.UNTIL_INPUT_ENDS);

        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(output.lines())
                .singleElement()
                .asString()
                .startsWith("WARN: DynamoDB Local listens on http://localhost:")
                .contains("any credentials", "in memory", "License Agreement", "AWS account");
    }

    @Test
    void takesNothingButAPort() {
        assertThat(Main.port(List.of())).isEqualTo(8000);
        assertThat(Main.port(List.of("8001", Main.UNTIL_INPUT_ENDS))).isEqualTo(8001);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Main.port(List.of("--port=8001")))
                .withMessageContaining("not '--port=8001'");
        assertThatIllegalArgumentException().isThrownBy(() -> Main.port(List.of("8001", "8002")));
    }

    private static Process run(String... arguments) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName());
        builder.command().addAll(List.of(arguments));
        return builder.redirectErrorStream(true).start();
    }
}
