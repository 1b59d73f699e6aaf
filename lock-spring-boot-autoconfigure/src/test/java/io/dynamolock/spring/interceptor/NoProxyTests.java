/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynamolock.LockManager;
import io.dynamolock.spring.DistributedLock;
import io.dynamolock.spring.InvalidDistributedLockException;
import io.dynamolock.spring.Locking;
import io.dynamolock.spring.LogCapture;
import io.dynamolock.spring.PackagePrivateWork;
import io.dynamolock.spring.StartFailure;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.framework.autoproxy.BeanNameAutoProxyCreator;
import org.springframework.aop.interceptor.SimpleTraceInterceptor;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanDefinitionHolder;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.Ordered;
import org.springframework.core.PriorityOrdered;
import org.springframework.scheduling.SchedulingAwareRunnable;

/** Annotations that would silently have no effect. */
@ExtendWith(LogCapture.class)
class NoProxyTests {

    private static final String WARNING = "@DistributedLock";

    private final ApplicationContextRunner contexts = Locking.inMemory();
    private final ApplicationContextRunner byInterface =
            contexts.withPropertyValues("spring.aop.proxy-target-class=false");

    static Stream<Arguments> mistakes() {
        return Stream.of(
                Arguments.of(PrivateMethod.class, "cannot intercept a private method"),
                Arguments.of(StaticMethod.class, "cannot intercept a static method"),
                Arguments.of(InheritedPrivate.class, "cannot intercept a private method"),
                Arguments.of(FinalMethod.class, "cannot override a final method"),
                Arguments.of(PackagePrivate.class, "cannot override a package-private method of another package"),
                Arguments.of(
                        PackagePrivateNamesake.class, "cannot override a package-private method of another package"),
                Arguments.of(PackagePrivateStill.class, "cannot override a package-private method of another package"),
                Arguments.of(FinalClass.class, "its class is final"),
                Arguments.of(FinalImplementation.class, "its class is final"),
                Arguments.of(SealedClass.class, "its class is sealed"),
                Arguments.of(FinalBesideOpen.class, "cannot override a final method"),
                Arguments.of(AllFinal.class, "all methods that it would lock are final"),
                Arguments.of(PrivateConstructor.class, "its class has only private constructors"));
    }

    @Test
    void remedyForFinalImplementationIsTheProxyOfItsInterface() {
        assertThat(remedyFor(FinalImplementation.class))
                .startsWith("Change that, or set spring.aop.proxy-target-class=false");
        assertThat(remedyFor(FinalMethod.class))
                .contains("Remove final, or declare the method in an interface and set spring.aop.proxy-target-class=");
        assertThat(remedyFor(FinalInherited.class))
                .endsWith("or set spring.aop.proxy-target-class=false, as an interface has the method");
        assertThat(remedyFor(FinalClose.class)).isEqualTo("Remove final");
        assertThat(remedyFor(FinalClass.class))
                .startsWith("Change that, or declare the method in an interface and set");
    }

    @Test
    void typeWithFinalWorkFailsTheStartupAlthoughItsOtherMethodsAreNot() {
        contexts.withBean(FinalRun.class)
                .run(context -> assertThat(StartFailure.of(context, InvalidDistributedLockException.class))
                        .hasMessageContaining("FinalRun.run: all methods that it would lock are final"));
    }

    private String remedyFor(Class<?> mistake) {
        AtomicReference<String> remedy = new AtomicReference<>();
        contexts.withInitializer(context -> ((GenericApplicationContext) context)
                        .registerBean(
                                mistake, definition -> ((AbstractBeanDefinition) definition).setDestroyMethodName("")))
                .run(context -> remedy.set(StartFailure.of(context, InvalidDistributedLockException.class)
                        .remedy()));
        return Objects.requireNonNull(remedy.get());
    }

    @ParameterizedTest
    @MethodSource("mistakes")
    void annotationThatCanNeverWorkFailsTheStartup(Class<?> mistake, String problem) {
        contexts.withBean(mistake)
                .run(context -> assertThat(StartFailure.of(context, InvalidDistributedLockException.class))
                        .hasMessageContaining(mistake.getName() + ".work")
                        .hasMessageContaining(problem));
    }

    @ParameterizedTest
    @MethodSource("mistakes")
    void annotationOfLazyBeanThatCannotWorkFailsStartup(Class<?> mistake, String problem) {
        contexts.withInitializer(context -> ((GenericApplicationContext) context)
                        .registerBean(mistake, definition -> definition.setLazyInit(true)))
                .run(context -> assertThat(StartFailure.of(context, InvalidDistributedLockException.class))
                        .hasMessageContaining(problem));
    }

