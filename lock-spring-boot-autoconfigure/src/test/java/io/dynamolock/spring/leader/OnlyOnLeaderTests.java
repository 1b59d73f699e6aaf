/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.leader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import io.dynamolock.Lease;
import io.dynamolock.LockManager;
import io.dynamolock.memory.InMemoryLockStore;
import io.dynamolock.spring.DistributedLock;
import io.dynamolock.spring.Leadership;
import io.dynamolock.spring.Locking;
import io.dynamolock.spring.LogCapture;
import io.dynamolock.spring.OnlyOnLeader;
import io.dynamolock.spring.PackagePrivateWork;
import io.dynamolock.spring.boot.DynamolockLeaderAutoConfiguration;
import io.dynamolock.spring.boot.DynamolockMetricsAutoConfiguration;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import jakarta.annotation.PostConstruct;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.ref.WeakReference;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.PriorityOrdered;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

/** Methods that run on the leader only. */
@ExtendWith(LogCapture.class)
class OnlyOnLeaderTests {

    private final Switch leadership = new Switch();
    private final ApplicationContextRunner without = Locking.inMemory()
            .withConfiguration(AutoConfigurations.of(
                    DynamolockLeaderAutoConfiguration.class, DynamolockMetricsAutoConfiguration.class));
    private final ApplicationContextRunner contexts = without.withBean(Leadership.class, () -> leadership);

    @Test
    void methodRunsOnTheLeaderOnly(CapturedOutput output) {
        LogCapture.setLevel(Level.DEBUG);
        contexts.withBean(Jobs.class).withBean(SimpleMeterRegistry.class).run(context -> {
            Jobs jobs = context.getBean(Jobs.class);

            jobs.poll();
            leadership.leads = true;
            jobs.poll();
            leadership.leads = false;
            jobs.poll();
            jobs.report();

            assertThat(jobs.ran()).containsExactly("poll");
            assertThat(output.getOut()
                            .lines()
                            .filter(line -> line.contains("Jobs.") && line.contains("does not lead 'reporter'")))
                    .hasSize(3)
                    .allMatch(line -> line.startsWith("DEBUG"));
            MeterRegistry meters = context.getBean(MeterRegistry.class);
            assertThat(meters.get("dynamolock.leader.skipped").functionCounter().count())
                    .isEqualTo(3);
            assertThat(meters.get("dynamolock.leader").gauge().value()).isZero();
            leadership.leads = true;
            assertThat(meters.get("dynamolock.leader").gauge().value()).isOne();
        });
    }

    @Test
    void garbageCollectionEndsNoMeter() {
        contexts.withBean(Jobs.class).withBean(SimpleMeterRegistry.class).run(context -> {
            MeterRegistry meters = context.getBean(MeterRegistry.class);
            WeakReference<Object> garbage = new WeakReference<>(new Object());
            Awaitility.await().until(() -> {
                System.gc();
                return garbage.refersTo(null);
            });

            context.getBean(Jobs.class).poll();
            leadership.leads = true;

            assertThat(meters.get("dynamolock.leader.skipped").functionCounter().count())
                    .isOne();
            assertThat(meters.get("dynamolock.leader").gauge().value()).isOne();
        });
    }

    @Test
    void skippedMethodTakesNoLock() {
        contexts.withBean(Jobs.class).run(context -> {
            context.getBean(Jobs.class).locked();
            assertThat(context.getBean(Locking.class).events()).isEmpty();

            leadership.leads = true;
            context.getBean(Jobs.class).locked();
            assertThat(context.getBean(Locking.class).events()).containsExactly("+job", "-job");
        });
    }

    @Test
    void annotationOfInterfaceCountsForInheritedImplementation() {
        contexts.withBean(ReportingJobs.class).run(context -> {
            ReportingJobs jobs = context.getBean(ReportingJobs.class);

            jobs.report();
            assertThat(jobs.reports()).isZero();
            leadership.leads = true;
            jobs.report();
            assertThat(jobs.reports()).isOne();
        });
    }

