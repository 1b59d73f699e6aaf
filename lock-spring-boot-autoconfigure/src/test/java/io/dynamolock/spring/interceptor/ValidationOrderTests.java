/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynamolock.spring.DistributedLock;
import io.dynamolock.spring.Locking;
import jakarta.validation.ConstraintViolation;
import jakarta.validation.ConstraintViolationException;
import jakarta.validation.Validator;
import jakarta.validation.executable.ExecutableValidator;
import java.lang.reflect.Proxy;
import java.util.Collections;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.aopalliance.intercept.MethodInterceptor;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.support.ComposablePointcut;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.RootClassFilter;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.validation.annotation.Validated;
import org.springframework.validation.beanvalidation.MethodValidationPostProcessor;

/** Position of the lock beside the validation of arguments and results, with a validator that rejects null. */
class ValidationOrderTests {

    private final ApplicationContextRunner contexts =
            Locking.inMemory().withUserConfiguration(Validation.class).withBean(Work.class);

    @ParameterizedTest
    @ValueSource(ints = {0, Integer.MAX_VALUE})
    void callIsValidatedBeforeItsLockIsAcquired(int order) {
        contexts.withPropertyValues("dynamolock.annotation.order=" + order).run(context -> {
            Work work = context.getBean(Work.class);

            assertThatThrownBy(() -> work.go(null)).isInstanceOf(ConstraintViolationException.class);
            assertThat(context.getBean(Locking.class).events()).isEmpty();

            assertThat(work.go("1")).isEqualTo("1");
            assertThat(context.getBean(Locking.class).acquired()).containsExactly("job-1");
        });
    }

    /** Otherwise its transaction would commit. */
    @Test
    void resultIsValidatedInsideOfOtherAdvice() {
        contexts.withBean(Inner.class, Inner::new, definition -> definition.setRole(BeanDefinition.ROLE_INFRASTRUCTURE))
                .run(context -> {
                    assertThatThrownBy(() -> context.getBean(Work.class).go("none"))
                            .isInstanceOf(ConstraintViolationException.class);

                    assertThat(context.getBean(Inner.class).failed).hasValue(1);
                });
    }

    /** Such as a transaction. */
    static class Inner extends DefaultPointcutAdvisor {

        private final transient AtomicInteger failed = new AtomicInteger();

        Inner() {
            setPointcut(new ComposablePointcut(new RootClassFilter(Work.class)));
            setAdvice((MethodInterceptor) call -> {
                try {
                    return call.proceed();
                } catch (ConstraintViolationException invalid) {
                    failed.incrementAndGet();
                    throw invalid;
                }
            });
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Validation {

        @Bean
        static MethodValidationPostProcessor methodValidation() {
            MethodValidationPostProcessor processor = new MethodValidationPostProcessor();
            processor.setProxyTargetClass(true);
            processor.setValidator(validator());
            return processor;
        }

        private static Validator validator() {
            return (Validator) Proxy.newProxyInstance(
                    Validation.class.getClassLoader(),
                    new Class<?>[] {Validator.class, ExecutableValidator.class},
                    (proxy, method, arguments) -> switch (method.getName()) {
                        case "forExecutables" -> proxy;
                        case "validateParameters" -> violations(((Object[]) arguments[2])[0]);
                        case "validateReturnValue" -> violations(arguments[2]);
                        default -> throw new UnsupportedOperationException(method.getName());
                    });
        }

        private static Set<?> violations(@Nullable Object value) {
            return value != null
                    ? Set.of()
                    : Collections.singleton(Proxy.newProxyInstance(
                            Validation.class.getClassLoader(),
                            new Class<?>[] {ConstraintViolation.class},
                            (violation, method, arguments) -> method.getReturnType() == int.class ? 0 : null));
        }
    }

    @Validated
    static class Work {

        @DistributedLock("job-#{#id}")
        public @Nullable String go(@Nullable String id) {
            return "none".equals(id) ? null : id;
        }
    }
}
