/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.context.SmartLifecycle;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Detects init and destroy methods, which Spring calls on the bean itself, so that no proxy can intercept them.
 *
 * @since 0.1
 */
public final class LifecycleMethods {

    private static final Set<String> INIT_OR_DESTROY =
            Set.of("jakarta.annotation.PostConstruct", "jakarta.annotation.PreDestroy");

    private static final Set<String> INJECTION = Set.of(
            Autowired.class.getName(), Value.class.getName(), "jakarta.inject.Inject", "jakarta.annotation.Resource");

    private static final Set<String> INFERRED = Set.of("close", "shutdown");

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
        return isAnnotated(method)
                || (method.getParameterCount() == 0 && isCalledByName(bean, type, method.getName()))
                || isDestroyMethodWithFlag(bean, type, method);
    }

    /** A destroy method of a definition may have a boolean parameter, if there is none without a parameter. */
    private boolean isDestroyMethodWithFlag(String bean, Class<?> type, Method method) {
        return Arrays.equals(method.getParameterTypes(), new Class<?>[] {boolean.class})
                && ReflectionUtils.findMethod(type, method.getName()) == null
                && beans.containsBeanDefinition(bean)
                && beans.getMergedBeanDefinition(bean) instanceof AbstractBeanDefinition definition
                && !definition.isPrototype()
                && isIn(definition.getDestroyMethodNames(), method.getName())
                && !isProduct(bean, type);
    }

    /**
     * Returns whether a method has an annotation for which Spring calls it when it creates or destroys a bean.
     *
     * @param method a method of the bean's class; one that overrides a method with {@code @PostConstruct} or
     *     {@code @PreDestroy} counts, as Spring calls it for that
     * @return whether it is for injection, initialization or destruction
     */
    public static boolean isAnnotated(Method method) {
        MergedAnnotations inherited = MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY);
        MergedAnnotations own = MergedAnnotations.from(method);
        return INIT_OR_DESTROY.stream()
                        .flatMap(inherited::stream)
                        .anyMatch(annotation ->
                                annotation.getSource() instanceof Method declared && isCalledFor(declared, method))
                || INJECTION.stream().anyMatch(own::isPresent);
    }

    /** Returns whether Spring calls a method because it overrides, or is, the one that has the annotation. */
    private static boolean isCalledFor(Method declared, Method method) {
        return declared.equals(method)
                || ((declared.isDefault() || !declared.getDeclaringClass().isInterface())
                        && MethodOverrides.isOverridable(declared, method.getDeclaringClass()));
    }

    /**
     * Returns the end of the remedy for a method that Spring may only have inferred as the destroy method of a bean.
     *
     * @param method an init or destroy method
     * @return further text, without a full stop; empty if Spring infers no method of this name
     */
    public static String orNotInferred(Method method) {
        return INFERRED.contains(method.getName())
                ? ", or set @Bean(destroyMethod = \"\") if Spring is not to call this one"
                : "";
    }

    private boolean isCalledByName(String bean, Class<?> type, String method) {
        return (method.equals("stop") && isCalledByDefaultStop(type))
                || (!isProduct(bean, type)
                        && ((method.equals("afterPropertiesSet") && InitializingBean.class.isAssignableFrom(type))
                                || (method.equals("destroy") && DisposableBean.class.isAssignableFrom(type))
                                || (beans.containsBeanDefinition(bean)
                                        && isDefined(beans.getMergedBeanDefinition(bean), type, method))));
    }

    /** Returns whether a class is that of what a {@link FactoryBean} makes, to which its definition does not apply. */
    private boolean isProduct(String bean, Class<?> type) {
        return !FactoryBean.class.isAssignableFrom(type)
                && beans.containsBeanDefinition(bean)
                && beans.isFactoryBean(bean);
    }

    /** The inherited {@code stop(Runnable)} of a proxy calls {@code stop()} of its bean. */
    private static boolean isCalledByDefaultStop(Class<?> type) {
        Method stop = ReflectionUtils.findMethod(type, "stop", Runnable.class);
        return stop != null && stop.getDeclaringClass() == SmartLifecycle.class;
    }

    private static boolean isDefined(BeanDefinition definition, Class<?> type, String method) {
        return (definition instanceof AbstractBeanDefinition full
                        && (isIn(full.getInitMethodNames(), method)
                                || (!full.isPrototype() && isIn(full.getDestroyMethodNames(), method))))
                || (!definition.isPrototype()
                        && inferredDestroyMethods(definition, type).contains(method)
                        && ClassUtils.hasMethod(type, method));
    }

    private static boolean isIn(String @Nullable [] names, String method) {
        return names != null && List.of(names).contains(method);
    }

    /** Returns what Spring chooses for a bean of {@code @Bean}, and for others that can be closed or shut down. */
    private static Set<String> inferredDestroyMethods(BeanDefinition definition, Class<?> type) {
        boolean isCloseable = AutoCloseable.class.isAssignableFrom(type);
        boolean isExecutor = ExecutorService.class.isAssignableFrom(type);
        String destroy = definition.getDestroyMethodName();
        boolean isInferred =
                destroy == null ? isCloseable || isExecutor : destroy.equals(AbstractBeanDefinition.INFER_METHOD);
        if (!isInferred || DisposableBean.class.isAssignableFrom(type)) {
            return Set.of();
        }
        if (isExecutor) {
            return INFERRED;
        }
        return Set.of(isCloseable || ClassUtils.hasMethod(type, "close") ? "close" : "shutdown");
    }
}
