/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.webmvc;

import static org.assertj.core.api.Assertions.assertThat;

import com.jayway.jsonpath.JsonPath;
import java.net.http.HttpResponse;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Metrics, health and locks over HTTP. */
class WebMvcApplicationTests {

    private static Running web;

    @BeforeAll
    static void start() {
        web = Running.start(WebMvcApplication.class, SharedDynamoDb.ENDPOINT);
    }

    @AfterAll
    static void stop() {
        web.close();
    }

    @Test
    void countsInPrometheus() throws Exception {
        assertThat(web.send("POST", "/orders/1").body()).startsWith("shipped under token");

        assertThat(web.get("/actuator/prometheus"))
                .containsPattern(
                        "dynamolock_acquire_seconds_count\\{manager=\"dynamolockManager\",outcome=\"acquired\"} [1-9]")
                .containsPattern(
                        "dynamolock_requests_total\\{manager=\"dynamolockManager\",operation=\"release\",outcome=\"ok\"} [1-9]")
                .containsPattern("dynamolock_lock_seconds_count\\{error=\"none\",manager=\"dynamolockManager\","
                        + "outcome=\"acquired\",template=\"order-#\\{#id}\"} [1-9]")
                .containsPattern("dynamolock_lock_released_total\\{.*} [1-9]")
                .containsPattern("dynamolock_clock_width_seconds\\{.*} [0-9.]+")
                .doesNotContain("order-1");
    }

    @Test
    void showsItsHealth() throws Exception {
        Awaitility.await().untilAsserted(() -> {
            String health = web.get("/actuator/health");
            assertThat(JsonPath.<String>read(health, "$.status")).isEqualTo("UP");
            assertThat(JsonPath.<String>read(health, "$.components.dynamolock.status"))
                    .isEqualTo("UP");
            assertThat(JsonPath.<String>read(health, "$.components.dynamolock.details.table"))
                    .isEqualTo("dynamolock");
            assertThat(JsonPath.<String>read(health, "$.components.dynamolock.details.billing"))
                    .isEqualTo("PAY_PER_REQUEST");
            assertThat(JsonPath.<String>read(health, "$.components.dynamolock.details.ttl"))
                    .isEqualTo("ENABLED");
        });
    }

    @Test
    void showsWhatIsHeldButLetsNobodyRelease() throws Exception {
        CompletableFuture<HttpResponse<String>> shipping = web.sending("POST", "/orders/2?time=PT1H");
        Awaitility.await()
                .untilAsserted(
                        () -> assertThat(web.get("/actuator/distributedlocks")).contains("order-2"));

        String held = web.get("/actuator/distributedlocks");
        String row = web.get("/actuator/distributedlocks/order-2");
        HttpResponse<String> busy = web.send("POST", "/orders/2");

        assertThat(JsonPath.<String>read(held, "$.managers.dynamolockManager[0].state"))
                .isEqualTo("HELD");
        assertThat(JsonPath.<String>read(held, "$.managers.dynamolockManager[0].age"))
                .startsWith("PT");
        assertThat(JsonPath.<String>read(row, "$.owner")).isNotBlank();
        assertThat(JsonPath.<Long>read(row, "$.fencingToken")).isPositive();
        assertThat(JsonPath.<String>read(held, "$.managers.dynamolockManager[0].leaseId"))
                .isNull();
        assertThat(JsonPath.<String>read(row, "$.leaseId")).isNull();
        assertThat(busy.statusCode()).isEqualTo(409);
        assertThat(web.send("DELETE", "/actuator/distributedlocks/order-2?leaseId=x")
                        .statusCode())
                .isEqualTo(405);
        web.ship();
        assertThat(shipping.get(60, TimeUnit.SECONDS).statusCode()).isEqualTo(200);
        assertThat(web.get("/actuator/distributedlocks/order-2")).contains("\"state\":\"FREE\"");
    }
}
