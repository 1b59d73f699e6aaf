/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.spring.DistributedLock;
import io.dynamolock.spring.Locking;
import io.dynamolock.spring.LogCapture;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;

/** Locked methods of beans that are no plain objects of a class. */
@ExtendWith(LogCapture.class)
class ProxyShapesTests {

    private final ApplicationContextRunner contexts = Locking.inMemory();

    @Test
    void jdkProxyIsLocked() {
        InvocationHandler handler = (proxy, method, args) -> method.getName().equals("work") ? "done" : null;
        contexts.withBean(Client.class, () -> (Client)
                        Proxy.newProxyInstance(Client.class.getClassLoader(), new Class<?>[] {Client.class}, handler))
                .run(context -> {
                    assertThat(context.getBean(Client.class).work()).isEqualTo("done");
                    assertThat(context.getBean(Locking.class).acquired()).containsExactly("client");
                });
    }

    @Test
    void lambdaIsLocked() {
        contexts.withBean(Client.class, () -> () -> "done").run(context -> {
            assertThat(context.getBean(Client.class).work()).isEqualTo("done");
            assertThat(context.getBean(Locking.class).acquired()).containsExactly("client");
        });
    }

    @Test
    void annotationOnTypeOfRepositoryIsLocked() {
        contexts.withBean(RepositoryFactory.class).run(context -> {
            assertThat(context.getBean(Repository.class).save()).isEqualTo("saved");
            assertThat(context.getBean(Locking.class).acquired()).containsExactly("repository");
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

                    assertThat(output.getOut()).containsOnlyOnce("does not lock its final method");
                });
    }

    interface Client {

        @DistributedLock("client")
        String work();
    }

    @DistributedLock("repository")
    interface Repository {

        String save();
    }

    /** The target of the repositories' proxy, which does not implement their interface. */
    static class SimpleRepository {}

    /** Makes a proxy with a target class of its own, as Spring Data does. */
    static class RepositoryFactory implements FactoryBean<Repository> {

        @Override
        public Repository getObject() {
            ProxyFactory factory = new ProxyFactory();
            factory.setTarget(new SimpleRepository());
            factory.setInterfaces(Repository.class);
            factory.addAdvice((org.aopalliance.intercept.MethodInterceptor) invocation -> "saved");
            return (Repository) factory.getProxy();
        }

        @Override
        public Class<?> getObjectType() {
            return Repository.class;
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
    }
}
