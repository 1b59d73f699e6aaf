/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.LockManager;
import io.dynamolock.LockState;
import io.dynamolock.spring.DistributedLock;
import io.dynamolock.spring.InvalidDistributedLockException;
import io.dynamolock.spring.Locking;
import io.dynamolock.spring.StartFailure;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Several annotations of one method or type are a mistake, as only one would take effect; one of each is none. */
class SeveralAnnotationsTests {

    private final ApplicationContextRunner contexts = Locking.inMemory();

    @ParameterizedTest
    @ValueSource(
            classes = {
                TwoComposed.class,
                DirectBesideComposed.class,
                OnType.class,
                OnInterface.class,
                Combining.class,
                Repeating.class
            })
    void onOneElementStopTheStart(Class<?> mistake) {
        contexts.withBean(mistake)
                .run(context -> assertThat(StartFailure.of(context, InvalidDistributedLockException.class))
                        .hasMessageContaining(mistake.getSimpleName() + ".work")
                        .hasMessageContaining("several lock annotations")
                        .hasMessageContaining("only one would take effect")
                        .hasMessageContaining("names = {...}"));
    }

    @Test
    void theMessageNamesThem() {
        contexts.withBean(TwoComposed.class)
                .run(context -> assertThat(StartFailure.of(context, InvalidDistributedLockException.class))
                        .hasMessageContaining("it has several lock annotations (@LockAccount, @LockOrder)"));
        contexts.withBean(OnType.class)
                .run(context -> assertThat(StartFailure.of(context, InvalidDistributedLockException.class))
                        .hasMessageContaining("its type has several lock annotations (@DistributedLock, @LockOrder)"));
    }

    /** The type chooses the manager of its annotated methods. */
    @Test
    void onTypeOfAnnotatedMethodStopTheStart() {
        contexts.withBean(OnTypeOfLocked.class)
                .run(context -> assertThat(StartFailure.of(context, InvalidDistributedLockException.class))
                        .hasMessageContaining("OnTypeOfLocked.work")
                        .hasMessageContaining("its type has several lock annotations (@LockAccount, @LockStock)"));
        contexts.withBean(OnTypeOfLockedForOneManager.class)
                .run(context -> assertThat(context).hasNotFailed());
        contexts.withBean(OnTypeOfLockedWithManager.class)
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void differentOnesThatAreInheritedStopTheStart() {
        contexts.withBean(OfDifferentInterfaces.class)
                .run(context -> assertThat(StartFailure.of(context, InvalidDistributedLockException.class))
                        .hasMessageContaining("OfDifferentInterfaces.work")
                        .hasMessageContaining("it inherits several lock annotations (@LockAccount of Locked,"
                                + " @DistributedLock of LockedOtherwise), of which only one would take effect")
                        .hasMessageContaining("Annotate the method itself"));
        contexts.withBean(OfDifferentTypes.class)
                .run(context -> assertThat(StartFailure.of(context, InvalidDistributedLockException.class))
                        .hasMessageContaining("its type inherits several lock annotations (@LockAccount of AccountType,"
                                + " @LockOrder of OrderType)")
                        .hasMessageContaining("Annotate the type itself"));
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                OnMethodAndType.class,
                OnMethodAndInterface.class,
                OnBridgedMethod.class,
                OfSeveralInterfaces.class,
                OfRepeatedInterface.class,
                OfInterfaceTwice.class,
                OfOverridingInterface.class,
                OfOverriddenInterface.class,
                OfOverriddenInterfaceBesideEqual.class
            })
    void ofSeveralElementsTheMostSpecificLocks(Class<? extends Work> legal) {
        contexts.withBean(legal).run(context -> {
            context.getBean(Work.class).work("");

            assertThat(context.getBean(Locking.class).acquired()).containsExactly("account");
        });
    }

    /** Whatever the order of the interfaces. */
    @Test
    void differentOnesThatOverrideTheSameStopTheStart() {
        contexts.withBean(OfConflictingInterfaces.class)
                .run(context -> assertThat(StartFailure.of(context, InvalidDistributedLockException.class))
                        .hasMessageContaining("it inherits several lock annotations (@LockAccount of LockedAgain,"
                                + " @LockOrder of LockedThirdly), of which"));
    }

    @ParameterizedTest
    @ValueSource(classes = {OfOverridingType.class, OfOverriddenType.class})
    void theMostSpecificTypeChoosesTheManager(Class<? extends Work> legal) {
        contexts.withPropertyValues("dynamolock.managers.billing.table.name=billing-locks")
                .withBean(legal)
                .run(context -> {
                    context.getBean(Work.class).work("");

                    assertThat(context.getBean("billing", LockManager.class).inspect("own"))
                            .extracting(LockState::fencingToken)
                            .isNotEqualTo(0L);
                });
    }

