/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.Lease;
import io.dynamolock.LockManager;
import io.dynamolock.spring.Leadership;
import io.dynamolock.spring.Locking;
import io.dynamolock.spring.leader.OnlyOnLeaderAdvisor;
import java.lang.reflect.Modifier;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.MethodMatcher;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/**
 * Kotlin functions that override generic ones with primitive types or value classes. A call by the generic type runs a
 * bridge, which Spring does not relate to them.
 */
class KotlinBridgeTests {

    private final ApplicationContextRunner contexts = Locking.inMemory();

    @Test
    void areLockedWithAPrimitiveTypeAlso() {
        contexts.withBean(KotlinLongHandler.class).run(context -> {
            KotlinLongHandler work = context.getBean(KotlinLongHandler.class);

            assertThat(KotlinBridgeCalls.longs(work)).containsExactly("id-7", "id-7");
            assertThat(KotlinBridgeCalls.byType(work)).isEqualTo("id-7");
            assertThat(context.getBean(Locking.class).events()).hasSize(6);
        });
    }

    @Test
    void areLockedWithAValueClassOfText() {
        contexts.withBean(KotlinNameHandler.class)
                .run(context -> assertThat(KotlinBridgeCalls.names(context.getBean(KotlinNameHandler.class)))
                        .containsExactly("id-a", "id-a"));
    }

    @Test
    void areLockedIfTheyAreOverriddenOnceMore() {
        contexts.withBean(KotlinNextLongHandler.class).run(context -> {
            KotlinNextLongHandler work = context.getBean(KotlinNextLongHandler.class);

            assertThat(KotlinBridgeCalls.longs(work)).containsExactly("next id-7", "id-7");
            assertThat(KotlinBridgeCalls.byType(work)).isEqualTo("next id-7");
        });
    }

    /** The interface does not have the annotation. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @SuppressWarnings("unchecked")
    void areLockedByTheGenericTypeAlso(boolean byClass) {
        contexts.withPropertyValues("spring.aop.proxy-target-class=" + byClass)
                .withBean("id", KotlinLockedIdHandler.class)
                .withBean("long", KotlinLockedLongHandler.class)
                .run(context -> {
                    KotlinPlainHandler<KotlinId> ofId = (KotlinPlainHandler<KotlinId>) context.getBean("id");
                    KotlinPlainHandler<Long> ofLong = (KotlinPlainHandler<Long>) context.getBean("long");

                    assertThat(KotlinBridgeCalls.id(ofId)).isEqualTo("id-8");
                    assertThat(KotlinBridgeCalls.plainLong(ofLong)).isEqualTo("id-8");
                    try (Lease other = context.getBean(LockManager.class)
                            .tryAcquire("id-8")
                            .orElseThrow()) {
                        assertThat(other.isHeld()).isTrue();
                        assertThat(KotlinBridgeCalls.id(ofId)).isEqualTo("instead of 7");
                        assertThat(KotlinBridgeCalls.plainLong(ofLong)).isEqualTo("instead of 7");
                    }
                });
    }

    @Test
    void areToldFromThoseOfAnotherValueClass() {
        contexts.withBean(KotlinIdBesideOther.class)
                .withBean(KotlinOtherBesideId.class)
                .run(context -> {
                    assertThat(KotlinBridgeCalls.id(context.getBean(KotlinIdBesideOther.class)))
                            .isEqualTo("id-7");
                    assertThat(KotlinBridgeCalls.other(context.getBean(KotlinOtherBesideId.class)))
                            .isEqualTo("id-7");
                });
    }

    @Test
    void haveFallbacksOfAnyTypeAndSuchThatOverrideOthers() {
        contexts.withBean(KotlinAnyHandler.class)
                .withBean(KotlinTextSpare.class)
                .run(context -> {
                    try (Lease other =
                            context.getBean(LockManager.class).tryAcquire("any").orElseThrow()) {
                        assertThat(other.isHeld()).isTrue();
                        assertThat(KotlinBridgeCalls.any(context.getBean(KotlinAnyHandler.class)))
                                .isEqualTo("instead of a");
                        assertThat(context.getBean(KotlinTextSpare.class).work("b"))
                                .isEqualTo("instead of b");
                    }
                });
    }

    @Test
    void haveOneLockForEachWayOfCalling() {
        contexts.withBean(KotlinLockedIdHandler.class).run(context -> {
            KotlinLockedIdHandler work = context.getBean(KotlinLockedIdHandler.class);

            assertThat(KotlinBridgeCalls.idByClass(work)).isEqualTo("id-8");
            assertThat(KotlinBridgeCalls.id(work)).isEqualTo("id-8");
            assertThat(context.getBean(DistributedLockAdvisor.class).check(KotlinLockedIdHandler.class))
                    .hasSize(2);
        });
    }

    @Test
    void areSkippedWithoutLeadership() {
        MethodMatcher skipped = new OnlyOnLeaderAdvisor(Optional::<Leadership>empty, null)
                .getPointcut()
                .getMethodMatcher();

        Stream.of(KotlinLongLeaderWork.class, KotlinIdLeaderWork.class)
                .flatMap(type -> Stream.of(type.getDeclaredMethods()))
                .filter(method -> !Modifier.isStatic(method.getModifiers())) // that of a coverage tool
                .forEach(method -> assertThat(skipped.matches(method, method.getDeclaringClass()))
                        .as("%s", method)
                        .isTrue());
    }
}