    @Test
    void annotationOfBeanOfUnknownTypeIsFoundOnCreation() {
        contexts.withBean(
                        "late",
                        Object.class,
                        (Supplier<Object>) PrivateMethod::new,
                        definition -> definition.setLazyInit(true))
                .run(context -> {
                    assertThat(context).hasNotFailed();

                    assertThatThrownBy(() -> context.getBean("late"))
                            .hasRootCauseInstanceOf(InvalidDistributedLockException.class);
                });
    }

    @Test
    void finalMethodIsLockedByInterfaceProxy() {
        byInterface.withBean(Worker.class, FinalImplementation::new).run(context -> {
            context.getBean(Worker.class).work();

            assertThat(context.getBean(Locking.class).acquired()).containsExactly("job");
        });
    }

    @Test
    void methodMissingInInterfacesFailsTheStartupWithInterfaceProxy() {
        byInterface
                .withBean(Worker.class, OutsideOfTheInterface::new)
                .withBean(OutsideOfTheInterface.class)
                .run(context -> assertThat(StartFailure.of(context, InvalidDistributedLockException.class))
                        .hasMessageContaining("OutsideOfTheInterface.more")
                        .hasMessageContaining("none of them declares the method"));
        contexts.withBean(OutsideOfTheInterface.class)
                .run(context -> assertThat(context).hasNotFailed());
    }

    /** What is checked on its creation is the bean itself, whose proxy was made before. */
    @Test
    void lazyBeanInCircularReferenceIsLockedWithoutWarning(CapturedOutput output) {
        contexts.withAllowCircularReferences(true)
                .withUserConfiguration(Circle.class)
                .run(context -> {
                    context.getBean(InCircle.class).work();

                    assertThat(context.getBean(Locking.class).acquired()).containsExactly("job");
                    assertThat(output).doesNotContain("InCircle.work has no effect");
                });
    }

