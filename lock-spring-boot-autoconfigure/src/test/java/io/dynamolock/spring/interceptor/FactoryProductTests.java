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
import io.dynamolock.spring.StartFailure;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.interceptor.SimpleTraceInterceptor;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.PriorityOrdered;

/** What a factory bean makes, such as a client or a repository, of which Spring tells a post-processor only the result. */
@ExtendWith(LogCapture.class)
class FactoryProductTests {

    private static final String WARNING = "has no effect";

    private final ApplicationContextRunner contexts = Locking.inMemory();

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void isReportedIfItLostItsProxyDuringTheStartup(boolean singleton, CapturedOutput output) {
        contexts.withBean(ReplacedBeans.Late.class, () -> ReplacedBeans.Late.unwrapping(Client.class))
                .withBean("client", ClientFactory.class, () -> new ClientFactory(new HttpClient(), singleton))
                .withBean(NeedsClient.class)
                .run(context -> {
                    context.getBean(NeedsClient.class).client().send();

                    assertThat(context.getBean(Locking.class).acquired()).isEmpty();
                    assertThat(output)
                            .containsOnlyOnce(WARNING)
                            .contains("HttpClient.send has no effect: bean 'client' has no proxy");
                });
    }

    @Test
    void isReportedIfItWasCreatedTooEarly(CapturedOutput output) {
        contexts.withUserConfiguration(TooEarly.class).run(context -> {
            context.getBean(Client.class).send();

            assertThat(context.getBean(Locking.class).acquired()).isEmpty();
            assertThat(output).contains("Client.send has no effect: bean 'client' has no proxy");
        });
    }

    @Test
    void isRefusedIfItsProxyLacksTheMethod() {
        contexts.withPropertyValues("spring.aop.proxy-target-class=false")
                .withBean("client", ClientFactory.class, () -> new ClientFactory(new FlushingClient(), true))
                .withBean(NeedsClient.class)
                .run(context -> assertThat(StartFailure.of(context, InvalidDistributedLockException.class))
                        .hasMessageContaining("FlushingClient.flush")
                        .hasMessageContaining("the proxy implements interfaces only"));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void isLockedWithoutReportIfItIsWrapped(boolean singleton, CapturedOutput output) {
        contexts.withBean(ReplacedBeans.Late.class, () -> ReplacedBeans.Late.of(Client.class, Wrapper::new))
                .withBean("client", ClientFactory.class, () -> new ClientFactory(new HttpClient(), singleton))
                .run(context -> {
                    Client client = context.getBean(Client.class);
                    client.send();

                    assertThat(client).isInstanceOf(Wrapper.class);
                    assertThat(context.getBean(Locking.class).acquired()).containsExactly("send");
                    assertThat(output).doesNotContain(WARNING);
                });
    }

    @Test
    void isNotReportedIfItIsNull(CapturedOutput output) {
        contexts.withBean("client", ClientFactory.class, () -> new ClientFactory(null, true))
                .withBean(MayNeedClient.class)
                .run(context -> {
                    assertThat(context.getBean(MayNeedClient.class).client()).isEmpty();
                    assertThat(output).doesNotContain(WARNING);
                });
    }

    /** What needs it may do without it. */
    @Test
    void isNotMadeAgainForItsCheckIfThatFailed() {
        contexts.withBean("client", FailingFactory.class)
                .withBean("connection", Object.class, Object::new, definition -> {
                    definition.setDependsOn("client");
                    definition.setLazyInit(true);
                })
                .withBean(TriesToConnect.class)
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void isNotTakenForItsFactory(CapturedOutput output) {
        contexts.withBean("task", WorkingFactory.class)
                .withBean(NeedsTask.class)
                .run(context -> {
                    context.getBean(WorkingFactory.class).work();

                    assertThat(context.getBean(Locking.class).acquired()).containsExactly("factory");
                    assertThat(output).doesNotContain(WARNING);
                });
    }

    interface Client {

        @DistributedLock("send")
        void send();
    }

    static class HttpClient implements Client {

        @Override
        public void send() {}
    }

    static class FlushingClient extends HttpClient {

        @DistributedLock("flush")
        public void flush() {}
    }

    record Wrapper(Client wrapped) implements Client {

        @Override
        public void send() {
            wrapped.send();
        }
    }

    record NeedsClient(Client client) {}

    record MayNeedClient(Optional<Client> client) {}

    record NeedsTask(Runnable task) {}

    record ClientFactory(@Nullable Client client, boolean isSingleton) implements FactoryBean<Client> {

        @Override
        public @Nullable Client getObject() {
            return client;
        }

        @Override
        public Class<?> getObjectType() {
            return Client.class;
        }
    }

    static class FailingFactory implements FactoryBean<Client> {

        @Override
        public Client getObject() {
            throw new IllegalStateException("no connection");
        }

        @Override
        public Class<?> getObjectType() {
            return Client.class;
        }
    }

    static class TriesToConnect {

        TriesToConnect(BeanFactory beans) {
            assertThatThrownBy(() -> beans.getBean("connection")).hasRootCauseMessage("no connection");
        }
    }

    /** Makes a proxy of an interface that does not have the method. */
    static class WorkingFactory implements FactoryBean<Runnable> {

        @DistributedLock("factory")
        public void work() {}

        @Override
        public Runnable getObject() {
            return ProxyFactory.getProxy(Runnable.class, new SimpleTraceInterceptor());
        }

        @Override
        public Class<?> getObjectType() {
            return Runnable.class;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class TooEarly {

        @Bean
        static ClientFactory client() {
            return new ClientFactory(new HttpClient(), true);
        }

        @Bean
        static EarlyProcessor early(Client client) {
            return new EarlyProcessor(client);
        }
    }

    /** Created, with what it needs, before beans can get a proxy. */
    record EarlyProcessor(Client client) implements BeanPostProcessor, PriorityOrdered {

        @Override
        public int getOrder() {
            return 0;
        }
    }
}
