/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.webflux;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/** The running application, with {@link GatedOrders}, and a client of it. */
record Running(ConfigurableApplicationContext application) implements AutoCloseable {

    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    static Running start(Class<?> application, String... properties) {
        String[] args = Stream.concat(Stream.of("--server.port=0"), Arrays.stream(properties))
                .toArray(String[]::new);
        return new Running(SpringApplication.run(new Class<?>[] {application, GatedOrders.class}, args));
    }

    /** Completes orders that take time. */
    void ship() {
        application.getBean(GatedOrders.class).open();
    }

    String get(String path) throws IOException, InterruptedException {
        return send("GET", path).body();
    }

    HttpResponse<String> send(String method, String path) throws IOException, InterruptedException {
        return CLIENT.send(request(method, path), BodyHandlers.ofString());
    }

    CompletableFuture<HttpResponse<String>> sending(String method, String path) {
        return CLIENT.sendAsync(request(method, path), BodyHandlers.ofString());
    }

    private HttpRequest request(String method, String path) {
        String port = application.getEnvironment().getProperty("local.server.port");
        return HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
                .method(method, BodyPublishers.noBody())
                .build();
    }

    @Override
    public void close() {
        application.close();
    }
}
