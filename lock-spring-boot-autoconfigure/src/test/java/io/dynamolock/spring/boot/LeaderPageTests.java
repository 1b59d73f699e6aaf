/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.spring.Docs;
import io.dynamolock.spring.Leadership;
import io.dynamolock.spring.Locking;
import io.dynamolock.spring.OnlyOnLeader;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.scheduling.annotation.Scheduled;

/** The code for a leader in configuration.md is the code in this class. */
class LeaderPageTests {

    @Test
    void pageShowsTheCodeThatIsRunHere() {
        String page = Docs.page("configuration.md");
        String section = page.substring(page.indexOf("## One leader"), page.indexOf("## Replacing beans"));

        Docs.assertCodeIsThatOf(LeaderPageTests.class, section, 1);
    }

    @Test
    void codeOfThePageWorks() {
        Locking.inMemory()
                .withConfiguration(AutoConfigurations.of(DynamolockLeaderAutoConfiguration.class))
                .withPropertyValues("dynamolock.leader.name=reporter")
                .withBean(Shop.class)
                .run(context -> {
                    Awaitility.await().until(context.getBean(Leadership.class)::isLeader);
                    context.getBean(Shop.class).poll();

                    assertThat(context.getBean(Shop.class).shipped()).containsExactly("7", "8");
                });
    }

    record Order(String id) {}

    static class Orders {

        private final List<String> shipped = new ArrayList<>();

        List<Order> open() {
            return List.of(new Order("7"), new Order("8"));
        }

        void ship(Order order) {
            shipped.add(order.id());
        }
    }

    static class Shop {

        private final Orders orders = new Orders();
        private final Leadership leadership;

        Shop(Leadership leadership) {
            this.leadership = leadership;
        }

        List<String> shipped() {
            return orders.shipped;
        }

        @Scheduled(fixedDelay = 1, timeUnit = TimeUnit.MINUTES)
        @OnlyOnLeader
        public void poll() {
            for (Order order : orders.open()) {
                if (leadership.isLeader()) { // before each step of a long method
                    orders.ship(order);
                }
            }
        }
    }
}