    @Test
    void scheduledMethodStartsWithLeadership() {
        contexts.withBean(Ticking.class).withUserConfiguration(Scheduling.class).run(context -> {
            Ticking ticking = context.getBean(Ticking.class);
            assertThat(ticking.ticks()).isZero();

            leadership.leads = true;

            Awaitility.await().until(() -> ticking.ticks() > 2);
        });
    }

    @Test
    void applicationWithoutLeaderDoesNotStart() {
        without.withBean(Jobs.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasMessageContaining("@OnlyOnLeader on " + Jobs.class.getName() + ".")
                        .hasMessageContaining("there is no Leadership bean. Set dynamolock.leader.name"));
    }

    @Test
    void methodInChildContextRunsIfTheProcessLeadsByTheParent() {
        contexts.run(parent -> without.withParent(parent).withBean(Jobs.class).run(child -> {
            Jobs jobs = child.getBean(Jobs.class);

            jobs.poll();
            assertThat(jobs.ran()).isEmpty();
            leadership.leads = true;
            jobs.poll();
            assertThat(jobs.ran()).containsExactly("poll");
        }));
    }

    @Test
    void metersInChildContextCarryTheManagerOfTheParent() {
        contexts.withBean(SimpleMeterRegistry.class)
                .withBean(
                        "mine",
                        LockManager.class,
                        OnlyOnLeaderTests::newManager,
                        definition -> definition.setPrimary(true))
                .run(parent -> without.withParent(parent)
                        .withUserConfiguration(WithQualifiedManager.class)
                        .run(child -> assertThat(parent.getBean(MeterRegistry.class)
                                        .find("dynamolock.leader")
                                        .gauges())
                                .extracting(gauge -> gauge.getId().getTag("manager"))
                                .containsExactly("mine")));
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                Returning.class,
                Hidden.class,
                Final.class,
                FinalClass.class,
                Init.class,
                ReturningInherited.class,
                FinalInherited.class,
                OutOfReach.class
            })
    void methodThatCannotBeSkippedFailsTheStartup(Class<?> type) {
        contexts.withBean(type)
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasMessageContaining("@OnlyOnLeader on " + type.getName() + ".run: "));
    }

    @Test
    void finalMethodOfAnInterfaceIsSkippedByItsProxy() {
        contexts.withPropertyValues("spring.aop.proxy-target-class=false")
                .withBean(FinalInherited.class)
                .run(context -> {
                    context.getBean(Running.class).run();

                    assertThat(FinalInherited.RAN).hasValue(0);
                });
    }

    @Test
    void lazyBeanIsCheckedOnItsCreation() {
        contexts.withBean(
                        "lazy",
                        Running.class,
                        FinalInherited::new,
                        definition -> ((AbstractBeanDefinition) definition).setLazyInit(true))
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThatThrownBy(() -> context.getBean("lazy"))
                            .hasMessageContaining("FinalInherited.run: a proxy cannot override a final method");
                });
    }

    @Test
    void lazyBeanInCircularReferenceIsAccepted() {
        contexts.withAllowCircularReferences(true)
                .withUserConfiguration(Circle.class)
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    context.getBean(InCircle.class).run();

                    assertThat(InCircle.RAN).hasValue(0);
                });
    }

    @ParameterizedTest
    @MethodSource("proxies")
    void annotationOfAnyInterfaceOfAProxyCounts(Class<?>[] interfaces) {
        AtomicInteger calls = new AtomicInteger();
        Object proxy = Proxy.newProxyInstance(
                Running.class.getClassLoader(), interfaces, (self, method, arguments) -> calls.incrementAndGet());
        contexts.withBean(Work.class, () -> (Work) proxy).run(context -> {
            context.getBean(Work.class).run();

            assertThat(calls).hasValue(0);
        });
    }

    static Stream<Arguments> proxies() {
        return Stream.of(Arguments.of((Object) new Class<?>[] {Work.class, Running.class}), Arguments.of((Object)
                new Class<?>[] {Running.class, Work.class}));
    }

    @Test
    void inheritedImplementationThatIsCreatedTooEarlyFailsTheStartup() {
        contexts.withBean(ReportingJobs.class)
                .withBean(EarlyReporting.class)
                .run(context -> assertThat(context).getFailure().hasMessageContaining("has no proxy"));
    }

    @Test
    void beanThatIsCreatedTooEarlyFailsTheStartup() {
        contexts.withBean(Jobs.class)
                .withBean(Early.class)
                .run(context -> assertThat(context).getFailure().hasMessageContaining("has no proxy"));
    }

    private static LockManager newManager() {
        return LockManager.builder(new InMemoryLockStore()).build();
    }

    private static final class Switch implements Leadership {

        private volatile boolean leads;

        @Override
        public String name() {
            return "reporter";
        }

        @Override
        public boolean isLeader() {
            return leads;
        }

        @Override
        public Optional<Lease> lease() {
            return Optional.empty();
        }
    }

    @OnlyOnLeader
    @Retention(RetentionPolicy.RUNTIME)
    @interface LeaderJob {}

    interface Reporting {
        @OnlyOnLeader
        void report();
    }

    static class Jobs implements Reporting {

        private final List<String> ran = new ArrayList<>();

        List<String> ran() {
            return ran;
        }

        @LeaderJob
        public void poll() {
            ran.add("poll");
        }

        @Override
        public void report() {
            ran.add("report");
        }

        @OnlyOnLeader
        @DistributedLock("job")
        public void locked() {}
    }

    static class PlainJobs {

        private int reports;

        int reports() {
            return reports;
        }

        public void report() {
            reports++;
        }
    }

    static class ReportingJobs extends PlainJobs implements Reporting {}

    @EnableScheduling
    static class Scheduling {}

    @Configuration(proxyBeanMethods = false)
    static class WithQualifiedManager {

        @Bean(defaultCandidate = false)
        LockManager own() {
            return newManager();
        }
    }

    static class Ticking {

        private final AtomicInteger ticks = new AtomicInteger();

        int ticks() {
            return ticks.get();
        }

        @Scheduled(fixedDelay = 5)
        @OnlyOnLeader
        public void tick() {
            ticks.incrementAndGet();
        }
    }

    static class ReturningPlain {

        public String run() {
            return "";
        }
    }

    interface Answering {
        @OnlyOnLeader
        String run();
    }

    static class ReturningInherited extends ReturningPlain implements Answering {}

    interface Work {
        void run();
    }

    interface Running extends Work {
        @Override
        @OnlyOnLeader
        void run();
    }

    static class FinalPlain {

        static final AtomicInteger RAN = new AtomicInteger();

        public final void run() {
            RAN.incrementAndGet();
        }
    }

    static class FinalInherited extends FinalPlain implements Running {}

    static final class FinalClass implements Running {

        @Override
        public void run() {}
    }

    @Configuration(proxyBeanMethods = false)
    static class Circle {

        @Bean
        @Lazy
        InCircle one() {
            return new InCircle();
        }
    }

    static class InCircle {

        static final AtomicInteger RAN = new AtomicInteger();

        @Autowired
        void setSelf(InCircle self) {
            assertThat(self).isNotNull();
        }

        @OnlyOnLeader
        public void run() {
            RAN.incrementAndGet();
        }
    }

    static class OutOfReach extends PackagePrivateWork.OfLeader {}

    static class Init {

        @PostConstruct
        @OnlyOnLeader
        public void run() {}
    }

    static class Returning {

        @OnlyOnLeader
        public String run() {
            return "";
        }
    }

    static class Hidden {

        @OnlyOnLeader
        @SuppressWarnings("UnusedMethod") // what the test rejects
        private void run() {}
    }

    static class Final {

        @OnlyOnLeader
        public final void run() {}
    }

    static class EarlyReporting extends Early {

        @Override
        public void setBeanFactory(BeanFactory beans) {
            assertThat(beans.getBean(ReportingJobs.class)).isNotNull();
        }
    }

    /** Creates a bean before there is a proxy creator. */
    static class Early implements BeanPostProcessor, PriorityOrdered, BeanFactoryAware {

        @Override
        public void setBeanFactory(BeanFactory beans) {
            assertThat(beans.getBean(Jobs.class)).isNotNull();
        }

        @Override
        public int getOrder() {
            return 0;
        }
    }
}
