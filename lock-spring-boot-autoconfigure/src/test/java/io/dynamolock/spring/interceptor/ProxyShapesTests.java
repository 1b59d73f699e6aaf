/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.dynamolock.spring.DeclaredLock;
import io.dynamolock.spring.DistributedLock;
import io.dynamolock.spring.InvalidDistributedLockException;
import io.dynamolock.spring.Locking;
import io.dynamolock.spring.LogCapture;
import io.dynamolock.spring.StartFailure;
import io.dynamolock.spring.ThreadScope;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.ProxyType;
import org.springframework.context.annotation.Proxyable;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;

/** Locked methods of beans that are no plain objects of a class. */
@ExtendWith(LogCapture.class)
class ProxyShapesTests {

    private final ApplicationContextRunner contexts = Locking.inMemory();
    private final ApplicationContextRunner interfaces =
            contexts.withPropertyValues("spring.aop.proxy-target-class=false");

    @Test
    void jdkProxyIsLocked() {
        contexts.withBean(Client.class, () -> jdkProxy(Client.class)).run(context -> {
            assertThat(context.getBean(Client.class).work()).isEqualTo("done");
            assertThat(context.getBean(Locking.class).acquired()).containsExactly("client");
        });
    }

    @Test
    void jdkProxyOfAnnotatedTypeIsLocked() {
        contexts.withBean(Worker.class, () -> jdkProxy(Worker.class)).run(context -> {
            assertThat(context.getBean(Worker.class).work()).isEqualTo("done");
            assertThat(context.getBean(Locking.class).acquired()).containsExactly("worker");
        });
    }

    private static <T> T jdkProxy(Class<T> type) {
        InvocationHandler handler = (proxy, method, args) -> method.getName().equals("work") ? "done" : null;
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }

    /** As that of a repository of Spring Data, whose target does not implement it. */
    @Test
    void lockOfAnInterfaceIsListedOnceByItsName() {
        ProxyFactory repository = new ProxyFactory(new Object());
        repository.setInterfaces(Client.class);
        repository.addAdvice((MethodInterceptor) call -> "done");
        contexts.withBean(Client.class, () -> (Client) repository.getProxy()).run(context -> {
            assertThat(context.getBean(Client.class).work()).isEqualTo("done");
            assertThat(context.getBean(DistributedLockAdvisor.class).declaredLocks())
                    .extracting(DeclaredLock::method)
                    .containsExactly(Client.class.getName() + ".work");
        });
    }

    @Test
    void lockOfSubclassThatSpringMakesIsListedOnceByTheNameOfItsClass() {
        contexts.withUserConfiguration(Enhanced.class).run(context -> {
            context.getBean(Enhanced.class).work();

            assertThat(context.getBean(DistributedLockAdvisor.class).declaredLocks())
                    .extracting(DeclaredLock::method)
                    .containsExactly(Enhanced.class.getName() + ".work");
        });
    }

    @Test
    void locksOfLambdasAreListedByTheNameOfTheirInterface() {
        contexts.withBean(Client.class, () -> () -> "done")
                .withBean(Worker.class, () -> () -> "done")
                .run(context -> assertThat(
                                context.getBean(DistributedLockAdvisor.class).declaredLocks())
                        .extracting(DeclaredLock::method)
                        .containsExactlyInAnyOrder(Client.class.getName() + ".work", Worker.class.getName() + ".work"));
    }

    @Test
    void lambdaIsLocked() {
        contexts.withBean(Client.class, () -> () -> "done").run(context -> {
            assertThat(context.getBean(Client.class).work()).isEqualTo("done");
            assertThat(context.getBean(Locking.class).acquired()).containsExactly("client");
        });
    }

    @Test
    void lambdaOfAnnotatedTypeIsLocked() {
        contexts.withBean(Worker.class, () -> () -> "done").run(context -> {
            assertThat(context.getBean(Worker.class).work()).isEqualTo("done");
            assertThat(context.getBean(Locking.class).acquired()).containsExactly("worker");
        });
    }

    /** The annotation is found when the bean is created. */
    @ParameterizedTest
    @MethodSource("beans")
    void isLockedIfDeclaredAsObject(Work bean, String lock) {
        contexts.withBean("bean", Object.class, () -> bean).run(context -> {
            assertThat(((Work) context.getBean("bean")).work()).isEqualTo("done");
            assertThat(context.getBean(Locking.class).acquired()).containsExactly(lock);
        });
    }

