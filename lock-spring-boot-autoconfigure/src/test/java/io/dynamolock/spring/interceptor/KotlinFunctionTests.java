/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.Lease;
import io.dynamolock.LockManager;
import io.dynamolock.spring.DeclaredLock;
import io.dynamolock.spring.InvalidDistributedLockException;
import io.dynamolock.spring.LockInterruptedException;
import io.dynamolock.spring.Locking;
import io.dynamolock.spring.LogCapture;
import io.dynamolock.spring.StartFailure;
import io.dynamolock.spring.boot.DynamolockLeaderAutoConfiguration;
import java.util.concurrent.CancellationException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.scheduling.annotation.EnableAsync;

/** Kotlin functions whose compiled form differs from their source: in names, parameters and overloads. */
@ExtendWith(LogCapture.class)
class KotlinFunctionTests {

    private final ApplicationContextRunner contexts = Locking.inMemory();

    @Test
    void haveOneLockForAValueWhetherItIsBoxedOrNot() {
        contexts.withBean(KotlinIds.class).run(context -> {
            assertThat(KotlinFunctionCalls.ids(context.getBean(KotlinIds.class), 7))
                    .hasSize(8)
                    .containsOnly("id-7");
        });
    }

    @Test
    void areLockedIfTheyOverrideOnesOfAnyTypeByThoseOfAValueClass() {
        contexts.withBean(KotlinIdHandler.class).run(context -> {
            KotlinIdHandler work = context.getBean(KotlinIdHandler.class);

            assertThat(KotlinFunctionCalls.overrides(work, 7)).containsExactly("id-7", "id-7");
            assertThat(KotlinFunctionCalls.override(work, 7)).isEqualTo("id-7");

            assertThat(context.getBean(Locking.class).events()).hasSize(6).containsOnly("+id-7", "-id-7");
        });
    }

    @Test
    void areLockedIfTheyOverrideSuchAnOverride() {
        contexts.withBean(KotlinNextHandler.class).run(context -> {
            KotlinIdHandler work = context.getBean(KotlinNextHandler.class);

            assertThat(KotlinFunctionCalls.overrides(work, 7)).containsExactly("next id-7", "id-7");
        });
    }

    @Test
    void areLockedIfTheyOverrideOnesOfASuperclass() {
        contexts.withBean(KotlinIdSource.class).run(context -> {
            KotlinIdSource work = context.getBean(KotlinIdSource.class);

            assertThat(KotlinFunctionCalls.overrides(work, 7)).containsExactly(7L, "pair-a");
        });
    }

    @Test
    void areLockedIfTheyInheritSuchAnOverride() {
        contexts.withBean(KotlinInheritingHandler.class).run(context -> {
            KotlinDefaultHandler work = context.getBean(KotlinDefaultHandler.class);

            assertThat(KotlinFunctionCalls.overrides(work, 7)).containsExactly("id-7", "id-7");
        });
    }

    /** The bridge to an override has only the name of the others. */
    @Test
    void areNotLockedByTheAnnotationOfAnotherOneOfTheirName() {
        contexts.withBean(KotlinTextHandler.class).run(context -> {
            KotlinTextHandler work = context.getBean(KotlinTextHandler.class);

            assertThat(KotlinFunctionCalls.overloads(work, 7)).containsExactly("id-a", "none", "none");
        });
    }

    @Test
    void haveAFallbackByItsNameInTheSource() {
        contexts.withBean(KotlinFallbacks.class).run(context -> {
            KotlinFallbacks work = context.getBean(KotlinFallbacks.class);
            try (Lease held =
                    context.getBean(LockManager.class).tryAcquire("job").orElseThrow()) {
                assertThat(held.isHeld()).isTrue();
                assertThat(KotlinFunctionCalls.fallbacks(work))
                        .containsExactly(
                                "instead of a", "instead of KotlinId(number=5)", "instead of KotlinId(number=6)");
            }

            assertThat(KotlinFunctionCalls.fallbacks(work))
                    .containsExactly("work on a", "work on KotlinId(number=5)", "work on KotlinId(number=6)");
        });
    }

