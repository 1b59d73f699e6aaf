/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.LockManager;
import io.dynamolock.spring.DistributedLock;
import io.dynamolock.spring.InvalidDistributedLockException;
import io.dynamolock.spring.Locking;
import io.dynamolock.spring.StartFailure;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.core.type.AnnotationMetadata;

/** Annotated methods that Spring calls on the bean itself when it creates or destroys it, or that define beans. */
class LifecycleMethodTests {

    private static final List<String> RAN = new CopyOnWriteArrayList<>();

    private final ApplicationContextRunner contexts = Locking.inMemory();

    @ParameterizedTest
    @ValueSource(
            classes = {
                PostConstructMethod.class,
                AfterPropertiesSet.class,
                PreDestroyMethod.class,
                DestroyMethod.class,
                InheritedStop.class,
                BeanInitMethod.class,
                InferredClose.class,
                InferredShutdown.class,
                ClosedExecutor.class,
                SeveralDestroyMethods.class,
                DestroyMethodWithFlag.class,
                OverriddenPostConstruct.class,
                OverriddenPreDestroy.class,
                DefaultPostConstruct.class,
                Injected.class
            })
    void initAndDestroyMethodsFailTheStartupBeforeTheyRun(Class<?> mistake) {
        RAN.clear();

        contexts.withUserConfiguration(mistake)
                .run(context -> assertThat(StartFailure.of(context, InvalidDistributedLockException.class))
                        .hasMessageContaining(
                                "Spring calls an injection, init or destroy method on the bean itself, not on its proxy")
                        .hasMessageContaining("@EventListener(ApplicationReadyEvent.class)")
                        .hasMessageContaining("Once"));

        assertThat(RAN).isEmpty();
    }

    @Test
    void remedyForInferredDestroyMethodIsToInferNone() {
        contexts.withUserConfiguration(InferredShutdown.class)
                .run(context -> assertThat(StartFailure.of(context, InvalidDistributedLockException.class))
                        .hasMessageContaining("set @Bean(destroyMethod = \"\")"));
        contexts.withUserConfiguration(PostConstructMethod.class)
                .run(context -> assertThat(StartFailure.of(context, InvalidDistributedLockException.class))
                        .hasMessageNotContaining("destroyMethod"));
    }

    @ParameterizedTest
    @ValueSource(classes = {LockedDefinition.class, LockedStaticDefinition.class})
    void methodsThatDefineBeansFailTheStartupBeforeTheyRun(Class<?> mistake) {
        RAN.clear();

        contexts.withUserConfiguration(mistake)
                .run(context -> assertThat(StartFailure.of(context, InvalidDistributedLockException.class))
                        .hasMessageContaining(mistake.getSimpleName() + ".work: it is a @Bean method")
                        .hasMessageContaining("Annotate methods of the bean's own class"));

        assertThat(RAN).isEmpty();
    }

