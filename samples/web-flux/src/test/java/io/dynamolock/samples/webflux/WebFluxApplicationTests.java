/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.webflux;

import static org.assertj.core.api.Assertions.assertThat;

import com.jayway.jsonpath.JsonPath;
import java.net.http.HttpResponse;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Reading and releasing locks over HTTP. */
class WebFluxApplicationTests {

    private static Running web;

    @BeforeAll
    static void start() {
        web = Running.start(WebFluxApplication.class);
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
                .containsPattern("dynamolock_lock_seconds_count\\{.*template=\"order-#\\{#id}\"} [1-9]")
                .doesNotContain("order-1");
    }

    @Test
    void showsItsHealth() throws Exception {
        String health = web.get("/actuator/health");

        assertThat(JsonPath.<String>read(health, "$.components.dynamolock.status"))
                .isEqualTo("UP");
        assertThat(JsonPath.<String>read(health, "$.components.dynamolock.details.store"))
                .startsWith("memory");
        assertThat(JsonPath.<String>read(health, "$.components.dynamolock.details.heartbeatLag"))
                .startsWith("PT");
    }

    @Test
    void showsWhatIsHeldAndReleasesItForAnOperator() throws Exception {
        CompletableFuture<HttpResponse<String>> shipping = web.sending("POST", "/orders/2?time=PT1H");
        Awaitility.await()
                .untilAsserted(
                        () -> assertThat(web.get("/actuator/distributedlocks")).contains("order-2"));
        assertThat(web.send("POST", "/orders/2").statusCode()).isEqualTo(409);

        String leaseId = JsonPath.read(web.get("/actuator/distributedlocks/order-2"), "$.leaseId");
        String one = "/actuator/distributedlocks/order-2";
        assertThat(web.send("DELETE", one).statusCode()).isEqualTo(400);
        assertThat(web.send("DELETE", one + "?leaseId=" + leaseId + "&manager=none")
                        .statusCode())
                .isEqualTo(400);
        assertThat(web.send("DELETE", one + "?leaseId=another").body()).contains("\"released\":false");
        assertThat(web.send("DELETE", one + "?leaseId=" + leaseId).body()).contains("\"released\":true");

        assertThat(web.get(one)).contains("\"state\":\"FREE\"");
        web.ship();
        shipping.get(60, TimeUnit.SECONDS);
    }

    @Test
    void takesNamesWithSlashesAndResponsesForUnknownManagers() throws Exception {
        assertThat(JsonPath.<String>read(web.get("/actuator/distributedlocks/a/b"), "$.name"))
                .isEqualTo("a/b");
        assertThat(web.send("GET", "/actuator/distributedlocks/a?manager=none").statusCode())
                .isEqualTo(400);
    }
}
