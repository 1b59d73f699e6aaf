/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring;

import java.lang.reflect.Method;
import java.util.Set;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.context.SmartLifecycle;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Detects init and destroy methods, which Spring calls on the bean itself, so that no proxy can intercept them.
 *
 * @since 0.1
 */
public final class LifecycleMethods {

    private static final Set<String> ANNOTATIONS =
            Set.of("jakarta.annotation.PostConstruct", "jakarta.annotation.PreDestroy");

    private final ConfigurableListableBeanFactory beans;

    /**
     * Creates the detector.
     *
     * @param beans the factory whose definitions name such methods
     */
    public LifecycleMethods(ConfigurableListableBeanFactory beans) {
        this.beans = beans;
    }

    /**
     * Returns whether Spring calls a method when it creates, stops or destroys a bean.
     *
     * @param bean the bean's name
     * @param type its class
     * @param method a method of the class
     * @return false for methods that Spring calls on the proxy, such as {@code start}
     */
    public boolean contains(String bean, Class<?> type, Method method) {
        MergedAnnotations annotations = MergedAnnotations.from(method);
        return ANNOTATIONS.stream().anyMatch(annotations::isPresent)
                || (method.getParameterCount() == 0 && isCalledByName(bean, type, method.getName()));
    }

    private boolean isCalledByName(String bean, Class<?> type, String method) {
        return (method.equals("afterPropertiesSet") && InitializingBean.class.isAssignableFrom(type))
                || (method.equals("destroy") && DisposableBean.class.isAssignableFrom(type))
                || (method.equals("stop") && isCalledByDefaultStop(type))
                || (beans.containsBeanDefinition(bean) && isDefined(beans.getMergedBeanDefinition(bean), type, method));
    }

    /** The inherited {@code stop(Runnable)} of a proxy calls {@code stop()} of its bean. */
    private static boolean isCalledByDefaultStop(Class<?> type) {
        Method stop = ReflectionUtils.findMethod(type, "stop", Runnable.class);
        return stop != null && stop.getDeclaringClass() == SmartLifecycle.class;
    }

    private static boolean isDefined(BeanDefinition definition, Class<?> type, String method) {
        return method.equals(definition.getInitMethodName())
                || method.equals(definition.getDestroyMethodName())
                || method.equals(inferredDestroyMethod(definition, type));
    }

    /** Returns the method that Spring chooses: that of {@link AutoCloseable}, or, for beans of {@code @Bean}, its namesake. */
    private static String inferredDestroyMethod(BeanDefinition definition, Class<?> type) {
        boolean isCloseable = AutoCloseable.class.isAssignableFrom(type);
        String destroy = definition.getDestroyMethodName();
        boolean isInferred = destroy == null ? isCloseable : destroy.equals(AbstractBeanDefinition.INFER_METHOD);
        if (!isInferred || DisposableBean.class.isAssignableFrom(type)) {
            return "";
        }
        return isCloseable || ClassUtils.hasMethod(type, "close") ? "close" : "shutdown";
    }
}