    @Test
    void annotatedTypeWarnsOfItsFinalMethods(CapturedOutput output) {
        contexts.withBean(FinalInLockedType.class).run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(output)
                    .contains("FinalInLockedType does not lock its method sealedWork: a proxy cannot override a final");
            assertThat(output).doesNotContain("helper");
        });
    }

    @Test
    void packagePrivateMethodThatIsOverriddenIsLocked() {
        contexts.withBean(MadePublicElsewhere.class).run(context -> {
            context.getBean(MadePublicElsewhere.class).work();

            assertThat(context.getBean(Locking.class).acquired()).containsExactly("job");
        });
    }

    @Test
    void beanCreatedTooEarlyLogsWarning(CapturedOutput output) {
        contexts.withUserConfiguration(TooEarly.class).run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(output)
                    .contains("Early.work has no effect: bean 'early' has no proxy")
                    .contains("TooEarly.configured has no effect");
        });
    }

    @Test
    void beanRegisteredAsSingletonLogsWarning(CapturedOutput output) {
        contexts.withInitializer(context -> context.getBeanFactory().registerSingleton("byHand", new Early()))
                .run(context -> assertThat(output).contains("bean 'byHand' has no proxy"));
    }

    @Test
    void proxiedBeanLogsNoWarning(CapturedOutput output) {
        contexts.withBean(Bridged.class)
                .withBean("prototype", Early.class, Early::new, definition -> definition.setScope("prototype"))
                .withInitializer(context -> registerScoped((GenericApplicationContext) context))
                .run(context -> {
                    context.getBean(Bridged.class).apply("x");
                    ((Early) context.getBean("prototype")).work();
                    ((Early) context.getBean("scoped")).work();

                    assertThat(context.getBean(Locking.class).acquired()).containsExactly("job", "early", "early");
                    assertThat(output).doesNotContain(WARNING);
                });
    }

    private static void registerScoped(GenericApplicationContext context) {
        DefaultListableBeanFactory beans = context.getDefaultListableBeanFactory();
        RootBeanDefinition definition = new RootBeanDefinition(Early.class);
        definition.setScope("prototype");
        BeanDefinitionHolder proxy =
                ScopedProxyUtils.createScopedProxy(new BeanDefinitionHolder(definition, "scoped"), beans, true);
        beans.registerBeanDefinition("scoped", proxy.getBeanDefinition());
    }

    interface Worker {

        void work();
    }

    static class PrivateMethod {

        @DistributedLock("job")
        @SuppressWarnings("UnusedMethod")
        private void work() {}
    }

    static class InheritedPrivate extends PrivateMethod {

        public void other() {}
    }

    static class StaticMethod {

        @DistributedLock("job")
        public static void work() {}
    }

    static class FinalMethod {

        @DistributedLock("job")
        public final void work() {}
    }

    interface TwoJobs extends Runnable {

        @Override
        @DistributedLock("one")
        void run();

        @DistributedLock("two")
        void work();
    }

    static class FinalBesideOpen implements TwoJobs {

        @Override
        public void run() {}

        @Override
        public final void work() {}
    }

    @DistributedLock("job")
    static class FinalInherited extends FinalMethodOfBase implements Worker {}

    static class FinalMethodOfBase {

        public final void work() {}
    }

    /** Spring makes no proxy of {@link AutoCloseable} alone. */
    static class FinalClose implements AutoCloseable {

        @Override
        @DistributedLock("close")
        public final void close() {}
    }

    static class PackagePrivate extends PackagePrivateWork {}

    /** Its method does not override the other one, which is in another package. */
    static class PackagePrivateNamesake extends PackagePrivateWork {

        public void work() {}
    }

    static class PackagePrivateStill extends PackagePrivateWork.StillHidden {}

    static class MadePublicElsewhere extends PackagePrivateWork.MadePublic {}

    @ParameterizedTest
    @ValueSource(strings = {BeanDefinition.SCOPE_SINGLETON, BeanDefinition.SCOPE_PROTOTYPE})
    void beanWithoutProxyIsReportedOnItsCreation(String scope, CapturedOutput output) {
        contexts.withBean("first", BeanNameAutoProxyCreator.class, NoProxyTests::otherProxyForLate)
                .withPropertyValues("spring.aop.proxy-target-class=false")
                .withBean("trace", SimpleTraceInterceptor.class)
                .withBean("late", Work.class, LateWork::new, definition -> {
                    definition.setLazyInit(true);
                    definition.setScope(scope);
                })
                .run(context -> {
                    assertThat(output).doesNotContain("has no effect");

                    context.getBean(Work.class).work();

                    assertThat(output).contains("LateWork.work has no effect: bean 'late' has no proxy");
                });
    }

    /** Comes before the locks, which then see a JDK proxy whose interface has no annotation. */
    private static BeanNameAutoProxyCreator otherProxyForLate() {
        BeanNameAutoProxyCreator creator = new BeanNameAutoProxyCreator();
        creator.setOrder(Ordered.HIGHEST_PRECEDENCE);
        creator.setBeanNames("late");
        creator.setInterceptorNames("trace");
        return creator;
    }

    interface Work {

        void work();
    }

    static class LateWork implements Work {

        @Override
        @DistributedLock("job")
        public void work() {}
    }

    @Configuration(proxyBeanMethods = false)
    static class Circle {

        @Bean
        @Lazy
        InCircle inCircle() {
            return new InCircle();
        }
    }

    static class InCircle {

        @Autowired
        void setSelf(InCircle self) {
            assertThat(self).isNotNull();
        }

        @DistributedLock("job")
        public void work() {}
    }

    static final class FinalClass {

        @DistributedLock("job")
        public void work() {}
    }

    static sealed class SealedClass permits PartOfSealed {

        @DistributedLock("job")
        public void work() {}
    }

    static final class PartOfSealed extends SealedClass {}

    static class PrivateConstructor {

        private PrivateConstructor() {}

        @DistributedLock("job")
        public void work() {}
    }

    static final class FinalImplementation implements Worker {

        @Override
        @DistributedLock("job")
        public void work() {}
    }

    static class OutsideOfTheInterface implements Worker {

        @Override
        public void work() {}

        @DistributedLock("job")
        public void more() {}
    }

    @DistributedLock("type")
    static class FinalInLockedType {

        public final void sealedWork() {}

        void otherWork() {}

        @SuppressWarnings("UnusedMethod")
        private static void helper() {}
    }

    @DistributedLock("type")
    static class AllFinal {

        public final void work() {}
    }

    @DistributedLock("job")
    static class FinalRun implements SchedulingAwareRunnable {

        @Override
        public final void run() {}
    }

    static class Early {

        @DistributedLock("early")
        public void work() {}
    }

    @Configuration(proxyBeanMethods = false)
    static class TooEarly {

        @Bean
        static Early early() {
            return new Early();
        }

        @Bean
        NeedsOthers processor(Early early) {
            return new NeedsOthers(early);
        }

        @DistributedLock("configured")
        public void configured(LockManager unused) {}
    }

    /** Bean post-processor, created together with its dependencies before beans can be proxied. */
    record NeedsOthers(Early early) implements BeanPostProcessor, PriorityOrdered {

        @Override
        public int getOrder() {
            return 0;
        }
    }

    static class Bridged implements UnaryOperator<String> {

        @Override
        @DistributedLock("job")
        public String apply(String other) {
            return other;
        }
    }
}
