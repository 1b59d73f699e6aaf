/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynamolock.Lease;
import io.dynamolock.LockBusyException;
import io.dynamolock.LockManager;
import io.dynamolock.spring.DistributedLock;
import io.dynamolock.spring.Locking;
import io.dynamolock.spring.Locks;
import io.dynamolock.spring.boot.DistributedLockAutoConfiguration;
import io.dynamolock.spring.boot.DynamolockAutoConfiguration;
import io.dynamolock.spring.boot.DynamolockProperties;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.Test;
import org.springframework.aop.framework.autoproxy.DefaultAdvisorAutoProxyCreator;
import org.springframework.aop.support.ComposablePointcut;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.RootClassFilter;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.context.properties.ConfigurationPropertiesBindException;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.cache.CacheManager;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.cache.concurrent.ConcurrentMapCacheManager;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.PropertySourcesPlaceholderConfigurer;
import org.springframework.core.env.MapPropertySource;
import org.springframework.resilience.annotation.EnableResilientMethods;
import org.springframework.resilience.annotation.Retryable;

/** Position of the lock among other advice, and its configuration. */
class OrderTests {

    private static final Map<String, Object> INSIDE = Map.of("dynamolock.annotation.order", "2147483647");

    private final ApplicationContextRunner contexts = Locking.inMemory().withBean(Work.class);
    private final ApplicationContextRunner retrying = contexts.withUserConfiguration(Retries.class);
    private final ApplicationContextRunner caching = contexts.withUserConfiguration(Caching.class);

    @Test
    void lockIsHeldOverAllAttemptsByDefault() {
        retrying.run(context -> {
            assertThat(context.getBean(Work.class).retried()).isEqualTo(3);

            assertThat(context.getBean(Locking.class).events()).containsExactly("+job", "-job");
        });
    }

    @Test
    void busyLockIsNotRetriedByDefault() {
        retrying.run(context -> {
            try (Lease held =
                    context.getBean(LockManager.class).tryAcquire("job").orElseThrow()) {
                assertThat(held.isHeld()).isTrue();
                assertThatThrownBy(() -> context.getBean(Work.class).retried()).isInstanceOf(LockBusyException.class);
            }
            assertThat(context.getBean(Locking.class).events()).containsOnlyOnce("!job");
        });
    }

    @Test
    void lockIsAcquiredForEachAttemptIfOrderedInside() {
        retrying.withPropertyValues("dynamolock.annotation.order=2147483647").run(context -> {
            assertThat(context.getBean(Work.class).retried()).isEqualTo(3);

            assertThat(context.getBean(Locking.class).events())
                    .containsExactly("+job", "-job", "+job", "-job", "+job", "-job");
        });
    }

    @Test
    void lockHasTheDefaultOrderIfThatOfThePropertiesIsEmpty() {
        retrying.withPropertyValues("dynamolock.annotation.order=").run(context -> {
            context.getBean(Work.class).retried();

            assertThat(context.getBean(Locking.class).events()).containsExactly("+job", "-job");
        });
    }

    /** They are not part of the environment. */
    @Test
    void orderOfThePropertiesCountsThatAPlaceholderConfigurerReads() {
        Properties properties = new Properties();
        properties.putAll(INSIDE);
        retrying.withBean(PropertySourcesPlaceholderConfigurer.class, () -> {
                    PropertySourcesPlaceholderConfigurer configurer = new PropertySourcesPlaceholderConfigurer();
                    configurer.setProperties(properties);
                    return configurer;
                })
                .run(OrderTests::assertAcquiresForEachAttempt);
    }

    /** Spring merges what Spring Boot has attached to the environment of a parent into that of a child. */
    @Test
    void orderOfThePropertiesOfAChildContextCounts() {
        new ApplicationContextRunner()
                .withPropertyValues("dynamolock.store=memory")
                .run(parent -> {
                    try (AnnotationConfigApplicationContext child = new AnnotationConfigApplicationContext()) {
                        child.getEnvironment().getPropertySources().addFirst(new MapPropertySource("child", INSIDE));
                        child.setParent(parent);
                        child.register(Retries.class, Work.class, Locking.class, Locked.class);
                        child.refresh();

                        assertAcquiresForEachAttempt(child);
                    }
                });
    }

