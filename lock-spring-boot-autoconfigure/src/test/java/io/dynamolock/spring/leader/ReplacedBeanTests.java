/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.leader;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.spring.Leadership;
import io.dynamolock.spring.Locking;
import io.dynamolock.spring.OnlyOnLeader;
import io.dynamolock.spring.ReplacedBeans;
import io.dynamolock.spring.StartFailure;
import io.dynamolock.spring.boot.DynamolockLeaderAutoConfiguration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.stereotype.Component;
import org.springframework.test.context.bean.override.convention.TestBean;

/** A bean with leader-only methods that a test replaces, as {@code @MockitoBean} does, has no proxy. */
@SpringBootTest(
        classes = ReplacedBeanTests.Shop.class,
        properties = {"dynamolock.store=memory", "dynamolock.leader.name=shop"})
class ReplacedBeanTests {

    /** The bean of Spring that is present in this test, too. */
    private static final String OVERRIDES =
            "org.springframework.test.context.bean.override.internalBeanOverrideRegistry";

    @TestBean
    @SuppressWarnings("NullAway.Init") // set by Spring
    private Report report;

    @TestBean
    @SuppressWarnings("NullAway.Init") // set by Spring
    private Mail mail;

    @Autowired
    private Shop shop;

    static Report report() {
        return new Stub();
    }

    static Mail mail() {
        return new Mail();
    }

    @Test
    void startsItsContext() {
        assertThat(shop.report).isSameAs(report).isInstanceOf(Stub.class);
        assertThat(shop.mail).isSameAs(mail);
        report.send();
        assertThat(report.sent).hasValue(0);
    }

    @Test
    void beanThatLosesItsProxyFailsTheStartupOfTheTest() {
        Locking.inMemory()
                .withConfiguration(AutoConfigurations.of(DynamolockLeaderAutoConfiguration.class))
                .withBean(Leadership.class, Follower::new)
                .withBean(OVERRIDES, Object.class, Object::new)
                .withBean(Mail.class)
                .withBean(ReplacedBeans.Late.class, () -> ReplacedBeans.Late.unwrapping(Mail.class))
                .run(context -> assertThat(StartFailure.of(context, InvalidOnlyOnLeaderException.class))
                        .hasMessageContaining("Mail.send: bean"));
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

    /** Its bean definition is of another kind than those of {@code @Bean} methods. */
    @Component
    static class Mail {

        @OnlyOnLeader
        public void send() {}
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(Mail.class)
    static class Shop {

        @Autowired
        private Report report;

        @Autowired
        private Mail mail;

        @Bean
        static Report report() {
            return new Report();
        }
    }
}
