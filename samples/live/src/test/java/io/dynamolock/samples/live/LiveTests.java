/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.jayway.jsonpath.JsonPath;
import io.dynamolock.samples.localdynamodb.ChildJvm;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.springframework.context.ConfigurableApplicationContext;

/** The launcher and its processes, without a browser. */
@Timeout(120)
class LiveTests {

    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private static ConfigurableApplicationContext live;

    @BeforeAll
    static void start() throws Exception {
        live = Live.start(1, "--server.port=0");
    }

    @AfterAll
    static void close() {
        List<ProcessHandle> children = ProcessHandle.current().children().toList();

        live.close();

        assertThat(children).hasSizeGreaterThanOrEqualTo(2).noneMatch(ProcessHandle::isAlive);
    }

    @Test
    void streamsWhoHoldsWhatAndWhatHappensToIt() throws Exception {
        awaitState("$.locks[?(@.name == 'report' && @.owner == 'A' && @.remaining > 0)]");
        assertThat(post("/processes/A/wake").statusCode()).isEqualTo(409);
        assertThat(post("/processes/A/kill").statusCode()).isEqualTo(200);
        awaitState("$.processes[?(@.status == 'ENDED')]");
        awaitState("$.events[?(@.kind == 'KILLED' && @.process == 'A')]");
        assertThat(post("/processes/A/start").statusCode()).isEqualTo(200);
        awaitState("$.processes[?(@.status == 'STARTING')]");
    }

    @Test
    void servesAPageThatNeedsNothingElse() throws Exception {
        String page = send(request("/").GET()).body();

        assertThat(page).contains("<title>dynamolock live</title>").doesNotContain("https://", "http://");
    }

    @Test
    void listensOnTheLoopbackInterfaceOnly() throws Exception {
        List<InetAddress> others = NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .filter(address -> !address.isLoopbackAddress())
                .toList();

        assertThat(others)
                .allSatisfy(address -> assertThatThrownBy(() -> new Socket(address, Live.port(live)).close())
                        .isInstanceOf(IOException.class));
    }

    @Test
    void refusesOtherPages() throws Exception {
        HttpResponse<String> forged = send(
                request("/processes").header("Origin", "http://example.com").POST(BodyPublishers.noBody()));
        String rebound;
        try (Socket socket = new Socket("localhost", Live.port(live))) {
            socket.getOutputStream()
                    .write("GET / HTTP/1.0\r\nHost: example.com\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            rebound = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }

        assertThat(forged.statusCode()).isEqualTo(403);
        assertThat(rebound).startsWith("HTTP/1.1 403");
    }

    @Test
    void explainsItselfWhenAnArgumentIsNoProperty() throws Exception {
        BlockingQueue<String> output = new LinkedBlockingQueue<>();
        CompletableFuture<Integer> end = new CompletableFuture<>();

        ChildJvm launcher = ChildJvm.start(List.of(), Live.class, List.of("8091"), output::add, end::complete);
        launcher.join(Duration.ofSeconds(60));

        assertThat(end).isCompletedWithValue(2);
        assertThat(output).singleElement().asString().startsWith("Usage: ");
    }

    @Test
    @Tag("proof")
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "has no SIGSTOP")
    void leavesNoProcessBehindWhenItIsKilled() throws Exception {
        BlockingQueue<String> output = new LinkedBlockingQueue<>();
        try (ChildJvm launcher =
                ChildJvm.start(List.of(), Live.class, List.of("--server.port=0"), output::add, code -> {})) {
            String base = output.take().replaceFirst(".*(http://localhost:\\d+).*", "$1");
            await().atMost(Duration.ofSeconds(30)).until(() -> {
                HttpRequest pause = HttpRequest.newBuilder(URI.create(base + "/processes/B/pause"))
                        .POST(BodyPublishers.noBody())
                        .build();
                return CLIENT.send(pause, BodyHandlers.ofString()).statusCode() == 200;
            });
            List<ProcessHandle> processes =
                    ProcessHandle.of(launcher.pid()).orElseThrow().descendants().toList();

            launcher.kill();

            assertThat(processes).hasSizeGreaterThanOrEqualTo(4);
            await().atMost(Duration.ofSeconds(20))
                    .until(() -> processes.stream().noneMatch(ProcessHandle::isAlive));
        }
    }

    private static void awaitState(String path) throws Exception {
        try (Stream<String> lines = CLIENT.send(request("/events").GET().build(), BodyHandlers.ofLines())
                .body()) {
            assertThat(lines.filter(line -> line.startsWith("data:"))
                            .map(line -> line.substring("data:".length()))
                            .anyMatch(state ->
                                    !JsonPath.<List<?>>read(state, path).isEmpty()))
                    .isTrue();
        }
    }

    private static HttpResponse<String> post(String path) throws Exception {
        return send(request(path).POST(BodyPublishers.noBody()));
    }

    private static HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return CLIENT.send(request.build(), BodyHandlers.ofString());
    }

    private static HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://localhost:" + Live.port(live) + path));
    }
}
