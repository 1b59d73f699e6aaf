/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.webmvc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.dynamolock.Lease;
import io.dynamolock.LockManager;
import io.dynamolock.LockRequest;
import io.dynamolock.spring.embedded.EmbeddedDynamoDb;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** A web application that stops while a request works under a lock, and a rival that waits for the same lock. */
@ExtendWith(OutputCaptureExtension.class)
class GracefulShutdownTests {

    /** The longest time between two looks of a waiter, and what a busy machine may add to it. */
    private static final Duration POLL_MAX = Duration.ofSeconds(1);

    private static final Duration ALLOWANCE = Duration.ofMillis(500);

    @Test
    void finishesTheRequestAndHandsItsLockOver(CapturedOutput output) throws Exception {
        try (Running rival = Running.start(WebMvcApplication.class)) {
            LockManager rivals = rival.application().getBean(LockManager.class);
            Running web = Running.start(
                    WebMvcApplication.class,
                    "--server.shutdown=graceful",
                    "--dynamolock.embedded.enabled=false",
                    "--dynamolock.client.endpoint="
                            + rival.application()
                                    .getBean(EmbeddedDynamoDb.class)
                                    .endpoint());
            LockManager locks = web.application().getBean(LockManager.class);

            CompletableFuture<HttpResponse<String>> shipping = web.sending("POST", "/orders/7?time=PT3S");
            Awaitility.await().until(() -> locks.held().count() == 1);
            CompletableFuture<Optional<Lease>> taken =
                    rivals.tryAcquireAsync(LockRequest.of("order-7").waitTime(Duration.ofMinutes(1)));
            int before = output.getOut().length();
            CompletableFuture<Void> stopping = CompletableFuture.runAsync(web::close);

            Awaitility.await()
                    .untilAsserted(() -> assertThatExceptionOfType(IOException.class)
                            .isThrownBy(() -> web.send("POST", "/orders/8")));
            assertThat(shipping.isDone()).isFalse();
            assertThat(locks.held()).hasSize(1);
            HttpResponse<String> shipped = shipping.join();
            long done = System.nanoTime();
            Optional<Lease> handedOver = taken.get(10, TimeUnit.SECONDS);
            assertThat(handedOver).isPresent();
            assertThat(Duration.ofNanos(System.nanoTime() - done)).isLessThan(POLL_MAX.plus(ALLOWANCE));
            stopping.join();

            assertThat(shipped.statusCode()).isEqualTo(200);
            assertThatIllegalStateException()
                    .isThrownBy(() -> locks.tryAcquire("order-9"))
                    .withMessageContaining("closed");
            assertThat(output.getOut().substring(before)).doesNotContain("\tat ", "Exception");
            handedOver.get().release();
        }
    }
}