    @Test
    void haveTheFallbackForTheirValueClass() {
        contexts.withBean(KotlinAlternatives.class).run(context -> {
            KotlinAlternatives work = context.getBean(KotlinAlternatives.class);
            try (Lease held =
                    context.getBean(LockManager.class).tryAcquire("job").orElseThrow()) {
                assertThat(held.isHeld()).isTrue();
                assertThat(KotlinFunctionCalls.fallback(work, 5)).isEqualTo("instead of KotlinId(number=5)");
            }
        });
    }

    @Test
    void stopTheStartIfTheirFallbackIsForAnotherValueClass() {
        contexts.withBean(KotlinOtherFallback.class)
                .run(context -> assertThat(StartFailure.of(context, InvalidDistributedLockException.class))
                        .hasMessageContainingAll("it takes (KotlinOtherId) instead of (KotlinId)"));
    }

    @Test
    void areLockedByTheirTypeIfTheirNameBeginsWithThatOfItsFallback() {
        contexts.withBean(KotlinFallbackOfType.class).run(context -> {
            KotlinFallbackOfType work = context.getBean(KotlinFallbackOfType.class);

            assertThat(KotlinFunctionCalls.fallbacks(work))
                    .containsExactly("typea", "typeb", "typec", "typed", "instead of e");
        });
    }

    @Test
    void areLockedByTheirTypeIfAnotherOverloadIsItsFallback() {
        contexts.withBean(KotlinFallbacksOfType.class).run(context -> {
            KotlinFallbacksOfType work = context.getBean(KotlinFallbacksOfType.class);

            assertThat(KotlinFunctionCalls.fallbacks(work)).containsExactly("type1", "none2", "type3");
        });
    }

    @Test
    void areLockedByTheirOverloadsForJava(CapturedOutput output) {
        contexts.withBean(KotlinOverloads.class)
                .withBean(KotlinOverloadsOfType.class)
                .run(context -> {
                    KotlinOverloads work = context.getBean(KotlinOverloads.class);
                    KotlinOverloadsOfType ofType = context.getBean(KotlinOverloadsOfType.class);

                    assertThat(work.work("a")).isEqualTo("a/3");
                    assertThat(work.work("a", 1)).isEqualTo("a/1");
                    assertThat(ofType.work()).isEqualTo("type3");

                    assertThat(context.getBean(Locking.class).events())
                            .containsExactly("+a/3", "-a/3", "+a/1", "-a/1", "+type", "-type");
                });
        assertThat(output).doesNotContain("does not lock its method");
    }

    @ParameterizedTest
    @ValueSource(
            classes = {KotlinFinalOverloads.class, KotlinOwnOverload.class, KotlinAccessor.class, KotlinInline.class})
    void stopTheStartIfTheyAreFinalThemselves(Class<?> bean) {
        contexts.withBean(bean)
                .run(context -> assertThat(StartFailure.of(context, InvalidDistributedLockException.class))
                        .hasMessageContainingAll(bean.getName(), "ork", "final"));
    }

    /** Its class is final, and nobody can declare it open. */
    @Test
    void stopTheStartWithARemedyForALambda() {
        contexts.withBean(KotlinJob.class, KotlinFunctionCalls::job)
                .run(context -> assertThat(StartFailure.of(context, InvalidDistributedLockException.class))
                        .hasMessageContainingAll("class is final", "open class with a name", "proxy-target-class=false")
                        .hasMessageNotContaining("Declare it"));
    }

    @Test
    void knowTheirParametersByNameAlsoBehindAContextParameter() {
        contexts.withBean(KotlinContext.class).run(context -> {
            KotlinContext work = context.getBean(KotlinContext.class);

            assertThat(KotlinFunctionCalls.inContext(work, "tenant", "7")).isEqualTo("tenant order-7");
            assertThat(KotlinFunctionCalls.inContext(work, "tenant", "8")).isEqualTo("tenant order-8");
        });
    }

