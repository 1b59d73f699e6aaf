/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.BeanUtils;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.test.context.ContextHierarchy;
import org.springframework.test.context.TestContextManager;
import org.springframework.test.context.bean.override.convention.TestBean;

/** Beans of contexts without an advisor, in a hierarchy whose other contexts have one. */
class ContextHierarchyTests {

    @Test
    void beanOfParentIsRefusedIfItsParentHasAnotherOfItsName() {
        new ApplicationContextRunner()
                .withBean("job", Object.class)
                .run(top -> new ApplicationContextRunner()
                        .withParent(top)
                        .withBean("job", Job.class)
                        .run(parent -> Locking.inMemory()
                                .withParent(parent)
                                .run(child -> assertThat(child)
                                        .getFailure()
                                        .hasMessageContaining("bean 'job' has no proxy: it is in a parent context"))));
    }

    /** Spring creates what replaces a bean in each context of the hierarchy. */
    @ParameterizedTest
    @ValueSource(classes = {LockedInChild.class, LockedInParent.class, ForLeaderInChild.class})
    void mockInContextWithoutAdvisorIsAccepted(Class<?> test) {
        assertThatCode(() -> new TestContextManager(test).prepareTestInstance(BeanUtils.instantiateClass(test)))
                .doesNotThrowAnyException();
    }

    @SpringBootTest(properties = {"dynamolock.store=memory", "test=child"})
    @ContextHierarchy({@ContextConfiguration(classes = Plain.class), @ContextConfiguration(classes = Shop.class)})
    @SuppressWarnings({"NullAway.Init", "UnusedVariable"}) // set by Spring
    static class LockedInChild {

        @TestBean
        private Job job;

        static Job job() {
            return new Job();
        }
    }

    @SpringBootTest(properties = {"dynamolock.store=memory", "test=parent"})
    @ContextHierarchy({@ContextConfiguration(classes = Shop.class), @ContextConfiguration(classes = Plain.class)})
    @SuppressWarnings({"NullAway.Init", "UnusedVariable"}) // set by Spring
    static class LockedInParent {

        @TestBean
        private Job job;

        static Job job() {
            return new Job();
        }
    }

    @SpringBootTest(properties = {"dynamolock.store=memory", "dynamolock.leader.name=shop"})
    @ContextHierarchy({@ContextConfiguration(classes = Plain.class), @ContextConfiguration(classes = Shop.class)})
    @SuppressWarnings({"NullAway.Init", "UnusedVariable"}) // set by Spring
    static class ForLeaderInChild {

        @TestBean
        private Report report;

        static Report report() {
            return new Report();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Plain {}

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(Job.class)
    static class Shop {}

    static class Job {

        @DistributedLock("job")
        public void work() {}
    }

    static class Report {

        @OnlyOnLeader
        public void send() {}
    }
}