    private static void assertAcquiresForEachAttempt(ApplicationContext context) {
        assertThat(context.getBean(DynamolockProperties.class).annotation().order())
                .isEqualTo(Integer.MAX_VALUE);
        assertThat(context.getBean(Work.class).retried()).isEqualTo(3);

        assertThat(context.getBean(Locking.class).events())
                .containsExactly("+job", "-job", "+job", "-job", "+job", "-job");
    }

    /** Its message names more than what the lookup of the order would. */
    @Test
    void invalidOrderIsRejectedByTheBindingOfTheProperties() {
        retrying.withPropertyValues("dynamolock.annotation.order=${absent}")
                .run(
                        context -> assertThat(context)
                                .getFailure()
                                .isInstanceOf(ConfigurationPropertiesBindException.class)
                                .hasStackTraceContaining(
                                        "dynamolock.annotation.order contains the placeholder ${absent}, which is not defined"));
    }

    @Test
    void retriesOfOneMethodLeaveOuterAdviceOutsideOfTheLock() {
        retrying.withBean(Outer.class, Outer::new, definition -> definition.setRole(BeanDefinition.ROLE_INFRASTRUCTURE))
                .run(context -> {
                    context.getBean(Work.class).retried();

                    assertThat(context.getBean(Locking.class).events()).containsExactly("+job", "-job");
                    assertThat(context.getBean(Outer.class).seen).containsExactly(false);
                });
    }

    @Test
    void secondProxyLeavesTheLockToTheFirst() {
        contexts.withBean(DefaultAdvisorAutoProxyCreator.class, OrderTests::secondCreator)
                .run(context -> {
                    assertThat(context.getBean(Work.class).future())
                            .succeedsWithin(Locking.TIMEOUT)
                            .isEqualTo(1);

                    assertThat(context.getBean(Locking.class).acquired()).containsExactly("job");
                });
    }

    /** As Apache Shiro has it. */
    private static DefaultAdvisorAutoProxyCreator secondCreator() {
        DefaultAdvisorAutoProxyCreator creator = new DefaultAdvisorAutoProxyCreator();
        creator.setProxyTargetClass(true);
        return creator;
    }

    @Test
    void lockIsAcquiredBeforeCacheLookupByDefault() {
        caching.run(context -> {
            assertThat(context.getBean(Work.class).cached()).isEqualTo(1);
            assertThat(context.getBean(Work.class).cached()).isEqualTo(1);

            assertThat(context.getBean(Locking.class).acquired()).containsExactly("job", "job");
        });
    }

    @Test
    void lockIsAcquiredOnlyForCacheMissIfOrderedInside() {
        contexts.withUserConfiguration(CachingFurtherOutside.class)
                .withPropertyValues("dynamolock.annotation.order=2000")
                .run(context -> {
                    assertThat(context.getBean(Work.class).cached()).isEqualTo(1);
                    assertThat(context.getBean(Work.class).cached()).isEqualTo(1);

                    assertThat(context.getBean(Locking.class).acquired()).containsExactly("job");
                });
    }

    /** Such as a check of permissions. */
    static class Outer extends DefaultPointcutAdvisor {

        private final transient List<Boolean> seen = new CopyOnWriteArrayList<>();

        Outer() {
            setOrder(200);
            setPointcut(new ComposablePointcut(new RootClassFilter(Work.class)));
            setAdvice((MethodInterceptor) call -> {
                seen.add(Locks.current().isPresent());
                return call.proceed();
            });
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({DynamolockAutoConfiguration.class, DistributedLockAutoConfiguration.class})
    static class Locked {}

    @Configuration(proxyBeanMethods = false)
    @EnableResilientMethods
    static class Retries {}

    @Configuration(proxyBeanMethods = false)
    @EnableCaching
    static class Caching {

        @Bean
        CacheManager caches() {
            return new ConcurrentMapCacheManager();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableCaching(order = 1000)
    static class CachingFurtherOutside {

        @Bean
        CacheManager caches() {
            return new ConcurrentMapCacheManager();
        }
    }

    static class Work {

        private final AtomicInteger runs = new AtomicInteger();

        @Retryable(maxRetries = 5, delay = 1)
        @DistributedLock("job")
        public int retried() {
            if (runs.incrementAndGet() < 3) {
                throw new IllegalStateException("once more");
            }
            return runs.get();
        }

        @DistributedLock("job")
        public CompletableFuture<Integer> future() {
            return CompletableFuture.completedFuture(runs.incrementAndGet());
        }

        @Cacheable("values")
        @DistributedLock("job")
        public int cached() {
            return runs.incrementAndGet();
        }
    }
}
