/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import java.lang.reflect.Method;
import java.util.Set;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.util.ReflectionUtils;

/** Detects init and destroy methods, which Spring calls on the bean itself, so that no proxy can intercept them. */
final class LifecycleMethods {

    private static final Set<String> ANNOTATIONS =
            Set.of("jakarta.annotation.PostConstruct", "jakarta.annotation.PreDestroy");

    private final ConfigurableListableBeanFactory beans;

    LifecycleMethods(ConfigurableListableBeanFactory beans) {
        this.beans = beans;
    }

    boolean contains(String bean, Class<?> type, Method method) {
        MergedAnnotations annotations = MergedAnnotations.from(method);
        return ANNOTATIONS.stream().anyMatch(annotations::isPresent)
                || (method.getParameterCount() == 0 && isCalledByName(bean, type, method.getName()));
    }

    private boolean isCalledByName(String bean, Class<?> type, String method) {
        return (method.equals("afterPropertiesSet") && InitializingBean.class.isAssignableFrom(type))
                || (method.equals("destroy") && DisposableBean.class.isAssignableFrom(type))
                || (method.equals("stop") && isCalledByDefaultStop(type))
                || isDefined(bean, method);
    }

    /** The inherited {@code stop(Runnable)} of a proxy calls {@code stop()} of its bean. */
    private static boolean isCalledByDefaultStop(Class<?> type) {
        Method stop = ReflectionUtils.findMethod(type, "stop", Runnable.class);
        return stop != null && stop.getDeclaringClass() == SmartLifecycle.class;
    }

    private boolean isDefined(String bean, String method) {
        if (!beans.containsBeanDefinition(bean)) {
            return false;
        }
        BeanDefinition definition = beans.getMergedBeanDefinition(bean);
        return method.equals(definition.getInitMethodName()) || method.equals(definition.getDestroyMethodName());
    }
}
