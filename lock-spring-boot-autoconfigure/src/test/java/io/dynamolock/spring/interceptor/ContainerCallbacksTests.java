/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.Lease;
import io.dynamolock.LockManager;
import io.dynamolock.LockStore;
import io.dynamolock.memory.InMemoryLockStore;
import io.dynamolock.spring.DeclaredLock;
import io.dynamolock.spring.DistributedLock;
import io.dynamolock.spring.Locking;
import io.dynamolock.spring.LogCapture;
import io.dynamolock.spring.OnBusy;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.Types;
import java.time.chrono.ChronoLocalDate;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.BeanWrapperImpl;
import org.springframework.beans.PropertyEditorRegistrar;
import org.springframework.beans.PropertyEditorRegistry;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.EnvironmentAware;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.context.event.GenericApplicationListener;
import org.springframework.context.event.SmartApplicationListener;
import org.springframework.core.Ordered;
import org.springframework.core.ResolvableType;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.core.support.AbstractSqlTypeValue;
import org.springframework.scheduling.SchedulingAwareRunnable;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.SchedulingConfigurer;
import org.springframework.scheduling.config.ScheduledTaskRegistrar;
import org.springframework.util.function.ThrowingSupplier;

/** Methods by which Spring manages a bean are no work of its annotated type. */
@ExtendWith(LogCapture.class)
class ContainerCallbacksTests {

    private final ApplicationContextRunner contexts = Locking.inMemory();

    @Test
    void areNotLockedByTheAnnotationOfTheType() {
        contexts.withBean(Poller.class).run(context -> {
            assertThat(context).hasNotFailed();
            Poller poller = context.getBean(Poller.class);
            try (Lease other =
                    context.getBean(LockManager.class).tryAcquire("poller").orElseThrow()) {
                assertThat(other.isHeld()).isTrue();
                context.stop();
                assertThat(poller.isRunning()).isFalse();
                context.start();
                assertThat(poller.isRunning()).isTrue();
            }
            assertThat(context.getBean(Locking.class).events()).containsExactly("+poller", "-poller");

            poller.poll();

            assertThat(context.getBean(Locking.class).acquired()).containsExactly("poller", "poller");
        });
    }

