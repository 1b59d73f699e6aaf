/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynamolock.spring.DistributedLock;
import io.dynamolock.spring.InvalidDistributedLockException;
import io.dynamolock.spring.Locking;
import io.dynamolock.spring.LogCapture;
import io.dynamolock.spring.ReplacedBeans;
import io.dynamolock.spring.SlowCreation;
import io.dynamolock.spring.StartFailure;
import io.dynamolock.spring.ThreadScope;
import jakarta.annotation.PostConstruct;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.SpringProxy;
import org.springframework.aop.TargetSource;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.framework.autoproxy.AbstractAutoProxyCreator;
import org.springframework.aop.target.HotSwappableTargetSource;
import org.springframework.aop.target.LazyInitTargetSource;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.config.AutowireCapableBeanFactory;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.Ordered;
import org.springframework.core.env.PropertySource;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;

/** Beans that are created while others are created or checked, inside of others, or not at all. */
@ExtendWith(LogCapture.class)
class BeanCreationTests {

    private static final String WARNING = "has no effect";

    private final ApplicationContextRunner contexts = Locking.inMemory();

    /** Spring wraps the bean itself by the proxy of @Async, if nobody keeps the one that was made before. */
    @Test
    void lazyBeanIsReportedIfItsEarlyProxyIsNotUsed(CapturedOutput output) {
        contexts.withAllowCircularReferences(true)
                .withUserConfiguration(Selfish.class)
                .run(context -> {
                    assertThat(context.getBean("lookup")).isInstanceOf(Advised.class);

                    assertThat(output).contains("Lookup.work has no effect: bean 'lookup' has no proxy");
                });
    }

    /** A look at it would make an early proxy, which Spring does not use for @Async. */
    @Test
    void lazyBeanThatAnotherThreadCreatesDuringTheCheckIsLocked(CapturedOutput output) {
        SlowCreation creation = new SlowCreation();
        contexts.withAllowCircularReferences(true)
                .withUserConfiguration(Asynchronous.class)
                .withBean("slow", Slow.class, () -> new Slow(creation), definition -> {
                    definition.setLazyInit(true);
                })
                .withBean(SlowCreation.OnAnotherThread.class, creation, "slow")
                .run(context -> {
                    creation.end();
                    Slow slow =
                            context.getBean(SlowCreation.OnAnotherThread.class).bean(Slow.class);
                    slow.work().join();

                    assertThat(context.getBean("slow")).isSameAs(slow);
                    assertThat(context.getBean(Locking.class).acquired()).containsExactly("slow");
                    assertThat(output).doesNotContain(WARNING);
                });
    }

    /** Spring makes the proxy on the thread that asks for the bean, and uses it for all. */
    @Test
    void lazyBeanThatAnotherThreadGetsEarlyIsNotReported(CapturedOutput output) {
        SlowCreation creation = new SlowCreation();
        contexts.withAllowCircularReferences(true)
                .withBean("slow", Slow.class, () -> new Slow(creation), definition -> {
                    definition.setLazyInit(true);
                })
                .withBean(SlowCreation.OnAnotherThread.class, creation, "slow")
                .run(context -> {
                    Slow early = context.getBean(Slow.class);
                    creation.end();

                    assertThat(context.getBean(SlowCreation.OnAnotherThread.class)
                                    .bean(Slow.class))
                            .isSameAs(early);
                    early.work().join();
                    assertThat(context.getBean(Locking.class).acquired()).containsExactly("slow");
                    assertThat(output).doesNotContain(WARNING);
                });
    }

    @ParameterizedTest
    @ValueSource(classes = {FinalWork.class, InvalidWork.class})
    void innerBeanIsValidatedAtStartup(Class<?> inner) {
        contexts.withInitializer(context -> defineOuter(context, inner))
                .run(context -> assertThat(StartFailure.of(context, InvalidDistributedLockException.class))
                        .hasMessageContaining(inner.getSimpleName() + ".work"));
    }

    @Test
    void innerBeanThatLostItsProxyIsReported(CapturedOutput output) {
        contexts.withBean(ReplacedBeans.Late.class, () -> ReplacedBeans.Late.unwrapping(Work.class))
                .withInitializer(context -> defineOuter(context, Work.class))
                .run(context -> assertThat(output)
                        .containsOnlyOnce(WARNING)
                        .contains("Work.work has no effect: bean '(inner bean)#"));
    }

    @Test
    void innerBeanThatIsReplacedBeforeItsProxyIsReported(CapturedOutput output) {
        contexts.withBean(Replaces.class)
                .withInitializer(context -> defineOuter(context, Work.class))
                .run(context -> assertThat(output)
                        .containsOnlyOnce(WARNING)
                        .contains("Work.work has no effect: bean '(inner bean)#")
                        .contains("was replaced by a java.lang.Object"));
    }