    static Stream<Arguments> beans() {
        Client client = () -> "done";
        Worker worker = () -> "done";
        return Stream.of(
                Arguments.of(Named.of("JDK proxy, method", jdkProxy(Client.class)), "client"),
                Arguments.of(Named.of("JDK proxy, type", jdkProxy(Worker.class)), "worker"),
                Arguments.of(Named.of("lambda, method", client), "client"),
                Arguments.of(Named.of("lambda, type", worker), "worker"));
    }

    @Test
    void annotationOnMethodOfRepositoryIsLocked() {
        contexts.withBean(RepositoryFactory.class, () -> new RepositoryFactory<>(Client.class))
                .run(context -> {
                    assertThat(context.getBean(Client.class).work()).isEqualTo("saved");
                    assertThat(context.getBean(Locking.class).acquired()).containsExactly("client");
                });
    }

    @Test
    void annotationOnTypeOfRepositoryIsLocked() {
        contexts.withBean(RepositoryFactory.class, () -> new RepositoryFactory<>(Worker.class))
                .run(context -> {
                    assertThat(context.getBean(Worker.class).work()).isEqualTo("saved");
                    assertThat(context.getBean(Locking.class).acquired()).containsExactly("worker");
                });
    }

    @Test
    void proxiedMethodWithoutAnnotationIsNotCalled() {
        contexts.run(context -> {
            ProxyFactory factory = new ProxyFactory(new Unlocked());
            factory.addAdvice(context.getBean(DistributedLockAdvisor.class).getAdvice());
            Unlocked proxy = (Unlocked) factory.getProxy();

            assertThatIllegalStateException()
                    .isThrownBy(proxy::work)
                    .withMessageContaining("Unlocked.work()")
                    .withMessageContaining("not called, as it would run without a lock");
        });
    }

    @Test
    void annotationOnTypeLeavesMethodsOfObjectUnlocked() {
        contexts.withBean(Described.class).run(context -> {
            Described bean = context.getBean(Described.class);

            assertThat(bean).hasToString("described").isEqualTo(bean).hasSameHashCodeAs(bean);
            assertThat(context.getBean(Locking.class).acquired()).isEmpty();
            bean.work();
            assertThat(context.getBean(Locking.class).acquired()).containsExactly("described");
        });
    }

    @Test
    void prototypeIsCheckedOnce(CapturedOutput output) {
        contexts.withBean("prototype", WithFinalMethod.class, WithFinalMethod::new, definition -> {
                    definition.setScope("prototype");
                })
                .run(context -> {
                    context.getBean("prototype");
                    context.getBean("prototype");

                    assertThat(output.getOut()).containsOnlyOnce("does not lock its method");
                });
    }

