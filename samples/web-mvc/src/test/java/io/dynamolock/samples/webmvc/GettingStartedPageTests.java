/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.webmvc;

import static org.assertj.core.api.Assertions.assertThat;

import com.example.ShopApplication;
import io.dynamolock.Lease;
import io.dynamolock.LockManager;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The application of the page "Getting started" compiles, and does what the page says. */
class GettingStartedPageTests {

    private static final Path SOURCE = Path.of("src/test/java/com/example/ShopApplication.java");
    private static final Pattern SHOWN = Pattern.compile("```java\\R(package com\\.example;.*?)```", Pattern.DOTALL);

    @Test
    void pageShowsTheApplication() throws Exception {
        Matcher shown =
                SHOWN.matcher(Files.readString(Path.of("../../lock-spring-boot-starter/docs/getting-started.md")));

        assertThat(shown.find()).isTrue();
        assertThat(Files.readString(SOURCE)).endsWith(shown.group(1));
    }

    @Test
    void applicationLocks() throws Exception {
        try (Running shop = Running.start(ShopApplication.class, "--dynamolock.store=memory")) {
            LockManager locks = shop.application().getBean(LockManager.class);
            HttpResponse<String> shipped = shop.send("POST", "/orders/7");
            HttpResponse<String> imported = shop.send("POST", "/catalog");

            try (Lease order = locks.acquire("order-7");
                    Lease catalog = locks.acquire("catalog")) {
                assertThat(order.isHeld() && catalog.isHeld()).isTrue();
                assertThat(shop.send("POST", "/orders/7").statusCode()).isEqualTo(409);
                assertThat(shop.send("POST", "/catalog").body()).isEqualTo("another instance imports it");
            }
            assertThat(shipped.body()).startsWith("order 7 shipped under token ");
            assertThat(imported.body()).isEqualTo("imported");
        }
    }
}
