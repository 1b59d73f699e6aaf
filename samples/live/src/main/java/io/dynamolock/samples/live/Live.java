/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.live;

import io.dynamolock.samples.localdynamodb.LocalDynamoDbProcess;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.scheduling.annotation.EnableScheduling;

/** Launcher: starts DynamoDB Local and the processes, and serves the page. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
@EnableScheduling
@Import(Page.class)
public class Live {

    private static final String USAGE = "Usage: live [--server.port=8090] [--PROPERTY=VALUE]...";
    private static final int PROCESSES = 3;
    private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1");

    /** Created by Spring. */
    Live() {}

    /**
     * Starts the launcher.
     *
     * @param args properties, such as {@code --server.port=8090}
     * @throws IOException if a process cannot be started
     */
    public static void main(String[] args) throws IOException {
        if (!Stream.of(args).allMatch(arg -> arg.matches("--[^=]+=.*"))) {
            System.out.println(USAGE);
            System.exit(List.of(args).equals(List.of("--help")) ? 0 : 2);
        }
        ConfigurableApplicationContext live = start(PROCESSES, args);
        System.out.println("Open http://localhost:" + port(live) + " in a browser. Ctrl-C ends all processes.");
    }

    static ConfigurableApplicationContext start(int count, String... args) throws IOException {
        LocalDynamoDbProcess dynamoDb = LocalDynamoDbProcess.start();
        SpringApplication application = new SpringApplication(Live.class);
        application.addInitializers(context ->
                ((GenericApplicationContext) context).registerBean(LocalDynamoDbProcess.class, () -> dynamoDb));
        String endpoint = "--dynamolock.client.endpoint=" + dynamoDb.endpoint();
        ConfigurableApplicationContext live = application.run(
                Stream.concat(Stream.of(endpoint), Stream.of(args)).toArray(String[]::new));
        for (int i = 0; i < count; i++) {
            live.getBean(Processes.class).start();
        }
        return live;
    }

    static int port(ConfigurableApplicationContext live) {
        return live.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
    }

    @Bean
    Processes processes(LocalDynamoDbProcess dynamoDb) {
        return new Processes(dynamoDb.endpoint());
    }

    /** Refuses requests that another web page has sent, or that reached this one by another name. */
    @Bean
    Filter onlyThisPage() {
        return (request, response, chain) -> {
            HttpServletRequest http = (HttpServletRequest) request;
            String origin = http.getHeader("Origin");
            boolean own = origin == null || origin.equals("http://" + http.getHeader("Host"));
            if (own && LOOPBACK.contains(http.getServerName())) {
                chain.doFilter(request, response);
            } else {
                ((HttpServletResponse) response).sendError(HttpServletResponse.SC_FORBIDDEN);
            }
        };
    }
}
