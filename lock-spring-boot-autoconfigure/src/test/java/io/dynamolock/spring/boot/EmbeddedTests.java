/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.dynamolock.LockManager;
import io.dynamolock.dynamodb.FaultyHttpClient;
import io.dynamolock.spring.StartFailure;
import io.dynamolock.spring.embedded.EmbeddedDynamoDb;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;

/** A DynamoDB in this JVM, for a first try. */
@ExtendWith(OutputCaptureExtension.class)
class EmbeddedTests {

    private final ApplicationContextRunner contexts =
            TestClients.contexts().withPropertyValues("dynamolock.embedded.enabled=true");

    @Test
    void keepsLocksWithoutAnyOtherSettingAndInSilence(CapturedOutput output) {
        LoggingSystem logging = LoggingSystem.get(getClass().getClassLoader());
        logging.setLogLevel("software.amazon.dynamodb", null);
        logging.setLogLevel(LoggingSystem.ROOT_LOGGER_NAME, LogLevel.INFO);
        try {
            contexts.run(context -> {
                assertThat(context.getBean(LockManager.class).tryAcquire("job")).isPresent();
                assertThat(context.getBean(LockManager.class).tryAcquire("job")).isEmpty();
            });
        } finally {
            logging.setLogLevel("software.amazon.dynamodb", LogLevel.ERROR);
            logging.setLogLevel(LoggingSystem.ROOT_LOGGER_NAME, LogLevel.WARN);
        }

        assertThat(output.getAll())
                .doesNotContain("Initializing DynamoDB Local", "services.local", "LocalDynamoDB", "jetty");
    }

    @Test
    void listensWhereItIsToldAndStopsWithTheApplication() throws IOException {
        int port = freePort();
        contexts.withPropertyValues("dynamolock.embedded.port=" + port).run(context -> {
            assertThat(context.getBean(EmbeddedDynamoDb.class).endpoint())
                    .isEqualTo(URI.create("http://localhost:" + port));
            assertThat(isOpen(port)).isTrue();
            assertThat(context.getBean(LockManager.class).tryAcquire("job")).isPresent();

            context.getSourceApplicationContext(ConfigurableApplicationContext.class)
                    .close();

            assertThat(isOpen(port)).isFalse();
        });
    }

    @Test
    void takesTheLocksEvenIfTheApplicationHasAClient() {
        FaultyHttpClient http = TestClients.http();
        contexts.withBean(software.amazon.awssdk.services.dynamodb.DynamoDbClient.class, () -> TestClients.client(http))
                .run(context -> {
                    assertThat(context.getBean(LockManager.class).tryAcquire("job"))
                            .isPresent();
                    assertThat(http.attempts()).isEmpty();
                });
    }

    @Test
    void saysIfItsPortIsTaken() throws IOException {
        try (ServerSocket taken = new ServerSocket(0)) {
            assertThatIllegalStateException()
                    .isThrownBy(() -> EmbeddedDynamoDb.start(taken.getLocalPort()))
                    .withMessageContaining("port " + taken.getLocalPort());
        }
    }

    @Test
    void saysIfItIsNotOnTheClassPath() {
        contexts.withClassLoader(new FilteredClassLoader("software.amazon.dynamodb"))
                .run(context -> assertThat(StartFailure.of(context, InvalidLockPropertyException.class)
                                .getMessage())
                        .contains("dynamolock.embedded.enabled")
                        .contains("Add software.amazon.dynamodb:DynamoDBLocal"));
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private static boolean isOpen(int port) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress("localhost", port), 1_000);
            return true;
        } catch (IOException closed) {
            return false;
        }
    }
}