    @Test
    void innerBeanIsLockedWithoutReport(CapturedOutput output) {
        contexts.withInitializer(context -> defineOuter(context, Work.class)).run(context -> {
            context.getBean(Outer.class).inner().work();

            assertThat(context.getBean(Locking.class).acquired()).containsExactly("work");
            assertThat(output).doesNotContain(WARNING);
        });
    }

    private static void defineOuter(ConfigurableApplicationContext context, Class<?> inner) {
        RootBeanDefinition definition = new RootBeanDefinition(Outer.class);
        definition.getPropertyValues().add("inner", new RootBeanDefinition(inner));
        ((GenericApplicationContext) context).registerBeanDefinition("outer", definition);
    }

    @Test
    void prototypeOfSingletonIsRefusedIfItsLockEndsWithItsSubmission() {
        contexts.withUserConfiguration(AsyncOutside.class)
                .withBean("work", AsyncWork.class, AsyncWork::new, definition -> definition.setScope("prototype"))
                .withBean(NeedsTask.class)
                .run(context -> assertThat(StartFailure.of(context, InvalidDistributedLockException.class))
                        .hasMessageContaining("AsyncWork.work")
                        .hasMessageContaining("the lock is outside of @Async"));
    }

    /** The declared class does not show the interfaces of the proxy. */
    @Test
    void prototypeOfSingletonIsRefusedIfItsProxyLacksTheMethod() {
        contexts.withPropertyValues("spring.aop.proxy-target-class=false")
                .withBean("work", Runnable.class, AsyncWork::new, definition -> definition.setScope("prototype"))
                .withBean(NeedsTask.class)
                .run(context -> assertThat(StartFailure.of(context, InvalidDistributedLockException.class))
                        .hasMessageContaining("AsyncWork.work")
                        .hasMessageContaining("the proxy implements interfaces only"));
    }

    /** It comes too late for the check of its name. */
    @Test
    void lazyBeanThatTheCheckOfAnotherCreatesIsReported(CapturedOutput output) {
        contexts.withBean(ReplacedBeans.Late.class, () -> ReplacedBeans.Late.unwrapping(Work.class))
                .withInitializer(BeanCreationTests::createWorkForItsPlaceholder)
                .withBean("work", Work.class, Work::new, definition -> definition.setLazyInit(true))
                .withBean("named", Named.class, Named::new, definition -> definition.setLazyInit(true))
                .run(context -> {
                    assertThat(context.getBeanFactory().containsSingleton("work"))
                            .isTrue();
                    assertThat(output).contains("Work.work has no effect: bean 'work' has no proxy");
                });
    }

    private static void createWorkForItsPlaceholder(ConfigurableApplicationContext context) {
        context.getEnvironment().getPropertySources().addFirst(new PropertySource<>("creating") {

            @Override
            public @Nullable Object getProperty(String name) {
                return name.equals("lock.name")
                        ? context.getBean("work").getClass().getSimpleName()
                        : null;
            }
        });
    }

    /** The proxy of its scope need not have the method. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void scopedBeanIsLockedBehindProxyOfItsInterface(boolean injected, CapturedOutput output) {
        ApplicationContextRunner scoped =
                contexts.withUserConfiguration(ThreadScope.class).withBean("task", ScopedTask.class);
        (injected ? scoped.withBean(NeedsTask.class) : scoped).run(context -> {
            context.getBean("scopedTarget.task", ScopedTask.class).more();

            assertThat(context.getBean("task")).isNotInstanceOf(ScopedTask.class);
            assertThat(context.getBean(Locking.class).acquired()).containsExactly("more");
            assertThat(output).doesNotContain(WARNING);
        });
    }

    @Test
    void missingBeanIsNotReported(CapturedOutput output) {
        contexts.withUserConfiguration(Absent.class).run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(output).doesNotContain(WARNING);
        });
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void opaqueProxyIsNotReported(boolean lazy, CapturedOutput output) {
        contexts.withInitializer(context -> context.addBeanFactoryPostProcessor(
                        beans -> beans.addBeanPostProcessor(new MakesProxiesOpaque())))
                .withBean("work", Work.class, Work::new, definition -> definition.setLazyInit(lazy))
                .run(context -> {
                    Work work = context.getBean(Work.class);
                    work.work();

                    assertThat(work).isInstanceOf(SpringProxy.class).isNotInstanceOf(Advised.class);
                    assertThat(context.getBean(Locking.class).acquired()).containsExactly("work");
                    assertThat(output).doesNotContain(WARNING);
                });
    }

    /** The bean that it calls has the proxy. */
    @ParameterizedTest
    @ValueSource(classes = {Swaps.class, Postpones.class})
    void beanBehindTargetSourceIsLockedWithoutReport(Class<?> source, CapturedOutput output) {
        contexts.withBean("work", TaskWork.class, TaskWork::new, definition -> definition.setLazyInit(true))
                .withUserConfiguration(source, Redirects.class)
                .run(context -> {
                    context.getBean("task", Runnable.class).run();

                    assertThat(context.getBean(Locking.class).acquired()).containsExactly("task");
                    assertThat(output).doesNotContain(WARNING);
                });
    }

