/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.webmvc;

import static org.assertj.core.api.Assertions.assertThat;

import com.jayway.jsonpath.JsonPath;
import io.dynamolock.LockManager;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Releasing locks over HTTP. */
class OperatorTests {

    private static final String LOCKS = "/actuator/distributedlocks";

    /** Control characters, line separators, changes of direction. */
    private static final String TRICKS = "\u001b\n\r\u0085\u2028\u2029\u202e\u2066\u200e\u200f\u061c";

    private static Running web;
    private static LockManager locks;

    @BeforeAll
    static void start() {
        web = Running.start(
                WebMvcApplication.class,
                "--dynamolock.store=memory",
                "--dynamolock.shutdown.grace-period=0s",
                "--management.endpoint.distributedlocks.access=unrestricted",
                "--spring.web.error.include-message=always");
        locks = web.application().getBean(LockManager.class);
    }

    @AfterAll
    static void stop() {
        web.close();
    }

    @Test
    void readsALockThatAPathCannotName() throws Exception {
        locks.acquire("a//b;c");

        String byPath = web.get(LOCKS + "/a//b;c");
        String byName = web.get(LOCKS + "?name=a//b;c");

        assertThat(JsonPath.<String>read(byPath, "$.state")).isEqualTo("FREE");
        assertThat(JsonPath.<String>read(byName, "$.name")).isEqualTo("a//b;c");
        assertThat(JsonPath.<String>read(byName, "$.state")).isEqualTo("HELD");
    }

    @Test
    void freesALockWhateverItsRowSays() throws Exception {
        locks.acquire("/lead/");

        HttpResponse<String> freed = web.send("DELETE", LOCKS + "?name=/lead/&anyway=true");

        assertThat(JsonPath.<Boolean>read(freed.body(), "$.released")).isTrue();
        assertThat(JsonPath.<String>read(freed.body(), "$.was.state")).isEqualTo("HELD");
        assertThat(web.get(LOCKS + "?name=/lead/")).contains("\"state\":\"FREE\"");
    }

    @Test
    void releasesWithTheLeaseIdInTheBody() throws Exception {
        String leaseId = locks.acquire("job").id();

        HttpResponse<String> released = post("{\"name\": \"job\", \"leaseId\": \"%s\"}".formatted(leaseId));

        assertThat(released.statusCode()).isEqualTo(200);
        assertThat(JsonPath.<Boolean>read(released.body(), "$.released")).isTrue();
        assertThat(web.get(LOCKS + "/job")).contains("\"state\":\"FREE\"");
    }

    @Test
    void responsesMistakesWithBadRequest() throws Exception {
        assertThat(web.send("GET", LOCKS + "?name=a%0Ab").statusCode()).isEqualTo(400);
        assertThat(web.send("GET", LOCKS + "?name=" + "x".repeat(2_049)).statusCode())
                .isEqualTo(400);
        assertThat(web.send("DELETE", LOCKS + "?name=job").statusCode()).isEqualTo(400);
        assertThat(web.send("DELETE", LOCKS + "?anyway=true").statusCode()).isEqualTo(400);
        assertThat(post("{\"name\": \" \", \"anyway\": true}").statusCode()).isEqualTo(400);
    }

    @Test
    void repeatsNoTricksOfARequest() throws Exception {
        String tricks = URLEncoder.encode("a" + TRICKS + "b", StandardCharsets.UTF_8);
        String escaped = TRICKS.chars().mapToObj("\\u%04x"::formatted).collect(Collectors.joining("", "a", "b"));

        for (HttpResponse<String> rejected : List.of(
                web.send("GET", LOCKS + "?name=" + tricks),
                web.send("GET", LOCKS + "?manager=" + tricks),
                web.send("DELETE", LOCKS + "?name=" + tricks + "&anyway=true"),
                web.send("DELETE", LOCKS + "?name=job&anyway=" + tricks),
                web.send("DELETE", LOCKS + "/" + tricks + "?leaseId=x"),
                post("{\"name\": \"%s\", \"anyway\": true}".formatted(escaped)),
                post("{\"name\": \"job\", \"anyway\": \"%s\"}".formatted(escaped)),
                post("{\"name\": \"job\", \"leaseId\": \"%s\", \"anyway\": true}".formatted(escaped)),
                post("{\"name\": \"job\", \"anyway\": true, \"manager\": \"%s\"}".formatted(escaped)))) {
            assertThat(rejected.statusCode()).as(rejected.body()).isEqualTo(400);
            assertThat(rejected.body() + JsonPath.<Object>read(rejected.body(), "$.message"))
                    .doesNotContain(TRICKS.split(""));
        }
    }

    private static HttpResponse<String> post(String json) throws Exception {
        String port = web.application().getEnvironment().getProperty("local.server.port");
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://localhost:" + port + LOCKS))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(json))
                .build();
        return HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
    }
}
