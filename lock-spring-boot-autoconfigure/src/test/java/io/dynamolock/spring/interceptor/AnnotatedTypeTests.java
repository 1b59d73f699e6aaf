/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.Lease;
import io.dynamolock.LockManager;
import io.dynamolock.spring.DeclaredLock;
import io.dynamolock.spring.DistributedLock;
import io.dynamolock.spring.InvalidDistributedLockException;
import io.dynamolock.spring.Locking;
import io.dynamolock.spring.LogCapture;
import io.dynamolock.spring.OnBusy;
import io.dynamolock.spring.PackagePrivateWork;
import io.dynamolock.spring.StartFailure;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.aopalliance.intercept.MethodInterceptor;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.quartz.JobExecutionContext;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.batch.core.step.tasklet.StoppableTasklet;
import org.springframework.beans.PropertyAccessorFactory;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Scope;
import org.springframework.graphql.data.method.annotation.GraphQlExceptionHandler;
import org.springframework.kafka.listener.AbstractConsumerSeekAware;
import org.springframework.kafka.listener.MessageListener;
import org.springframework.kafka.listener.NamedContainer;
import org.springframework.samples.Nightly;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.quartz.QuartzJobBean;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.web.bind.WebDataBinder;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.InitBinder;
import org.springframework.web.bind.annotation.ModelAttribute;

/** Which methods the annotation of a type locks, and that it is refused if it would lock none or too many. */
@ExtendWith(LogCapture.class)
class AnnotatedTypeTests {

    private final ApplicationContextRunner contexts = Locking.inMemory();

