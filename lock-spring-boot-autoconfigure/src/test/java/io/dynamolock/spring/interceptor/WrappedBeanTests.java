/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynamolock.spring.DistributedLock;
import io.dynamolock.spring.Locking;
import io.dynamolock.spring.LogCapture;
import io.dynamolock.spring.ReplacedBeans;
import jakarta.annotation.PostConstruct;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.aop.framework.autoproxy.BeanNameAutoProxyCreator;
import org.springframework.aop.interceptor.SimpleTraceInterceptor;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.core.Ordered;

/** Beans that another post-processor replaces before their proxy is made, or wraps or unwraps afterwards. */
@ExtendWith(LogCapture.class)
class WrappedBeanTests {

    private static final String WARNING = "has no effect";

    private final ApplicationContextRunner contexts = Locking.inMemory();

    private enum Kind {
        EAGER,
        LAZY,
        PROTOTYPE;

        void define(BeanDefinition definition) {
            definition.setLazyInit(this == LAZY);
            definition.setScope(this == PROTOTYPE ? "prototype" : "singleton");
        }
    }

    @ParameterizedTest
    @EnumSource
    void replacedBeforeItsProxyIsReported(Kind kind, CapturedOutput output) {
        contexts.withBean(ReplacedBeans.Early.class, () -> ReplacedBeans.Early.of(Work.class, Wrapper::new))
                .withBean("work", Work.class, LockedWork::new, kind::define)
                .run(context -> {
                    context.getBean(Work.class).work();

                    assertThat(context.getBean(Locking.class).acquired()).isEmpty();
                    assertThat(output)
                            .containsOnlyOnce(WARNING)
                            .contains("LockedWork.work has no effect: bean 'work' was replaced by a "
                                    + Wrapper.class.getName() + " before its proxy was made");
                });
    }

    @Test
    void prototypeOfSingletonIsReported(CapturedOutput output) {
        contexts.withBean(ReplacedBeans.Early.class, () -> ReplacedBeans.Early.of(Work.class, Wrapper::new))
                .withBean("work", Work.class, LockedWork::new, Kind.PROTOTYPE::define)
                .withBean(NeedsWork.class)
                .run(context -> {
                    context.getBean(NeedsWork.class).work().work();

                    assertThat(context.getBean(Locking.class).acquired()).isEmpty();
                    assertThat(output).contains("LockedWork.work has no effect: bean 'work' was replaced");
                });
    }

    @ParameterizedTest
    @EnumSource
    void replacedBeforeItsInitializationIsReported(Kind kind, CapturedOutput output) {
        contexts.withBean(ReplacesBeforeInit.class)
                .withBean("work", Work.class, LockedWork::new, kind::define)
                .run(context -> {
                    context.getBean(Work.class).work();

                    assertThat(output).contains("LockedWork.work has no effect: bean 'work' was replaced");
                });
    }

    @ParameterizedTest
    @EnumSource
    void wrappedAfterwardsIsLockedWithoutReport(Kind kind, CapturedOutput output) {
        contexts.withBean(ReplacedBeans.Late.class, () -> ReplacedBeans.Late.of(Work.class, Wrapper::new))
                .withBean("work", Work.class, LockedWork::new, kind::define)
                .run(context -> {
                    Work work = context.getBean(Work.class);
                    work.work();

                    assertThat(work).isInstanceOf(Wrapper.class);
                    assertThat(context.getBean(Locking.class).acquired()).containsExactly("work");
                    assertThat(output).doesNotContain(WARNING);
                });
    }

    /** Of its class, as of an interface with the annotation, an object would get a proxy, too, but is no bean. */
    @ParameterizedTest
    @EnumSource
    void wrappedByObjectWithTheAnnotationIsLockedWithoutReport(Kind kind, CapturedOutput output) {
        contexts.withBean(
                        ReplacedBeans.Late.class,
                        () -> ReplacedBeans.Late.of(Work.class, work -> new FinalWrapper((ContractWork) work)))
                .withBean("work", ContractWork.class, ImplementedWork::new, kind::define)
                .run(context -> {
                    ContractWork work = context.getBean(ContractWork.class);
                    work.work();

                    assertThat(work).isInstanceOf(FinalWrapper.class);
                    assertThat(context.getBean(Locking.class).acquired()).containsExactly("contract");
                    assertThat(output).doesNotContain(WARNING);
                });
    }

