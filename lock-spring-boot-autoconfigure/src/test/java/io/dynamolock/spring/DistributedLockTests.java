/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.LockManager;
import io.dynamolock.memory.InMemoryLockStore;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.support.AopUtils;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.annotation.AliasFor;
import org.springframework.util.ClassUtils;

/** Valid positions of the annotation, and types of proxies. */
class DistributedLockTests {

    private final ApplicationContextRunner contexts = Locking.inMemory();

    @Test
    void locksAnAnnotatedMethodWhileItRuns() {
        contexts.withBean(OnMethod.class).run(context -> {
            String seen = context.getBean(OnMethod.class).stateOf(context.getBean(LockManager.class), "job");

            assertThat(seen).isEqualTo("HELD");
            assertThat(context.getBean(Locking.class).events()).containsExactly("+job", "-job");
        });
    }

    @Test
    void leavesOtherMethodsAlone() {
        contexts.withBean(OnMethod.class).run(context -> {
            context.getBean(OnMethod.class).unlocked();

            assertThat(context.getBean(Locking.class).events()).isEmpty();
        });
    }

    @Test
    void locksEachMethodOfAnnotatedTypeUnlessOverridden() {
        contexts.withBean(OnType.class).run(context -> {
            OnType bean = context.getBean(OnType.class);

            bean.one();
            bean.inherited();
            bean.own();
            bean.packagePrivate();
            assertThat(bean.toString()).isNotNull();

            assertThat(context.getBean(Locking.class).acquired()).containsExactly("type", "type", "own", "type");
        });
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void locksWhatAnInterfaceAnnotatesWithEitherKindOfProxy(boolean classProxies) {
        contexts.withBean(OnInterface.class, OnInterfaceImpl::new)
                .withPropertyValues("spring.aop.proxy-target-class=" + classProxies)
                .run(context -> {
                    OnInterface bean = context.getBean(OnInterface.class);

                    bean.pay("7");

                    assertThat(AopUtils.isCglibProxy(bean)).isEqualTo(classProxies);
                    assertThat(AopUtils.isJdkDynamicProxy(bean)).isEqualTo(!classProxies);
                    assertThat(context.getBean(Locking.class).acquired()).containsExactly("pay-7");
                });
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void locksMethodsOfAnnotatedInterfaceWithEitherProxy(boolean classProxies) {
        contexts.withBean(OnInterfaceType.class, OnInterfaceTypeImpl::new)
                .withPropertyValues("spring.aop.proxy-target-class=" + classProxies)
                .run(context -> {
                    OnInterfaceType bean = context.getBean(OnInterfaceType.class);

                    bean.work();

                    assertThat(AopUtils.isCglibProxy(bean)).isEqualTo(classProxies);
                    assertThat(context.getBean(Locking.class).acquired()).containsExactly("interface");
                });
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void locksMethodsOfMetaAnnotatedClassWithEitherProxy(boolean classProxies) {
        contexts.withBean(Plain.class, MetaOnType::new)
                .withPropertyValues("spring.aop.proxy-target-class=" + classProxies)
                .run(context -> {
                    context.getBean(Plain.class).work();

                    assertThat(context.getBean(Locking.class).acquired()).containsExactly("of-type");
                });
    }

    @Test
    void locksAGenericInterfaceMethodOnce() {
        contexts.withBean(GenericImpl.class).run(context -> {
            Generic<String> bean = context.getBean(GenericImpl.class);

            bean.handle("x");

            assertThat(context.getBean(Locking.class).events()).containsExactly("+generic-x", "-generic-x");
        });
    }

    @Test
    void worksAsMetaAnnotationWithOverriddenAttributes() {
        contexts.withBean(OnMeta.class).run(context -> {
            OnMeta bean = context.getBean(OnMeta.class);

            bean.plain();
            bean.named();

            assertThat(context.getBean(Locking.class).acquired()).containsExactly("nightly", "other");
        });
    }

    @Test
    void isInheritedFromASuperclass() {
        contexts.withBean(Child.class).run(context -> {
            Child bean = context.getBean(Child.class);

            bean.one();
            bean.own();

            assertThat(context.getBean(Locking.class).acquired()).containsExactly("type", "own");
        });
    }

    @Test
    void needsNoAspectj() {
        assertThat(ClassUtils.isPresent("org.aspectj.weaver.Advice", null)).isFalse();

        contexts.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class))
                .withBean(OnMethod.class)
                .run(context -> {
                    context.getBean(OnMethod.class).stateOf(context.getBean(LockManager.class), "job");

                    assertThat(context.getBean(Locking.class).acquired()).containsExactly("job");
                });
    }

    @Test
    void givesTheLockAgainToTheThreadThatHoldsIt() {
        contexts.withBean(OnMethod.class).withBean(Outer.class).run(context -> {
            context.getBean(Outer.class).outer();

            assertThat(context.getBean(Locking.class).events()).containsExactly("+job", "-job");
        });
    }

    @Test
    void usesTheManagerThatIsNamed() {
        contexts.withBean(WithManager.class)
                .withBean(
                        "second",
                        LockManager.class,
                        () -> LockManager.builder(new InMemoryLockStore())
                                .owner("second")
                                .build())
                .run(context -> {
                    String owner =
                            context.getBean(WithManager.class).owner(context.getBean("second", LockManager.class));

                    assertThat(owner).isEqualTo("second");
                });
    }

    static class OnMethod {

        @DistributedLock("job")
        public String stateOf(LockManager locks, String name) {
            return locks.inspect(name).status().name();
        }

        public void unlocked() {}
    }

    static class Outer {

        private final OnMethod inner;
        private final LockManager locks;

        Outer(OnMethod inner, LockManager locks) {
            this.inner = inner;
            this.locks = locks;
        }

        @DistributedLock("job")
        public void outer() {
            inner.stateOf(locks, "job");
        }
    }

    static class Base {

        public void inherited() {}
    }

    @DistributedLock("type")
    static class OnType extends Base {

        public void one() {}

        @DistributedLock("own")
        public void own() {}

        void packagePrivate() {}
    }

    static class Child extends OnType {}

    interface OnInterface {

        @DistributedLock("pay-#{#id}")
        void pay(String id);
    }

    static class OnInterfaceImpl implements OnInterface {

        @Override
        public void pay(String orderNumber) {}
    }

    @DistributedLock("interface")
    interface OnInterfaceType {

        void work();
    }

    static class OnInterfaceTypeImpl implements OnInterfaceType {

        @Override
        public void work() {}
    }

    interface Plain {

        void work();
    }

    @Nightly("of-type")
    static class MetaOnType implements Plain {

        @Override
        public void work() {}
    }

    interface Generic<T> {

        @DistributedLock("generic-#{#p0}")
        void handle(T value);
    }

    static class GenericImpl implements Generic<String> {

        @Override
        public void handle(String value) {}
    }

    @Target({ElementType.METHOD, ElementType.TYPE})
    @Retention(RetentionPolicy.RUNTIME)
    @DistributedLock("nightly")
    @interface Nightly {

        @AliasFor(annotation = DistributedLock.class, attribute = "name")
        String value() default "nightly";
    }

    static class OnMeta {

        @Nightly
        public void plain() {}

        @Nightly("other")
        public void named() {}
    }

    static class WithManager {

        @DistributedLock(name = "job", manager = "second")
        public String owner(LockManager second) {
            return String.valueOf(second.inspect("job").owner());
        }
    }
}