    @Test
    void haveOnlyTheArgumentsOfTheirSource() {
        contexts.withBean(KotlinArguments.class).run(context -> {
            KotlinFunctionCalls.arguments(context.getBean(KotlinArguments.class));

            assertThat(context.getBean(Locking.class).events())
                    .containsExactlyInAnyOrder(
                            "+job-2", "+job-a", "-job-a", "-job-2", "+count-2", "-count-2", "+job", "-job");
        });
    }

    @ParameterizedTest
    @ValueSource(classes = {KotlinContinuation.class, KotlinNamedContinuation.class})
    void stopTheStartIfTheirLockDependsOnTheirContinuation(Class<?> bean) {
        contexts.withBean(bean)
                .run(context -> assertThat(StartFailure.of(context, InvalidDistributedLockException.class))
                        .hasMessageContainingAll(bean.getName() + ".work", "is not a parameter of the method")
                        .hasMessageEndingWith("#text"));
    }

    @Test
    void areShownByTheirNameInTheSource(CapturedOutput output) {
        contexts.withBean(KotlinLongNames.class)
                .withBean(KotlinLongNamesOfType.class)
                .run(context -> {
                    String type = KotlinLongNames.class.getName();
                    assertThat(context.getBean(DistributedLockAdvisor.class).declaredLocks())
                            .extracting(DeclaredLock::method)
                            .contains(type + ".ofModule", type + ".ofId");
                    assertThat(output).contains("KotlinLongNamesOfType does not lock its method ofId: ");
                });
    }

    @Test
    void areNamedAsInTheirSourceIfTheyAreAsync() {
        contexts.withUserConfiguration(AsyncFirst.class)
                .withBean(KotlinInternalAsync.class)
                .run(context -> assertThat(StartFailure.of(context, InvalidDistributedLockException.class))
                        .hasMessageContaining(KotlinInternalAsync.class.getName() + ".work:"));
    }

    @Test
    void areNamedAsInTheirSourceIfTheyAreOfTheLeader() {
        contexts.withConfiguration(AutoConfigurations.of(DynamolockLeaderAutoConfiguration.class))
                .withPropertyValues("dynamolock.leader.name=reporter")
                .withBean(KotlinInternalLeaderWork.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasMessageContaining(KotlinInternalLeaderWork.class.getName() + ".work:"));
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAsync(order = Ordered.HIGHEST_PRECEDENCE)
    static class AsyncFirst {}

    @Test
    void areCancelledInRunInterruptibleIfTheyDeclareTheInterruption() {
        contexts.withBean(KotlinInterruptible.class).run(context -> {
            Locking locking = context.getBean(Locking.class);
            try (Lease held =
                    context.getBean(LockManager.class).tryAcquire("job").orElseThrow()) {
                assertThat(KotlinFunctionCalls.interrupted(
                                context.getBean(KotlinInterruptible.class),
                                () -> Awaitility.await()
                                        .until(() -> locking.waiting().contains("job"))))
                        .satisfiesExactly(
                                end -> assertThat(end).isInstanceOf(CancellationException.class),
                                end -> assertThat(end).isInstanceOf(LockInterruptedException.class));
                assertThat(held.isHeld()).isTrue();
            }
        });
    }

    @Test
    void areLockedIfOnlyKotlinSeesThem(CapturedOutput output) {
        contexts.withBean(KotlinSynthetic.class)
                .withBean(KotlinInlineOfType.class)
                .run(context -> {
                    assertThat(KotlinFunctionCalls.synthetic(context.getBean(KotlinSynthetic.class)))
                            .isEqualTo("job");
                    assertThat(output)
                            .contains(
                                    "KotlinInlineOfType does not lock its method work: a proxy cannot override a final");
                });
    }
}
