/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.webmvc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.dynamolock.Lease;
import io.dynamolock.LockManager;
import io.dynamolock.LockRequest;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Shutdown of a web application during a request under a lock, while a rival waits for that lock. */
class GracefulShutdownTests {

    private static final Logger LOG = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);

    private final ListAppender<ILoggingEvent> logged = new ListAppender<>();

    @AfterEach
    void stopListening() {
        LOG.detachAppender(logged);
    }

    @Test
    void finishesTheRequestAndHandsItsLockOver() throws Exception {
        try (Running rival = Running.start(WebMvcApplication.class, SharedDynamoDb.ENDPOINT)) {
            LockManager rivals = rival.application().getBean(LockManager.class);
            Running web = Running.start(WebMvcApplication.class, SharedDynamoDb.ENDPOINT, "--server.shutdown=graceful");
            LockManager locks = web.application().getBean(LockManager.class);

            CompletableFuture<HttpResponse<String>> shipping = web.sending("POST", "/orders/7?time=PT1H");
            Awaitility.await().until(() -> locks.held().count() == 1);
            CompletableFuture<Optional<Lease>> taken =
                    rivals.tryAcquireAsync(LockRequest.of("order-7").waitTime(Duration.ofMinutes(5)));
            logged.start();
            LOG.addAppender(logged);
            CompletableFuture<Void> stopping = CompletableFuture.runAsync(web::close);

            Awaitility.await()
                    .untilAsserted(() -> assertThatExceptionOfType(IOException.class)
                            .isThrownBy(() -> web.send("POST", "/orders/8")));
            assertThat(shipping.isDone()).isFalse();
            assertThat(locks.held()).hasSize(1);
            web.ship();
            HttpResponse<String> shipped = shipping.get(60, TimeUnit.SECONDS);
            Optional<Lease> handedOver = taken.get(60, TimeUnit.SECONDS);
            stopping.get(60, TimeUnit.SECONDS);

            assertThat(shipped.statusCode()).isEqualTo(200);
            assertThat(handedOver).isPresent();
            assertThatIllegalStateException()
                    .isThrownBy(() -> locks.tryAcquire("order-9"))
                    .withMessageContaining("closed");
            assertThat(List.copyOf(logged.list))
                    .noneMatch(event -> event.getThrowableProxy() != null
                            || event.getFormattedMessage().contains("Exception"));
            handedOver.get().release();
        }
    }
}