    @Test
    void definitionsOfAnnotatedTypeAreNotMeant() {
        contexts.withUserConfiguration(DefinitionInLockedType.class).run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(context.getBean(Locking.class).acquired()).isEmpty();
            context.getBean(DefinitionInLockedType.class).run();
            assertThat(context.getBean(Locking.class).acquired()).containsExactly("job");
        });
    }

    /**
     * Spring does not destroy a prototype, nor what a FactoryBean makes, of which a scoped proxy is one; it infers public
     * methods only.
     */
    @ParameterizedTest
    @ValueSource(
            classes = {
                Prototypes.class,
                ScopedPrototypes.class,
                PoolFactory.class,
                ProtectedShutdown.class,
                OverloadedDestroyMethod.class
            })
    void methodsThatSpringDoesNotCallAreAccepted(Class<?> configuration) {
        contexts.withUserConfiguration(configuration).run(context -> {
            assertThat(context).hasNotFailed();
            context.getBean(Pool.class).shutdown();
            assertThat(context.getBean(Locking.class).acquired()).containsExactly("shutdown");
        });
    }

    /** Their parameters need not be those of its name. */
    @Test
    void methodsOfAnnotatedTypeThatSpringCallsAreNotMeant() {
        contexts.withBean(InitInLockedType.class).run(context -> {
            assertThat(context).hasNotFailed();
            InitInLockedType bean = context.getBean(InitInLockedType.class);
            bean.close();
            assertThat(context.getBean(Locking.class).acquired()).isEmpty();

            bean.work("7");
            assertThat(context.getBean(Locking.class).acquired()).containsExactly("type-7");
        });
    }

    @Configuration(proxyBeanMethods = false)
    static class LockedDefinition {

        @Bean
        @DistributedLock("work")
        public Object work() {
            RAN.add("definition");
            return new Object();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class LockedStaticDefinition {

        @Bean
        @DistributedLock("work")
        public static Object work() {
            RAN.add("definition");
            return new Object();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @DistributedLock("job")
    static class DefinitionInLockedType {

        @Bean
        public Object work() {
            return new Object();
        }

        public void run() {}
    }

    static class PostConstructMethod {

        @PostConstruct
        @DistributedLock("migrate")
        public void migrate() {
            RAN.add("PostConstruct");
        }
    }

    static class AfterPropertiesSet implements InitializingBean {

        @Override
        @DistributedLock("migrate")
        public void afterPropertiesSet() {
            RAN.add("afterPropertiesSet");
        }
    }

    static class PreDestroyMethod {

        @PreDestroy
        @DistributedLock("cleanup")
        public void cleanUp() {}
    }

    static class DestroyMethod implements DisposableBean {

        @Override
        @DistributedLock("cleanup")
        public void destroy() {}
    }

    /** Its {@code stop(Runnable)} calls {@code stop()} on the bean itself. */
    static class InheritedStop implements SmartLifecycle {

        @Override
        public void start() {
            RAN.add("start");
        }

        @Override
        @DistributedLock("cleanup")
        public void stop() {}

        @Override
        public boolean isRunning() {
            return false;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class BeanInitMethod {

        @Bean(initMethod = "begin")
        Started started() {
            return new Started();
        }
    }

    static class Started {

        @DistributedLock("migrate")
        public void begin() {
            RAN.add("initMethod");
        }
    }

    /** A component is closed if it can be. */
    static class InferredClose implements AutoCloseable {

        @Override
        @DistributedLock("close")
        public void close() {
            RAN.add("close");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class InferredShutdown {

        @Bean
        Pool pool() {
            return new Pool();
        }
    }

    static class Pool {

        @DistributedLock("shutdown")
        public void shutdown() {
            RAN.add("shutdown");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Prototypes {

        @Bean
        @Scope(BeanDefinition.SCOPE_PROTOTYPE)
        Pool pool() {
            return new Pool();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ProtectedShutdown {

        @Bean
        Guarded guarded() {
            return new Guarded();
        }

        @Bean(destroyMethod = "")
        Pool pool() {
            return new Pool();
        }
    }

    static class Guarded {

        @DistributedLock("guarded")
        protected void shutdown() {}
    }

    /** Spring shuts an executor down, also one that is a component. */
    static class ClosedExecutor extends ThreadPoolExecutor {

        ClosedExecutor() {
            super(1, 1, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>());
        }

        @Override
        @DistributedLock("executor")
        public void shutdown() {
            RAN.add("executor");
            super.shutdown();
        }
    }

    /** As processing ahead of time registers a bean that has a method with {@code @PreDestroy} as well. */
    @Configuration(proxyBeanMethods = false)
    @Import(TwoMethodsRegistrar.class)
    static class SeveralDestroyMethods {}

    static class TwoMethodsRegistrar implements ImportBeanDefinitionRegistrar {

        @Override
        public void registerBeanDefinitions(AnnotationMetadata unused, BeanDefinitionRegistry beans) {
            RootBeanDefinition definition = new RootBeanDefinition(TwoMethods.class);
            definition.setDestroyMethodNames("first", "second");
            beans.registerBeanDefinition("twoMethods", definition);
        }
    }

    static class TwoMethods {

        public void first() {}

        @DistributedLock("second")
        public void second() {
            RAN.add("second");
        }
    }

    /** Spring passes true. */
    @Configuration(proxyBeanMethods = false)
    static class DestroyMethodWithFlag {

        @Bean(destroyMethod = "end")
        WithFlag withFlag() {
            return new WithFlag();
        }
    }

    static class WithFlag {

        @DistributedLock("end")
        public void end(boolean unusedForce) {}
    }

    /** Spring prefers the method without a parameter. */
    @Configuration(proxyBeanMethods = false)
    static class OverloadedDestroyMethod {

        @Bean(destroyMethod = "close")
        FlushedPool pool() {
            return new FlushedPool();
        }
    }

    static class FlushedPool extends Pool {

        void close() {}

        @DistributedLock("close")
        public void close(boolean unusedForce) {}
    }

    @DistributedLock("type-#{#unusedId}")
    static class InitInLockedType implements AutoCloseable {

        @Autowired
        public void setLocks(LockManager unused) {}

        @PostConstruct
        public void fillCache() {}

        @Override
        public void close() {}

        public void work(String unusedId) {}
    }

    abstract static class Template {

        @PostConstruct
        public abstract void begin();

        @PreDestroy
        public void end() {}
    }

    static class OverriddenPostConstruct extends Template {

        @Override
        @DistributedLock("begin")
        public void begin() {
            RAN.add("begin");
        }
    }

    static class OverriddenPreDestroy extends Template {

        @Override
        public void begin() {}

        @Override
        @DistributedLock("end")
        public void end() {}
    }

    interface Cached {

        @PostConstruct
        default void fill() {}
    }

    static class DefaultPostConstruct implements Cached {

        @Override
        @DistributedLock("fill")
        public void fill() {
            RAN.add("fill");
        }
    }

    static class Injected {

        @Autowired
        @DistributedLock("injected")
        public void setLocks(LockManager unused) {
            RAN.add("injected");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ScopedPrototypes {

        @Bean
        @Scope(scopeName = BeanDefinition.SCOPE_PROTOTYPE, proxyMode = ScopedProxyMode.TARGET_CLASS)
        Pool pool() {
            return new Pool();
        }
    }

    static class PoolFactory implements FactoryBean<Pool> {

        @Override
        public Pool getObject() {
            return new Pool();
        }

        @Override
        public Class<?> getObjectType() {
            return Pool.class;
        }

        public void close() {}
    }
}
