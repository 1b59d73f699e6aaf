/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** A proxy between clients and DynamoDB Local that never responds to requests containing a text. */
final class StallingFront implements AutoCloseable {

    private static final Set<String> PER_CONNECTION =
            Set.of("connection", "content-length", "expect", "host", "transfer-encoding", "upgrade");

    private final String stalls;
    private final HttpServer server;
    private final HttpClient onwards =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final CountDownLatch over = new CountDownLatch(1);
    private final AtomicInteger stalled = new AtomicInteger();

    private StallingFront(String stalls, HttpServer server) {
        this.stalls = stalls;
        this.server = server;
    }

    /** Starts a proxy that never responds to requests containing this text. */
    static StallingFront forRequestsWith(String text) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        StallingFront front = new StallingFront(text, server);
        server.createContext("/", front::handle);
        server.setExecutor(front.threads);
        server.start();
        return front;
    }

    URI endpoint() {
        return URI.create("http://localhost:" + server.getAddress().getPort());
    }

    /** Returns the number of requests without a response. */
    int stalled() {
        return stalled.get();
    }

    /** Forwards all further requests. */
    void heal() {
        over.countDown();
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] body = exchange.getRequestBody().readAllBytes();
            if (over.getCount() > 0 && new String(body, UTF_8).contains(stalls)) {
                stalled.incrementAndGet();
                over.await();
            } else {
                forward(exchange, body);
            }
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }

    private void forward(HttpExchange exchange, byte[] body) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        LocalDynamoDb.endpoint().resolve("/"))
                .POST(HttpRequest.BodyPublishers.ofByteArray(body));
        exchange.getRequestHeaders().forEach((name, values) -> {
            if (!isPerConnection(name)) {
                values.forEach(value -> request.header(name, value));
            }
        });
        HttpResponse<byte[]> response = onwards.send(request.build(), BodyHandlers.ofByteArray());
        Headers headers = exchange.getResponseHeaders();
        response.headers().map().forEach((name, values) -> {
            if (!isPerConnection(name)) {
                headers.put(name, values);
            }
        });
        exchange.sendResponseHeaders(response.statusCode(), response.body().length);
        exchange.getResponseBody().write(response.body());
    }

    private static boolean isPerConnection(String header) {
        return PER_CONNECTION.contains(header.toLowerCase(Locale.ROOT));
    }

    @Override
    public void close() {
        over.countDown();
        server.stop(0);
        threads.shutdownNow();
    }
}
