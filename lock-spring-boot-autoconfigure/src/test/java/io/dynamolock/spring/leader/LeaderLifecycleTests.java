/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.leader;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.spring.Locking;
import io.dynamolock.spring.OnlyOnLeader;
import io.dynamolock.spring.StartFailure;
import io.dynamolock.spring.boot.DynamolockLeaderAutoConfiguration;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Init and destroy methods would run on each process. */
class LeaderLifecycleTests {

    private final ApplicationContextRunner contexts = Locking.inMemory()
            .withConfiguration(AutoConfigurations.of(DynamolockLeaderAutoConfiguration.class))
            .withPropertyValues("dynamolock.leader.name=reporter");

    @ParameterizedTest
    @ValueSource(classes = {Initialized.class, PreDestroyed.class, Destroyed.class, Closed.class, Overridden.class})
    void ofAnnotatedBeanFailTheStartup(Class<?> type) {
        contexts.withBean(type)
                .run(context -> assertThat(StartFailure.of(context, InvalidOnlyOnLeaderException.class))
                        .hasMessageContaining("@OnlyOnLeader on " + type.getName() + ".")
                        .hasMessageContaining("Spring calls an injection, init or destroy method on the bean itself")
                        .hasMessageContaining("@EventListener(LeadershipEvent.Granted.class)"));
    }

    static class Initialized implements InitializingBean {

        @Override
        @OnlyOnLeader
        public void afterPropertiesSet() {}
    }

    static class PreDestroyed {

        @PreDestroy
        @OnlyOnLeader
        public void end() {}
    }

    static class Destroyed implements DisposableBean {

        @Override
        @OnlyOnLeader
        public void destroy() {}
    }

    static class Closed implements AutoCloseable {

        @Override
        @OnlyOnLeader
        public void close() {}
    }

    abstract static class Template {

        @PostConstruct
        public void begin() {}
    }

    static class Overridden extends Template {

        @Override
        @OnlyOnLeader
        public void begin() {}
    }
}