    /** Whatever {@code spring.aop.proxy-target-class} says. */
    @Test
    void proxyableByItsInterfacesIsLocked() {
        contexts.withBean("final", FinalClient.class).run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(context.getBean(Client.class).work()).isEqualTo("done");
            assertThat(context.getBean(Locking.class).acquired()).containsExactly("client");
        });
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void methodThatProxyableDoesNotExposeFailsTheStartup(boolean lazy) {
        contexts.withBean("half", HalfExposed.class, HalfExposed::new, definition -> definition.setLazyInit(lazy))
                .run(context -> assertThat(StartFailure.of(context, InvalidDistributedLockException.class))
                        .hasMessageContaining(
                                "HalfExposed.work: the proxy implements interfaces only, and none of them declares")
                        .hasMessageContaining("@Proxyable"));
    }

    /** The interface has another parameter or result than the class, or than the class that has the annotation. */
    @ParameterizedTest
    @ValueSource(classes = {Shipper.class, ShipperByHeir.class, ShipperByInterface.class})
    @SuppressWarnings("unchecked") // of a class without type parameters
    void genericMethodIsLockedBehindInterfaceProxy(Class<? extends Consumer<String>> type) {
        interfaces.withBean("shipper", type).run(context -> {
            assertThat(context).hasNotFailed();
            context.getBean("shipper", Consumer.class).accept("1");

            assertThat(context.getBean("shipper")).isNotInstanceOf(type);
            assertThat(context.getBean(Locking.class).acquired()).containsExactly("order-1");
        });
    }

    @Test
    void lazyBeanBehindInterfaceProxyIsCheckedAtStartup() {
        interfaces
                .withBean("lazy", BesideInterface.class)
                .run(context -> assertThat(StartFailure.of(context, InvalidDistributedLockException.class))
                        .hasMessageContaining("BesideInterface.more: the proxy implements interfaces only"));
    }

    /** Its class may have an interface, unlike the one that is declared. */
    @Test
    void lazyBeanIsNotRefusedForItsDeclaredClass() {
        interfaces
                .withBean("final", FinalWork.class, FinalClientWork::new, definition -> definition.setLazyInit(true))
                .run(context -> {
                    assertThat(context).hasNotFailed();

                    assertThat(context.getBean("final", Work.class).work()).isEqualTo("done");
                    assertThat(context.getBean(Locking.class).acquired()).containsExactly("final");
                });
    }

    /** Its outer bean extends the class, whatever the interfaces of that are. */
    @Test
    void scopedBeanIsLockedBesideInterface() {
        interfaces
                .withUserConfiguration(ThreadScope.class)
                .withBean("scoped", ScopedBesideInterface.class)
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    context.getBean(ScopedBesideInterface.class).more();

                    assertThat(context.getBean(Locking.class).acquired()).containsExactly("more");
                });
    }

    interface Work {

        String work();
    }

    abstract static class FinalWork {

        @DistributedLock("final")
        public final String work() {
            return "done";
        }
    }

    static class FinalClientWork extends FinalWork implements Work {}

    @Proxyable(ProxyType.INTERFACES)
    static final class FinalClient implements Client {

        @Override
        public String work() {
            return "done";
        }
    }

    @Proxyable(interfaces = Runnable.class)
    static class HalfExposed implements Client, Runnable {

        @Override
        public String work() {
            return "done";
        }

        @Override
        public void run() {}
    }

    static class Shipper implements Consumer<String> {

        @Override
        @DistributedLock("order-#{#p0}")
        public void accept(String id) {}
    }

    static class ShipperByHeir extends Shipper {

        @Override
        public void accept(String id) {}
    }

    interface Shipping<T> {

        @DistributedLock("order-#{#p0}")
        void accept(T id);
    }

    static class ShipperByInterface implements Shipping<String>, Consumer<String> {

        @Override
        public void accept(String id) {}
    }

    @Scope(value = "thread", proxyMode = ScopedProxyMode.TARGET_CLASS)
    static class ScopedBesideInterface extends BesideInterface {}

    @Lazy
    static class BesideInterface implements Runnable {

        @Override
        public void run() {}

        @DistributedLock("more")
        public void more() {}
    }

    interface Client extends Work {

        @Override
        @DistributedLock("client")
        String work();
    }

    @DistributedLock("worker")
    interface Worker extends Work {}

    static class Unlocked {

        public void work() {
            throw new AssertionError("called");
        }
    }

    /** The target of the repositories' proxy, which does not implement their interface. */
    static class SimpleRepository {}

    /** Makes a proxy with a target class of its own, as Spring Data does. */
    record RepositoryFactory<T>(Class<T> type) implements FactoryBean<T> {

        @Override
        public T getObject() {
            ProxyFactory factory = new ProxyFactory();
            factory.setTarget(new SimpleRepository());
            factory.setInterfaces(type);
            factory.addAdvice((org.aopalliance.intercept.MethodInterceptor) invocation -> "saved");
            return type.cast(factory.getProxy());
        }

        @Override
        public Class<?> getObjectType() {
            return type;
        }
    }

    @Configuration
    static class Enhanced {

        @DistributedLock("enhanced")
        public void work() {}

        @Bean
        String name() {
            return "enhanced";
        }
    }

    @DistributedLock("described")
    static class Described {

        public void work() {}

        @Override
        public boolean equals(Object other) {
            return super.equals(other);
        }

        @Override
        public int hashCode() {
            return super.hashCode();
        }

        @Override
        public String toString() {
            return "described";
        }
    }

    @DistributedLock("type")
    static class WithFinalMethod {

        public final void sealedWork() {}

        void otherWork() {}
    }
}