    @ParameterizedTest
    @EnumSource
    void wrappedByObjectOfItsSubclassIsLockedWithoutReport(Kind kind, CapturedOutput output) {
        contexts.withBean(ReplacedBeans.Late.class, () -> ReplacedBeans.Late.of(Work.class, SubclassWrapper::new))
                .withBean("work", LockedWork.class, LockedWork::new, kind::define)
                .run(context -> {
                    LockedWork work = context.getBean(LockedWork.class);
                    work.work();

                    assertThat(work).isInstanceOf(SubclassWrapper.class);
                    assertThat(context.getBean(Locking.class).acquired()).containsExactly("work");
                    assertThat(output).doesNotContain(WARNING);
                });
    }

    /** It is the object for which its proxy was made. */
    @ParameterizedTest
    @EnumSource
    void replacedAndUnwrappedIsReported(Kind kind, CapturedOutput output) {
        contexts.withBean(ReplacedBeans.Early.class, () -> ReplacedBeans.Early.of(Work.class, LockedWrapper::new))
                .withBean(ReplacedBeans.Late.class, () -> ReplacedBeans.Late.unwrapping(Work.class))
                .withBean("work", Work.class, LockedWork::new, kind::define)
                .run(context -> {
                    context.getBean(Work.class).work();

                    assertThat(context.getBean(Locking.class).acquired()).isEmpty();
                    assertThat(output).containsOnlyOnce(WARNING).contains("bean 'work' has no proxy");
                });
    }

    /** Of records, Spring sets no properties, so that their creation is noticed later. */
    @Test
    void wrappedRecordIsLockedWithoutReport(CapturedOutput output) {
        contexts.withPropertyValues("spring.aop.proxy-target-class=false")
                .withBean(ReplacedBeans.Late.class, () -> ReplacedBeans.Late.of(Work.class, Wrapper::new))
                .withBean("work", Work.class, LockedRecord::new)
                .run(context -> {
                    context.getBean(Work.class).work();

                    assertThat(context.getBean(Locking.class).acquired()).containsExactly("record");
                    assertThat(output).doesNotContain(WARNING);
                });
    }

    @Test
    void replacedRecordIsReported(CapturedOutput output) {
        contexts.withPropertyValues("spring.aop.proxy-target-class=false")
                .withBean(ReplacedBeans.Early.class, () -> ReplacedBeans.Early.of(Work.class, Wrapper::new))
                .withBean("work", Work.class, LockedRecord::new)
                .run(context -> {
                    context.getBean(Work.class).work();

                    assertThat(output).contains("LockedRecord.work has no effect: bean 'work' was replaced");
                });
    }

    /** Of the one of the locks, and of another one that it is around. */
    @ParameterizedTest
    @EnumSource
    void unwrappedOfTwoProxiesIsReported(Kind kind, CapturedOutput output) {
        contexts.withPropertyValues("spring.aop.proxy-target-class=false")
                .withBean("trace", SimpleTraceInterceptor.class)
                .withBean(BeanNameAutoProxyCreator.class, WrappedBeanTests::otherProxy)
                .withBean(ReplacedBeans.Late.class, () -> ReplacedBeans.Late.unwrapping(Work.class))
                .withBean("work", ContractWork.class, ImplementedWork::new, kind::define)
                .run(context -> {
                    context.getBean(ContractWork.class).work();

                    assertThat(context.getBean(Locking.class).acquired()).isEmpty();
                    assertThat(output).containsOnlyOnce(WARNING).contains("bean 'work' has no proxy");
                });
    }

    private static BeanNameAutoProxyCreator otherProxy() {
        BeanNameAutoProxyCreator creator = new BeanNameAutoProxyCreator();
        creator.setOrder(Ordered.HIGHEST_PRECEDENCE);
        creator.setBeanNames("work");
        creator.setInterceptorNames("trace");
        return creator;
    }

    /** Whatever became of the proxy that it had. */
    @ParameterizedTest
    @EnumSource
    void unwrappedAfterwardsIsReported(Kind kind, CapturedOutput output) {
        contexts.withBean(ReplacedBeans.Late.class, () -> ReplacedBeans.Late.unwrapping(Work.class))
                .withBean("work", Work.class, LockedWork::new, kind::define)
                .run(context -> {
                    context.getBean(Work.class).work();

                    assertThat(context.getBean(Locking.class).acquired()).isEmpty();
                    assertThat(output)
                            .containsOnlyOnce(WARNING)
                            .contains("LockedWork.work has no effect: bean 'work' has no proxy");
                });
    }

