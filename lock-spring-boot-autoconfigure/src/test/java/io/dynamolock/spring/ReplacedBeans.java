/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring;

import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.core.Ordered;
import org.springframework.core.PriorityOrdered;
import org.springframework.test.util.AopTestUtils;

/** Bean post-processors that replace the beans of a type by other objects. */
public final class ReplacedBeans {

    private ReplacedBeans() {}

    /** Replaces beans before they get a proxy. */
    public record Early(UnaryOperator<Object> replacement) implements BeanPostProcessor, PriorityOrdered {

        public static <T> Early of(Class<T> type, Function<T, Object> replacement) {
            return new Early(each(type, replacement));
        }

        @Override
        public Object postProcessAfterInitialization(Object bean, String name) {
            return replacement.apply(bean);
        }

        @Override
        public int getOrder() {
            return HIGHEST_PRECEDENCE;
        }
    }

    /** Replaces beans after they got a proxy. */
    public record Late(UnaryOperator<Object> replacement) implements BeanPostProcessor, Ordered {

        public static <T> Late of(Class<T> type, Function<T, Object> replacement) {
            return new Late(each(type, replacement));
        }

        /** Takes the proxies off. */
        public static Late unwrapping(Class<?> type) {
            return of(type, AopTestUtils::getUltimateTargetObject);
        }

        @Override
        public Object postProcessAfterInitialization(Object bean, String name) {
            return replacement.apply(bean);
        }

        @Override
        public int getOrder() {
            return LOWEST_PRECEDENCE;
        }
    }

    private static <T> UnaryOperator<Object> each(Class<T> type, Function<T, Object> replacement) {
        return bean -> type.isInstance(bean) ? replacement.apply(type.cast(bean)) : bean;
    }
}
