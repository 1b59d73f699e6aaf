/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.dynamolock.LockManager;
import io.dynamolock.LockStore;
import io.dynamolock.LockStoreException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** A client that the library creates has a connection for each concurrent request of its managers. */
class ConnectionsTests {

    private static final int SHARED = 66 + 27;

    /** Connections that a starved server has not accepted yet. The default is 50; more would wait for a retransmission. */
    private static final int BACKLOG = 2 * SHARED;

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final CountDownLatch end = new CountDownLatch(1);
    private volatile CountDownLatch underWay = new CountDownLatch(0);
    private volatile boolean holding;
    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), BACKLOG);
        server.setExecutor(threads);
        server.createContext("/", this::response);
        server.start();
    }

    @AfterEach
    void stop() {
        end.countDown();
        server.stop(0);
        threads.shutdownNow();
    }

    /** Responds like a table without any locks. Requests that are held get no response before the end of the test. */
    private void response(HttpExchange exchange) throws IOException {
        if (holding) {
            underWay.countDown();
            try {
                end.await();
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            }
        }
        exchange.getResponseHeaders().add("Content-Type", "application/x-amz-json-1.0");
        exchange.getResponseHeaders().add("x-amzn-RequestId", "1");
        exchange.sendResponseHeaders(200, 2);
        exchange.getResponseBody().write(new byte[] {'{', '}'});
        exchange.close();
    }

    private ApplicationContextRunner contexts() {
        return TestClients.contexts()
                .withPropertyValues(
                        "dynamolock.client.endpoint=http://localhost:"
                                + server.getAddress().getPort(),
                        "dynamolock.client.region=eu-west-1",
                        "dynamolock.client.access-key=local",
                        "dynamolock.client.secret-key=secret",
                        "dynamolock.table.initialization=none",
                        "dynamolock.heartbeat.threads=40",
                        "dynamolock.managers.billing.heartbeat.threads=1",
                        "dynamolock.managers.abroad.client.region=eu-west-3",
                        "dynamolock.managers.local.store=memory");
    }

    @Test
    void ofAllManagersThatShareAClientAddUp() {
        contexts()
                .run(context -> assertThat(context.getBean(NamedManagers.class)
                                .connectionsWith(
                                        ManagerProperties.ofDefault(context.getBean(DynamolockProperties.class))))
                        .isEqualTo(SHARED));
    }

    @Test
    void areThereForAllRequestsAtOnce() {
        contexts()
                .run(context -> assertThat(atOnce(context.getBean(LockManager.class), SHARED))
                        .isTrue());
    }

    @Test
    void areThoseOfOneManagerForAClientOfItsOwn() {
        contexts()
                .run(context -> assertThat(atOnce(context.getBean("abroad", LockManager.class), 66))
                        .isTrue());
    }

    /** Returns whether that many requests are pending concurrently. */
    private boolean atOnce(LockManager manager, int requests) throws InterruptedException {
        LockStore store = manager.diagnostics().orElseThrow().store();
        underWay = new CountDownLatch(requests);
        holding = true;
        for (int i = 0; i < requests; i++) {
            threads.execute(() -> read(store));
        }
        boolean all = underWay.await(60, TimeUnit.SECONDS);
        end.countDown();
        return all;
    }

    /** A connection that is not made in time, as on a starved machine, is tried again. */
    private void read(LockStore store) {
        while (end.getCount() > 0) {
            try {
                store.read("job", false, Duration.ofMinutes(2));
            } catch (LockStoreException unconnectedOrEnded) {
                // It is tried again, unless the test has ended
            }
        }
    }
}