    @ParameterizedTest
    @EnumSource
    void replacedByOtherLockedOneIsLockedWithoutReport(Kind kind, CapturedOutput output) {
        contexts.withBean(ReplacedBeans.Early.class, () -> ReplacedBeans.Early.of(Work.class, LockedWrapper::new))
                .withBean(ReplacedBeans.Late.class, () -> ReplacedBeans.Late.of(Work.class, Wrapper::new))
                .withBean("work", Work.class, LockedWork::new, kind::define)
                .run(context -> {
                    context.getBean(Work.class).work();

                    assertThat(context.getBean(Locking.class).acquired()).containsExactly("wrapper");
                    assertThat(output).doesNotContain(WARNING);
                });
    }

    /** The class of one instance says nothing about that of another. */
    @Test
    void prototypeOfVaryingClassIsNotReported(CapturedOutput output) {
        AtomicInteger made = new AtomicInteger();
        contexts.withBean(
                        "work",
                        Work.class,
                        () -> made.getAndIncrement() == 0 ? new LockedWork() : new Wrapper(new LockedWork()),
                        Kind.PROTOTYPE::define)
                .run(context -> {
                    context.getBean(Work.class).work();
                    context.getBean(Work.class).work();

                    assertThat(context.getBean(Locking.class).acquired()).containsExactly("work");
                    assertThat(output).doesNotContain(WARNING);
                });
    }

    /** The proxy of one instance says nothing about another. */
    @Test
    void laterPrototypeIsReported(CapturedOutput output) {
        AtomicInteger made = new AtomicInteger();
        contexts.withBean(
                        ReplacedBeans.Early.class,
                        () -> ReplacedBeans.Early.of(
                                Work.class, work -> made.getAndIncrement() == 0 ? work : new Wrapper(work)))
                .withBean("work", Work.class, LockedWork::new, Kind.PROTOTYPE::define)
                .run(context -> {
                    context.getBean(Work.class).work();
                    assertThat(output).doesNotContain(WARNING);
                    context.getBean(Work.class).work();

                    assertThat(context.getBean(Locking.class).acquired()).containsExactly("work");
                    assertThat(output).contains("LockedWork.work has no effect: bean 'work' was replaced");
                });
    }

    @Test
    void isNotReportedIfItsCreationFailed(CapturedOutput output) {
        contexts.withBean("work", Work.class, FailingWork::new, Kind.LAZY::define)
                .withBean(AsksForWork.class)
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(output).doesNotContain(WARNING);
                });
    }

    @Test
    void isNotReportedIfAnotherDefinitionReplacesItsOwn() {
        contexts.withBean("work", Work.class, LockedWork::new).run(context -> {
            DefaultListableBeanFactory beans = (DefaultListableBeanFactory)
                    context.getSourceApplicationContext().getBeanFactory();
            RootBeanDefinition other = new RootBeanDefinition(InitializedWork.class);
            other.setInitMethodName("work");
            beans.removeBeanDefinition("work");
            beans.registerBeanDefinition("work", other);

            assertThat(context.getBean("work")).isInstanceOf(InitializedWork.class);
        });
    }

    interface Work {

        void work();
    }

    static class LockedWork implements Work {

        @Override
        @DistributedLock("work")
        public void work() {}
    }

    interface ContractWork extends Work {

        @Override
        @DistributedLock("contract")
        void work();
    }

    static class ImplementedWork implements ContractWork {

        @Override
        public void work() {}
    }

    record FinalWrapper(ContractWork wrapped) implements ContractWork {

        @Override
        public void work() {
            wrapped.work();
        }
    }

    static class SubclassWrapper extends LockedWork {

        private final Work wrapped;

        SubclassWrapper(Work wrapped) {
            this.wrapped = wrapped;
        }

        @Override
        public void work() {
            wrapped.work();
        }
    }

    record LockedRecord() implements Work {

        @Override
        @DistributedLock("record")
        public void work() {}
    }

    record NeedsWork(Work work) {}

    static class FailingWork extends LockedWork {

        @PostConstruct
        void open() {
            throw new IllegalStateException("no connection");
        }
    }

    static class AsksForWork {

        AsksForWork(ObjectProvider<Work> work) {
            assertThatThrownBy(work::getObject).hasRootCauseMessage("no connection");
        }
    }

    static class InitializedWork implements Work {

        @Override
        public void work() {}
    }

    record Wrapper(Work wrapped) implements Work {

        @Override
        public void work() {
            wrapped.work();
        }
    }

    static class LockedWrapper implements Work {

        private final Work wrapped;

        LockedWrapper(Work wrapped) {
            this.wrapped = wrapped;
        }

        @Override
        @DistributedLock("wrapper")
        public void work() {
            wrapped.work();
        }
    }

    static class ReplacesBeforeInit implements BeanPostProcessor {

        @Override
        public Object postProcessBeforeInitialization(Object bean, String name) {
            return bean instanceof LockedWork work ? new Wrapper(work) : bean;
        }
    }
}
