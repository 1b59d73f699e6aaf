/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.cli;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** An endpoint that passes all requests on to DynamoDB Local, records their operations, and can stop responding. */
final class Proxy implements AutoCloseable {

    private static final Set<String> OF_ONE_CONNECTION =
            Set.of("connection", "content-length", "host", "expect", "upgrade");

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final HttpClient client = HttpClient.newHttpClient();
    private final HttpServer server;
    private final List<String> operations = new CopyOnWriteArrayList<>();
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile boolean silent;
    private volatile String withheld = "";

    Proxy() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
    }

    URI endpoint() {
        return URI.create("http://localhost:" + server.getAddress().getPort());
    }

    /** Accepts requests from now on, but does not respond. */
    void silence() {
        silent = true;
    }

    /** Passes requests on from now on, but not the responses to those of one operation. */
    void withholdResponsesTo(String operation) {
        withheld = operation;
    }

    List<String> operations() {
        return operations;
    }

    /** The IAM actions of all requests. */
    Set<String> actions() {
        Set<String> actions = new TreeSet<>();
        operations.forEach(operation -> actions.add("dynamodb:" + operation));
        return actions;
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            String operation =
                    exchange.getRequestHeaders().getFirst("X-Amz-Target").replaceFirst(".*\\.", "");
            operations.add(operation);
            if (silent) {
                closed.await();
                return;
            }
            HttpResponse<byte[]> response = client.send(request(exchange), BodyHandlers.ofByteArray());
            if (operation.equals(withheld)) {
                closed.await();
                return;
            }
            response.headers().map().forEach((name, values) -> {
                if (!OF_ONE_CONNECTION.contains(name.toLowerCase(Locale.ROOT))) {
                    exchange.getResponseHeaders().put(name, new ArrayList<>(values));
                }
            });
            exchange.sendResponseHeaders(response.statusCode(), response.body().length);
            try (OutputStream body = exchange.getResponseBody()) {
                body.write(response.body());
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private static HttpRequest request(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readAllBytes();
        HttpRequest.Builder request =
                HttpRequest.newBuilder(TestTable.endpoint()).POST(BodyPublishers.ofByteArray(body));
        exchange.getRequestHeaders().forEach((name, values) -> {
            if (!OF_ONE_CONNECTION.contains(name.toLowerCase(Locale.ROOT))) {
                values.forEach(value -> request.header(name, value));
            }
        });
        return request.build();
    }

    @Override
    public void close() {
        closed.countDown();
        server.stop(0);
        threads.shutdownNow();
    }
}
