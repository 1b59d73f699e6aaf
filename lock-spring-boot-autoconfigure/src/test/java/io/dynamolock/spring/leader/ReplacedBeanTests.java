/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.leader;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.spring.OnlyOnLeader;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.test.context.bean.override.convention.TestBean;

/** A bean with leader-only methods that a test replaces, as {@code @MockitoBean} does, has no proxy. */
@SpringBootTest(
        classes = ReplacedBeanTests.Shop.class,
        properties = {"dynamolock.store=memory", "dynamolock.leader.name=shop"})
class ReplacedBeanTests {

    @TestBean
    @SuppressWarnings("NullAway.Init") // set by Spring
    private Report report;

    @Autowired
    private Shop shop;

    static Report report() {
        return new Stub();
    }

    @Test
    void startsItsContext() {
        assertThat(shop.report).isSameAs(report).isInstanceOf(Stub.class);
        report.send();
        assertThat(report.sent).hasValue(0);
    }

    static class Report {

        final AtomicInteger sent = new AtomicInteger();

        @OnlyOnLeader
        public void send() {
            sent.incrementAndGet();
        }
    }

    /** Like the class of a mock. */
    static class Stub extends Report {

        @Override
        public void send() {}
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Shop {

        @Autowired
        private Report report;

        @Bean
        static Report report() {
            return new Report();
        }
    }
}