    @Retention(RetentionPolicy.RUNTIME)
    @DistributedLock("account")
    @interface LockAccount {}

    @Retention(RetentionPolicy.RUNTIME)
    @DistributedLock("order")
    @interface LockOrder {}

    @Retention(RetentionPolicy.RUNTIME)
    @LockAccount
    @LockOrder
    @interface LockBoth {}

    @Retention(RetentionPolicy.RUNTIME)
    @Repeatable(LockEach.class)
    @DistributedLock("again")
    @interface LockAgain {}

    @Retention(RetentionPolicy.RUNTIME)
    @interface LockEach {
        LockAgain[] value();
    }

    interface Work {
        void work(String id);
    }

    interface Generic<T> {
        @LockAccount
        void work(T id);
    }

    interface Locked extends Work {
        @Override
        @LockAccount
        void work(String id);
    }

    interface AlsoLocked extends Work {
        @Override
        @LockAccount
        void work(String id);
    }

    interface LockedTwice {
        @LockAccount
        @LockOrder
        void work();
    }

    static class TwoComposed {
        @LockAccount
        @LockOrder
        public void work() {}
    }

    static class DirectBesideComposed {
        @LockAccount
        @DistributedLock("order")
        public void work() {}
    }

    @DistributedLock("account")
    @LockOrder
    static class OnType {
        public void work() {}
    }

    static class OnInterface implements LockedTwice {
        @Override
        public void work() {}
    }

    static class Combining {
        @LockBoth
        public void work() {}
    }

    static class Repeating {
        @LockAgain
        @LockAgain
        public void work() {}
    }

    @LockOrder
    static class OnMethodAndType implements Work {
        @Override
        @LockAccount
        public void work(String id) {}
    }

    static class OnMethodAndInterface implements Locked {
        @Override
        @LockAccount
        public void work(String id) {}
    }

    static class OnBridgedMethod implements Generic<String>, Work {
        @Override
        @LockAccount
        public void work(String id) {}
    }

    static class OfSeveralInterfaces implements Locked, AlsoLocked {
        @Override
        public void work(String id) {}
    }

    interface LockedOtherwise extends Work {
        @Override
        @DistributedLock("other")
        void work(String id);
    }

    interface LockedAgain extends LockedOtherwise {
        @Override
        @LockAccount
        void work(String id);
    }

    interface Passing extends Locked {}

    interface AlsoPassing extends Locked {}

    static class OfInterfaceTwice implements Passing, AlsoPassing {
        @Override
        public void work(String id) {}
    }

    static class OfOverridingInterface implements LockedAgain, LockedOtherwise {
        @Override
        public void work(String id) {}
    }

    static class OfOverriddenInterface implements LockedOtherwise, LockedAgain {
        @Override
        public void work(String id) {}
    }

    static class OfOverriddenInterfaceBesideEqual implements Locked, LockedOtherwise, LockedAgain {
        @Override
        public void work(String id) {}
    }

    interface LockedThirdly extends LockedOtherwise {
        @Override
        @LockOrder
        void work(String id);
    }

    static class OfConflictingInterfaces implements LockedOtherwise, LockedAgain, LockedThirdly {
        @Override
        public void work(String id) {}
    }

    @DistributedLock(name = "type", manager = "dynamolockManager")
    interface OfDefault extends Work {}

    @DistributedLock(name = "type", manager = "billing")
    interface OfBilling extends OfDefault {}

    static class OfOverridingType implements OfBilling, OfDefault {
        @Override
        @DistributedLock("own")
        public void work(String id) {}
    }

    static class OfOverriddenType implements OfDefault, OfBilling {
        @Override
        @DistributedLock("own")
        public void work(String id) {}
    }

    static class OfDifferentInterfaces implements Locked, LockedOtherwise {
        @Override
        public void work(String id) {}
    }

    @LockAccount
    interface AccountType {}

    @LockOrder
    interface OrderType {}

    static class OfDifferentTypes implements AccountType, OrderType {
        public void work() {}
    }

    @Retention(RetentionPolicy.RUNTIME)
    @DistributedLock(name = "stock", manager = "dynamolockManager")
    @interface LockStock {}

    @LockAccount
    @LockStock
    static class OnTypeOfLocked {
        @DistributedLock("own")
        public void work() {}
    }

    @LockAccount
    @LockOrder
    static class OnTypeOfLockedForOneManager {
        @DistributedLock("own")
        public void work() {}
    }

    @LockAccount
    @LockStock
    static class OnTypeOfLockedWithManager {
        @DistributedLock(name = "own", manager = "dynamolockManager")
        public void work() {}
    }

    static class OfOverridingBase implements LockedOtherwise {
        @Override
        @LockAccount
        public void work(String id) {}
    }

    static class OfRepeatedInterface extends OfOverridingBase implements LockedOtherwise {
        @Override
        public void work(String id) {}
    }
}