    @Test
    void needNoParametersOfTheName() {
        contexts.withBean(Named.class).withBean(Factory.class).run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(context.getBean(StringBuilder.class)).hasToString("made");
            assertThat(context.getBean(Locking.class).acquired()).isEmpty();

            assertThat(context.getBean(DistributedLockAdvisor.class).declaredLocks())
                    .extracting(DeclaredLock::method)
                    .containsExactly(Factory.class.getName() + ".clear", Named.class.getName() + ".work");
        });
    }

    @Test
    void areLockedByAnAnnotationOfTheirOwn() {
        contexts.withBean(LockedStart.class)
                .run(context ->
                        assertThat(context.getBean(Locking.class).acquired()).containsExactly("start"));
    }

    /** The name of a callback does not matter, nor does the package of an interface whose method is work. */
    @Test
    void areThoseOfSpringOnly() {
        contexts.withBean(Listener.class).run(context -> {
            context.getBean(Listener.class).start();

            assertThat(context.getBean(Locking.class).acquired()).containsExactly("listener", "listener");
        });
    }

    @ParameterizedTest
    @ValueSource(classes = {Smart.class, Generic.class, Configuring.class})
    void doNotWaitForLockAtStart(Class<?> type) {
        LockStore shared = new InMemoryLockStore();
        try (LockManager other = LockManager.builder(shared).build();
                Lease lease = other.tryAcquire("type").orElseThrow()) {
            contexts.withBean("dynamolockStore", LockStore.class, () -> shared)
                    .withUserConfiguration(Scheduling.class)
                    .withBean(type)
                    .run(context -> {
                        assertThat(lease.isHeld()).isTrue();
                        assertThat(context).hasNotFailed();
                        assertThat(context.getBean(Locking.class).events()).isEmpty();
                    });
        }
    }

    @Test
    void areNotTheEventsOfListener() {
        contexts.withBean(NamedListener.class)
                .withBean(NamedSmartListener.class)
                .run(context -> {
                    context.publishEvent(new Shipped(context));

                    assertThat(context.getBean(Locking.class).acquired()).containsExactlyInAnyOrder("event-7", "smart");
                });
    }

    @ParameterizedTest
    @MethodSource("shipping")
    void areLikeMethodsThatCombineFunctions(Consumer<String> bean) {
        contexts.withBean("bean", Object.class, () -> bean).run(context -> {
            Consumer<String> consumer = context.getBean(Shipping.class);
            var unused = consumer.andThen(id -> {});
            assertThat(context.getBean(Locking.class).acquired()).isEmpty();
            consumer.accept("1");

            assertThat(context.getBean(Locking.class).acquired()).containsExactly("order-1");
        });
    }

    @ParameterizedTest
    @MethodSource("work")
    void areNotDefaultMethodsThatWork(Function<Stock, @Nullable Object> call) {
        Object stock = Proxy.newProxyInstance(
                Stock.class.getClassLoader(),
                new Class<?>[] {Stock.class},
                (self, method, arguments) -> switch (method.getName()) {
                    case "lengthOfYear" -> 365;
                    default -> null;
                });
        contexts.withBean("stock", Object.class, () -> stock).run(context -> {
            var unused = call.apply(context.getBean(Stock.class));

            assertThat(context.getBean(Locking.class).acquired()).containsExactly("stock");
        });
    }

    static Stream<Arguments> work() {
        return Stream.of(
                work("of Spring", ThrowingSupplier::get),
                work("of Java", ChronoLocalDate::lengthOfYear),
                work("with a result of its own type", stock -> stock.with(self -> self)));
    }

    private static Arguments work(String name, Function<Stock, @Nullable Object> call) {
        return Arguments.argumentSet(name, call);
    }

    @DistributedLock("stock")
    interface Stock extends ChronoLocalDate, ThrowingSupplier<String> {}

    /** A skipped call has no boolean to return. The scheduler asks for the qualifier at startup. */
    @ParameterizedTest
    @ValueSource(classes = {Described.class, QualifiedDescribed.class})
    void areLikeMethodsThatDescribeTheBean(Class<? extends SchedulingAwareRunnable> type) {
        contexts.withBean(type).run(context -> {
            assertThat(context).hasNotFailed();
            SchedulingAwareRunnable job = context.getBean(type);
            assertThat(job.isLongLived()).isFalse();
            assertThat(job.getQualifier()).isNotEqualTo("other");
            assertThat(context.getBean(Locking.class).acquired()).isEmpty();

            job.run();

            assertThat(context.getBean(Locking.class).acquired()).containsExactly("aware");
        });
    }

    /** A skipped call has no boolean to return, so that one that Spring asks for must not be locked. */
    @Test
    void areLikeQuestionsOfAnyName() {
        contexts.withBean(Editors.class).run(context -> {
            assertThat(context).hasNotFailed();
            Editors editors = context.getBean(Editors.class);

            assertThat(editors.overridesDefaultEditors()).isFalse();
            editors.registerCustomEditors(new BeanWrapperImpl());

            assertThat(context.getBean(Locking.class).acquired()).containsExactly("editors");
        });
    }

    @DistributedLock(name = "editors", onBusy = OnBusy.SKIP)
    static class Editors implements PropertyEditorRegistrar {

        @Override
        public void registerCustomEditors(PropertyEditorRegistry unused) {}
    }

    @DistributedLock(name = "aware", onBusy = OnBusy.SKIP)
    static class Described implements SchedulingAwareRunnable {

        @Override
        public void run() {}
    }

    static class QualifiedDescribed extends Described {

        @Override
        public String getQualifier() {
            return "scheduler";
        }
    }

    static Stream<Arguments> shipping() {
        Shipping lambda = id -> {};
        Object proxy = Proxy.newProxyInstance(
                Shipping.class.getClassLoader(), new Class<?>[] {Shipping.class}, (self, method, arguments) -> null);
        return Stream.of(
                Arguments.argumentSet("class", new Shipper()),
                Arguments.argumentSet("lambda", lambda),
                Arguments.argumentSet("JDK proxy", proxy));
    }

    /** A final method of Spring, such as that of a job of Quartz, calls the one that the type implements. */
    @Test
    void thatSpringDeclaresFinalGiveNoWarning(CapturedOutput output) {
        contexts.withBean(Value.class).run(context -> {
            context.getBean(Value.class).setTypeValue(statement(), 1, Types.INTEGER, null);

            assertThat(context.getBean(Locking.class).acquired()).containsExactly("value");
            assertThat(output).doesNotContain("@DistributedLock");
        });
    }

    private static PreparedStatement statement() {
        return (PreparedStatement) Proxy.newProxyInstance(
                PreparedStatement.class.getClassLoader(),
                new Class<?>[] {PreparedStatement.class},
                (proxy, method, arguments) -> null);
    }

    /** {@link SmartLifecycle} asks for values for which a skipped call has no result. */
    @DistributedLock(name = "poller", onBusy = OnBusy.SKIP)
    static class Poller implements SmartLifecycle, Ordered {

        private boolean running;

        @Override
        public void start() {
            running = true;
        }

        @Override
        public void stop() {
            running = false;
        }

        @Override
        public boolean isRunning() {
            return running;
        }

        @Override
        public int getOrder() {
            return 1;
        }

        public void poll() {}
    }

    @DistributedLock("job-#{#id}")
    static class Named implements InitializingBean, DisposableBean, SmartInitializingSingleton, EnvironmentAware {

        @Override
        public void setEnvironment(Environment unused) {}

        @Override
        public void afterPropertiesSet() {}

        @Override
        public void afterSingletonsInstantiated() {}

        @Override
        public void destroy() {}

        public void work(String id) {
            assertThat(id).isNotEmpty();
        }
    }

    @DistributedLock("factory")
    static class Factory implements FactoryBean<StringBuilder> {

        @Override
        public StringBuilder getObject() {
            return new StringBuilder("made");
        }

        @Override
        public Class<?> getObjectType() {
            return StringBuilder.class;
        }

        public void clear() {}
    }

    @DistributedLock("type")
    static class LockedStart extends Poller {

        @Override
        @DistributedLock("start")
        public void start() {
            super.start();
        }
    }

    @DistributedLock("listener")
    static class Listener implements ApplicationListener<ContextRefreshedEvent> {

        @Override
        public void onApplicationEvent(ContextRefreshedEvent unused) {}

        public void start() {}
    }

    @DistributedLock("value")
    static class Value extends AbstractSqlTypeValue {

        @Override
        protected Object createTypeValue(Connection unused, int sqlType, @Nullable String typeName) {
            return 1;
        }
    }

    @DistributedLock("type")
    static class Smart implements SmartApplicationListener {

        @Override
        public boolean supportsEventType(Class<? extends ApplicationEvent> type) {
            return type == Shipped.class;
        }

        @Override
        public boolean supportsAsyncExecution() {
            return false;
        }

        @Override
        public String getListenerId() {
            return "smart";
        }

        @Override
        public void onApplicationEvent(ApplicationEvent unused) {}
    }

    @DistributedLock("smart")
    static class NamedSmartListener extends Smart {}

    @DistributedLock("type")
    static class Generic implements GenericApplicationListener {

        @Override
        public boolean supportsEventType(ResolvableType type) {
            return type.isAssignableFrom(Shipped.class);
        }

        @Override
        public boolean supportsSourceType(@Nullable Class<?> unused) {
            return false;
        }

        @Override
        public int getOrder() {
            return 1;
        }

        @Override
        public void onApplicationEvent(ApplicationEvent unused) {}
    }

    @DistributedLock("type")
    static class Configuring implements SchedulingConfigurer {

        @Override
        public void configureTasks(ScheduledTaskRegistrar unused) {}

        public void work() {}
    }

    @Configuration(proxyBeanMethods = false)
    @EnableScheduling
    static class Scheduling {}

    static class Shipped extends ApplicationEvent {

        Shipped(Object source) {
            super(source);
        }

        public String id() {
            return "7";
        }
    }

    @DistributedLock("event-#{#event.id()}")
    static class NamedListener implements ApplicationListener<Shipped> {

        @Override
        public void onApplicationEvent(Shipped event) {}
    }

    @DistributedLock("order-#{#p0}")
    interface Shipping extends Consumer<String> {}

    static class Shipper implements Shipping {

        @Override
        public void accept(String id) {}
    }
}