    /** Runs an action while somebody else holds a lock. */
    private static void whileBusy(BeanFactory beans, String name, Runnable action) {
        try (Lease other = beans.getBean(LockManager.class).tryAcquire(name).orElseThrow()) {
            assertThat(other.isHeld()).isTrue();
            action.run();
        }
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                PrivateWork.class,
                StaticWork.class,
                DefinitionsOnly.class,
                AnnotatedFactory.class,
                ClosedOnly.class
            })
    void withoutWorkFailsTheStartup(Class<?> type) {
        contexts.withUserConfiguration(type)
                .run(context -> assertThat(StartFailure.of(context, InvalidDistributedLockException.class))
                        .hasMessageContaining(type.getName() + ": ")
                        .hasMessageContaining("would lock none of its methods")
                        .hasMessageContaining("Annotate a method that is called on the bean"));
    }

    @ParameterizedTest
    @ValueSource(classes = {PackageFinal.class, ProtectedFinal.class})
    void allOfWhoseWorkIsFinalFailsTheStartup(Class<?> type) {
        contexts.withBean(type)
                .run(context -> assertThat(StartFailure.of(context, InvalidDistributedLockException.class))
                        .hasMessageContaining(type.getName() + ".work: all methods that it would lock are final"));
    }

    @Test
    void warnsOfWorkThatItsProxyCannotReach(CapturedOutput output) {
        contexts.withBean(FinalBesideOpen.class)
                .withBean(HiddenBesideOpen.class)
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(output)
                            .contains("FinalBesideOpen does not lock its method tick: a proxy cannot override a final")
                            .contains(
                                    "HiddenBesideOpen does not lock its method work: a proxy cannot override a package-")
                            .doesNotContain("its method helper");
                });
    }

    static Stream<Arguments> heirs() {
        return Stream.of(
                Arguments.of(Seeker.class, "AbstractConsumerSeekAware.onPartitionsAssigned()"),
                Arguments.of(Synchronized.class, "TransactionSynchronization."));
    }

    @ParameterizedTest
    @MethodSource("heirs")
    void thatInheritsMethodsOfSpringIsRefused(Class<?> type, String method) {
        contexts.withBean(type)
                .run(context -> assertThat(StartFailure.of(context, InvalidDistributedLockException.class))
                        .hasMessageContaining("@DistributedLock on " + type.getName() + ".")
                        .hasMessageContaining("inherits org.springframework.")
                        .hasMessageContaining(method)
                        .hasMessageContaining("Annotate the methods to lock instead of " + type.getSimpleName()));
    }

    /** What it inherits rejects calls that are meant for another method. */
    @Test
    void mayListenToMessages() {
        contexts.withBean(Listener.class).run(context -> {
            context.getBean(Listener.class).onMessage("order");

            assertThat(context.getBean(Locking.class).acquired()).containsExactly("listener");
        });
    }

    @Test
    void isNotMeantForQuestionsToClassesOfSpring() {
        contexts.withBean(Reader.class).run(context -> {
            assertThat(context.getBean(Reader.class).getContainerName()).isEqualTo("container");
            assertThat(context.getBean(Locking.class).acquired()).isEmpty();
        });
    }

    @Test
    void mayBelongToSampleOfSpring() {
        contexts.withBean(Clinic.class).run(context -> {
            context.getBean(Clinic.class).runNightly();

            assertThat(context.getBean(Locking.class).acquired()).containsExactly("clinic");
        });
    }

    @Test
    void isNotMeantForPropertiesOfQuartzJob() {
        contexts.withBean(TenantJob.class).run(context -> {
            TenantJob job = context.getBean(TenantJob.class);
            whileBusy(context, "job", () -> {
                PropertyAccessorFactory.forBeanPropertyAccess(job).setPropertyValues(Map.of("tenant", "shop"));
            });
            job.executeInternal(null);
            job.settle("bill");

            assertThat(context.getBean(Locking.class).acquired()).containsExactly("job", "job", "job");
            assertThat(TenantJob.served).isEqualTo("shop");
        });
    }

    /** They are called before or after the request's own method, which may be what the lock was busy for. */
    @Test
    void isNotMeantForWhatSpringCallsAroundRequests() {
        contexts.withBean(Orders.class).run(context -> {
            Orders orders = context.getBean(Orders.class);
            whileBusy(context, "orders", () -> {
                orders.prepare(new WebDataBinder(null));
                assertThat(orders.menu()).isEmpty();
                assertThat(orders.busy(new IllegalStateException())).isEqualTo("busy");
                assertThat(orders.busyQuery(new IllegalStateException())).isEqualTo("busy");
            });
            assertThat(orders.show()).isEqualTo("orders");

            assertThat(context.getBean(Locking.class).acquired()).containsExactly("orders", "orders");
        });
    }

    @Test
    void doesNotKeepTaskletFromBeingStopped() {
        contexts.withBean(Import.class).run(context -> {
            Import tasklet = context.getBean(Import.class);
            whileBusy(context, "import", () -> {
                tasklet.stop();
            });
            assertThat(tasklet.execute()).isEqualTo("stopped");

            assertThat(context.getBean(Locking.class).acquired()).containsExactly("import", "import");
        });
    }

    @Test
    void ofInterfaceIsNotMeantForMethodsOfSpringsProxy() {
        contexts.withBean("rates", Rates.class, AnnotatedTypeTests::client).run(context -> {
            assertThat(context.getBean(Rates.class).read("usd")).isEqualTo("read");

            assertThat(context.getBean(Locking.class).acquired()).containsExactly("rates-usd");
            assertThat(context.getBean(DistributedLockAdvisor.class).declaredLocks())
                    .extracting(DeclaredLock::method)
                    .containsExactly(Rates.class.getName() + ".read");
        });
    }

    private static Rates client() {
        return ProxyFactory.getProxy(
                Rates.class, (MethodInterceptor) call -> call.getMethod().getName());
    }

    @Test
    void ofInterfaceNamesTheParametersOfItsLambda() {
        contexts.withBean("export", Export.class, () -> (Export) tenant -> {}).run(context -> {
            context.getBean(Export.class).run("shop");

            assertThat(context.getBean(Locking.class).acquired()).containsExactly("export-shop");
        });
    }

    @Test
    void isNotMeantForItsFallback() {
        contexts.withBean(Prices.class).run(context -> {
            Prices prices = context.getBean(Prices.class);
            whileBusy(context, "prices", () -> {
                assertThat(prices.read()).isEqualTo("cached");
            });
            assertThat(prices.read()).isEqualTo("read");
            assertThat(context.getBean(Locking.class).acquired()).containsExactly("prices", "prices");
        });
    }

    @Test
    void isMeantForWorkWithTheNameOfItsFallback() {
        contexts.withBean(OverloadedFallback.class)
                .run(context -> assertThat(StartFailure.of(context, InvalidDistributedLockException.class))
                        .hasMessageContaining("OverloadedFallback.cached: its fallback"));
    }

    @Test
    void remedyForMethodThatDoesNotFitIsAnnotationOfTheOthers() {
        for (Class<?> type : List.of(LazyResult.class, OtherFallback.class)) {
            contexts.withBean(type)
                    .run(context -> assertThat(StartFailure.of(context, InvalidDistributedLockException.class)
                                    .remedy())
                            .endsWith(", or annotate the methods to lock instead of the type"));
        }
    }

    @DistributedLock("clinic")
    static class Clinic implements Nightly {}

    @DistributedLock("type")
    static class PrivateWork {

        @Scheduled(fixedDelay = 1)
        @SuppressWarnings("UnusedMethod")
        private void tick() {}
    }

    @DistributedLock("type")
    static class StaticWork {

        @Scheduled(fixedDelay = 1)
        static void tick() {}
    }

    @Configuration(proxyBeanMethods = false)
    @DistributedLock("type")
    static class DefinitionsOnly {

        @Bean
        @Scope("prototype")
        Object work() {
            return new Object();
        }
    }

    @DistributedLock("type")
    static class AnnotatedFactory implements FactoryBean<Runnable> {

        @Override
        public Runnable getObject() {
            return () -> {};
        }

        @Override
        public Class<?> getObjectType() {
            return Runnable.class;
        }
    }

    @DistributedLock("type")
    static class ClosedOnly implements AutoCloseable {

        @Override
        public void close() {}
    }

    @DistributedLock("type")
    static class PackageFinal {

        final void work() {}
    }

    @DistributedLock("type")
    static class ProtectedFinal {

        protected final void work() {}
    }

    @DistributedLock("type")
    static class FinalBesideOpen {

        @Scheduled(fixedDelay = 1)
        final void tick() {}

        final void helper() {}

        public void open() {}
    }

    @DistributedLock("type")
    static class HiddenBesideOpen extends PackagePrivateWork.Unannotated {

        public void open() {}
    }

    @DistributedLock("listener")
    static class Listener implements MessageListener {

        @Override
        public void onMessage(String unused) {}
    }

    @DistributedLock("reader")
    static class Reader extends NamedContainer {

        public void read() {}
    }

    @DistributedLock("type")
    static class Seeker extends AbstractConsumerSeekAware {

        public void work() {}
    }

    @DistributedLock("type")
    static class Synchronized implements TransactionSynchronization {

        @Override
        public void afterCommit() {}
    }

    @DistributedLock("job")
    static class TenantJob extends QuartzJobBean {

        private static @Nullable String served;

        private @Nullable String tenant;

        public void setTenant(String tenant) {
            this.tenant = tenant;
        }

        @Override
        protected void executeInternal(@Nullable JobExecutionContext unused) {
            served = tenant;
        }

        public void settle(String unused) {}
    }

    @DistributedLock("orders")
    static class Orders {

        @InitBinder
        public void prepare(WebDataBinder unused) {}

        @ModelAttribute("menu")
        public List<String> menu() {
            return List.of();
        }

        @GetMapping("/orders")
        @ModelAttribute("orders")
        public String show() {
            return "orders";
        }

        @ExceptionHandler
        public String busy(IllegalStateException unused) {
            return "busy";
        }

        @GraphQlExceptionHandler
        public String busyQuery(IllegalStateException unused) {
            return "busy";
        }
    }

    @DistributedLock("import")
    static class Import implements StoppableTasklet {

        private String state = "started";

        @Override
        public String execute() {
            return state;
        }

        @Override
        public void stop() {
            state = "stopped";
        }
    }

    @DistributedLock(name = "rates-#{#currency}", onBusy = OnBusy.SKIP)
    interface Rates {

        @Nullable
        String read(String currency);
    }

    @DistributedLock("export-#{#tenant}")
    interface Export {

        void run(String tenant);
    }

    @DistributedLock(name = "prices", onBusy = OnBusy.FALLBACK, fallback = "cached")
    static class Prices {

        public String read() {
            return "read";
        }

        String cached() {
            return "cached";
        }
    }

    @DistributedLock(name = "prices", onBusy = OnBusy.FALLBACK, fallback = "cached")
    static class OverloadedFallback extends Prices {

        public String cached(int unused) {
            return "work with the name of the fallback";
        }
    }

    @DistributedLock("lazy")
    static class LazyResult {

        public Stream<String> lines() {
            return Stream.of();
        }
    }

    @DistributedLock(name = "other", onBusy = OnBusy.FALLBACK, fallback = "cached")
    static class OtherFallback {

        public int count() {
            return 1;
        }

        String cached() {
            return "cached";
        }
    }
}
