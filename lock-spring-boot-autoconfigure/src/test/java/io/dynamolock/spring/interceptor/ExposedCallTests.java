/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.spring.DistributedLock;
import io.dynamolock.spring.Locking;
import io.dynamolock.spring.Locks;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.aop.Advisor;
import org.springframework.aop.ClassFilter;
import org.springframework.aop.Pointcut;
import org.springframework.aop.interceptor.ExposeInvocationInterceptor;
import org.springframework.aop.support.ComposablePointcut;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import reactor.core.publisher.Mono;

/** Advice inside of the lock finds its call in a variable of the thread, as Spring's advice for AspectJ does. */
class ExposedCallTests {

    private static final Pointcut ADVISED = new ComposablePointcut(
                    (ClassFilter) type -> Work.class.isAssignableFrom(type))
            .union((ClassFilter) type -> KotlinWork.class.isAssignableFrom(type));

    private final ApplicationContextRunner contexts = Locking.inMemory()
            .withConfiguration(AutoConfigurations.of(TaskExecutionAutoConfiguration.class))
            .withBean(Work.class)
            .withBean(KotlinWork.class)
            .withBean("exposing", Advisor.class, ExposedCallTests::exposing, ExposedCallTests::infrastructure)
            .withBean("inner", Inner.class, Inner::new, ExposedCallTests::infrastructure);

    private static Advisor exposing() {
        return new DefaultPointcutAdvisor(ADVISED, ExposeInvocationInterceptor.INSTANCE);
    }

    private static void infrastructure(BeanDefinition definition) {
        definition.setRole(BeanDefinition.ROLE_INFRASTRUCTURE);
    }

    static Stream<Named<Consumer<Work>>> calls() {
        return Stream.of(
                Named.of("a value", Work::value),
                Named.of("a future", work -> assertThat(work.future()).succeedsWithin(Locking.TIMEOUT)),
                Named.of("a publisher", work -> work.publisher().block(Locking.TIMEOUT)));
    }

    @ParameterizedTest
    @MethodSource("calls")
    void isThatOfTheThreadWhichRunsTheMethod(Consumer<Work> call) {
        contexts.run(context -> {
            call.accept(context.getBean(Work.class));

            assertThat(context.getBean(Inner.class).seen).containsExactly("own call under job");
        });
    }

    @Test
    void isThatOfASuspendingFunction() {
        contexts.run(context -> {
            KotlinCalls.nothing(context.getBean(KotlinWork.class));

            assertThat(context.getBean(Inner.class).seen).containsExactly("own call under job");
        });
    }

    private static @Nullable MethodInvocation exposed() {
        try {
            return ExposeInvocationInterceptor.currentInvocation();
        } catch (IllegalStateException none) {
            return null;
        }
    }

    static class Inner extends DefaultPointcutAdvisor {

        private final transient List<String> seen = new CopyOnWriteArrayList<>();

        Inner() {
            setPointcut(ADVISED);
            setAdvice((MethodInterceptor) call -> {
                MethodInvocation exposed = exposed();
                seen.add("%s under %s"
                        .formatted(
                                exposed == call ? "own call" : String.valueOf(exposed),
                                Locks.current().orElseThrow().name()));
                return call.proceed();
            });
        }
    }

    static class Work {

        @DistributedLock("job")
        public String value() {
            return "done";
        }

        @DistributedLock("job")
        public CompletableFuture<String> future() {
            return CompletableFuture.completedFuture("done");
        }

        @DistributedLock("job")
        public Mono<String> publisher() {
            return Mono.just("done");
        }
    }
}
