/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.spring.DeclaredLock;
import io.dynamolock.spring.DistributedLock;
import io.dynamolock.spring.InvalidDistributedLockException;
import io.dynamolock.spring.Locking;
import io.dynamolock.spring.StartFailure;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** A class inherits a method from one that does not know the annotated interface. */
class InheritedImplementationTests {

    private final ApplicationContextRunner contexts = Locking.inMemory();

    @ParameterizedTest
    @ValueSource(
            classes = {
                Inheriting.class,
                InheritingFurther.class,
                OfExtendedInterface.class,
                OfGenericInterface.class,
                OfGenericClass.class,
                OfEqualInterfaces.class,
                OfOverriddenInterface.class
            })
    void isLocked(Class<? extends Work> type) {
        contexts.withBean(type).run(context -> checkLock(context.getBean(Work.class), context.getBean(Locking.class)));
        contexts.withBean(type)
                .withPropertyValues("spring.aop.proxy-target-class=false")
                .run(context -> checkLock(context.getBean(Work.class), context.getBean(Locking.class)));
    }

    private static void checkLock(Work bean, Locking locking) {
        bean.work("1");

        assertThat(locking.acquired()).containsExactly("job-1");
    }

    @Test
    void isLockedIfCalledByItsClass() {
        contexts.withBean(Inheriting.class).run(context -> {
            ((Plain) context.getBean(Inheriting.class)).work("1");

            assertThat(context.getBean(Locking.class).acquired()).containsExactly("job-1");
            assertThat(context.getBean(DistributedLockAdvisor.class).declaredLocks())
                    .extracting(DeclaredLock::method)
                    .containsExactly(Inheriting.class.getName() + ".work");
        });
    }

    @Test
    void ofAnotherSignatureIsNotLocked() {
        contexts.withBean(Overloading.class).run(context -> {
            context.getBean(Overloading.class).work(1);

            assertThat(context.getBean(Locking.class).acquired()).isEmpty();
        });
    }

    @Test
    void ofDifferentAnnotationsStopsTheStart() {
        contexts.withBean(OfDifferentInterfaces.class)
                .run(context -> assertThat(StartFailure.of(context, InvalidDistributedLockException.class))
                        .hasMessageContaining("OfDifferentInterfaces.work")
                        .hasMessageContaining("it inherits several lock annotations (@DistributedLock of Job,"
                                + " @DistributedLock of Other), of which only one would take effect.")
                        .hasMessageContaining("Override the method in OfDifferentInterfaces, and annotate it there"));
        contexts.withBean(OfDifferentClassAndInterface.class)
                .run(context -> assertThat(StartFailure.of(context, InvalidDistributedLockException.class))
                        .hasMessageContaining("OfDifferentClassAndInterface.work")
                        .hasMessageContaining("it inherits several lock annotations (@DistributedLock of Locked,"
                                + " @DistributedLock of Job)"));
    }

    @Test
    void remedyForDifferentAnnotationsOfFinalMethodIsOneOfThem() {
        contexts.withBean(OfFinalMethodAndDifferentInterfaces.class)
                .run(context -> assertThat(StartFailure.of(context, InvalidDistributedLockException.class)
                                .remedy())
                        .isEqualTo("Annotate only one of them"));
    }

    @Test
    void thatIsFinalStopsTheStart() {
        contexts.withBean(OfFinalMethod.class)
                .run(context -> assertThat(StartFailure.of(context, InvalidDistributedLockException.class))
                        .hasMessageContaining("OfFinalMethod.work: a proxy cannot override a final method"));
    }

    interface Work {
        void work(String id);
    }

    interface Job extends Work {
        @Override
        @DistributedLock("job-#{#id}")
        void work(String id);
    }

    interface SameJob extends Work {
        @Override
        @DistributedLock("job-#{#id}")
        void work(String id);
    }

    interface ExtendedJob extends Job {}

    interface Other extends Work {
        @Override
        @DistributedLock("other")
        void work(String id);
    }

    interface Overriding extends Other {
        @Override
        @DistributedLock("job-#{#id}")
        void work(String id);
    }

    interface GenericJob<T> {
        @DistributedLock("job-#{#id}")
        void work(T id);
    }

    static class Plain {
        public void work(String id) {
            assertThat(id).isNotEmpty();
        }

        public void work(int id) {
            assertThat(id).isPositive();
        }
    }

    static class GenericPlain<T> {
        public void work(T id) {
            assertThat(id).isNotNull();
        }
    }

    static class Locked {
        @DistributedLock("class")
        public void work(String id) {
            assertThat(id).isNotEmpty();
        }
    }

    static class Unyielding {
        public final void work(String id) {
            assertThat(id).isNotEmpty();
        }
    }

    static class Inheriting extends Plain implements Job {}

    static class InheritingFurther extends Inheriting {}

    static class OfExtendedInterface extends Plain implements ExtendedJob {}

    static class OfGenericInterface extends Plain implements GenericJob<String>, Work {}

    static class OfGenericClass extends GenericPlain<String> implements Job {}

    static class OfEqualInterfaces extends Plain implements Job, SameJob {}

    static class OfOverriddenInterface extends Plain implements Other, Overriding {}

    static class Overloading extends Plain implements Job {}

    static class OfDifferentInterfaces extends Plain implements Job, Other {}

    static class OfDifferentClassAndInterface extends Locked implements Job {}

    static class OfFinalMethod extends Unyielding implements Job {}

    static class OfFinalMethodAndDifferentInterfaces extends Unyielding implements Job, Other {}
}