    /** Like a job of Quartz. */
    @Test
    void objectThatIsCreatedDuringTheStartupIsValidated() {
        contexts.withBean(CreatesFinalWork.class)
                .run(context -> assertThat(StartFailure.of(context, InvalidDistributedLockException.class))
                        .hasMessageContaining("FinalWork.work"));
    }

    @Test
    void objectThatIsCreatedLaterIsValidated() {
        contexts.run(context -> assertThatThrownBy(
                        () -> context.getAutowireCapableBeanFactory().createBean(FinalWork.class))
                .hasMessageContaining("FinalWork.work"));
    }

    static class Work {

        @DistributedLock("work")
        public void work() {}
    }

    static class FinalWork {

        @DistributedLock("work")
        public final void work() {}
    }

    static class InvalidWork {

        @DistributedLock("#{")
        public void work() {}
    }

    static class Named {

        @DistributedLock("${lock.name}")
        public void work() {}
    }

    static class Outer {

        private @Nullable Object inner;

        public void setInner(Object inner) {
            this.inner = inner;
        }

        Work inner() {
            return (Work) Objects.requireNonNull(inner);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAsync(proxyTargetClass = true)
    static class Selfish {

        @Bean
        @Lazy
        Lookup lookup() {
            return new Lookup();
        }
    }

    static class Lookup {

        @Autowired
        private BeanFactory beans;

        @PostConstruct
        void open() {
            assertThat(beans.getBean("lookup")).isInstanceOf(Lookup.class);
        }

        @Async
        @DistributedLock("lookup")
        public void work() {}
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAsync(proxyTargetClass = true)
    static class Asynchronous {}

    static class Slow {

        private final SlowCreation creation;

        Slow(SlowCreation creation) {
            this.creation = creation;
        }

        @PostConstruct
        void open() {
            creation.await();
        }

        @Async
        @DistributedLock("slow")
        public CompletableFuture<Void> work() {
            return CompletableFuture.completedFuture(null);
        }
    }

    static class AsyncWork implements Runnable {

        @Override
        public void run() {}

        @Async
        @DistributedLock("work")
        public void work() {}
    }

    record NeedsTask(Runnable task) {}

    static class TaskWork implements Runnable {

        @Override
        @DistributedLock("task")
        public void run() {}
    }

    @Configuration(proxyBeanMethods = false)
    static class Swaps {

        @Bean
        HotSwappableTargetSource source(TaskWork work) {
            return new HotSwappableTargetSource(work);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Postpones {

        @Bean
        LazyInitTargetSource source() {
            LazyInitTargetSource source = new LazyInitTargetSource();
            source.setTargetBeanName("work");
            return source;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Redirects {

        @Bean
        Runnable task(TargetSource source) {
            return ProxyFactory.getProxy(Runnable.class, source);
        }
    }

    @Scope(value = "thread", proxyMode = ScopedProxyMode.INTERFACES)
    static class ScopedTask implements Runnable {

        @Override
        public void run() {}

        @DistributedLock("more")
        public void more() {}
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAsync(order = Ordered.HIGHEST_PRECEDENCE)
    static class AsyncOutside {}

    @Configuration(proxyBeanMethods = false)
    static class Absent {

        @Bean
        @Nullable
        Work absent() {
            return null;
        }
    }

    static class CreatesFinalWork {

        CreatesFinalWork(AutowireCapableBeanFactory beans) {
            beans.createBean(FinalWork.class).work();
        }
    }

    static class MakesProxiesOpaque implements BeanPostProcessor {

        @Override
        public Object postProcessAfterInitialization(Object bean, String name) {
            if (bean instanceof AbstractAutoProxyCreator creator) {
                creator.setOpaque(true);
            }
            return bean;
        }
    }

    static class Replaces implements BeanPostProcessor {

        @Override
        public Object postProcessBeforeInitialization(Object bean, String name) {
            return bean instanceof Work ? new Object() : bean;
        }
    }
}
