/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import io.dynamolock.LockBusyException;
import io.dynamolock.LockManagerDrainingException;
import io.dynamolock.LockState;
import io.dynamolock.spring.BeanProxy;
import io.dynamolock.spring.InvalidDistributedLockException;
import io.dynamolock.spring.KotlinFunctions;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.TargetSource;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.KotlinDetector;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/** Calls the fallback method, without the lock, if the lock is busy. */
final class FallbackHandler implements BusyHandler {

    private final Method method;
    private final Class<?> type;
    private final Function<MethodInvocation, Object> target;
    private final @Nullable Class<?> busyType;
    private final int busyAt;

    private FallbackHandler(Method method, Class<?> type, Function<MethodInvocation, Object> target, int parameters) {
        ReflectionUtils.makeAccessible(method);
        this.method = method;
        this.type = type;
        this.target = target;
        this.busyAt = parameters - (KotlinDetector.isSuspendingFunction(method) ? 1 : 0);
        this.busyType = method.getParameterCount() > parameters ? method.getParameterTypes()[busyAt] : null;
    }

    /**
     * Finds the fallback of a method.
     *
     * @throws InvalidDistributedLockException if no method with a compatible signature exists
     */
    static FallbackHandler of(AnnotatedMethod annotated, ConfigurableListableBeanFactory beans) {
        String name = annotated.text("fallback");
        if (!name.startsWith("@")) {
            Method method = FallbackMethods.find(annotated, annotated.type(), name);
            return new FallbackHandler(
                    method, annotated.type(), call -> Objects.requireNonNull(call.getThis()), parameters(annotated));
        }
        int dot = name.lastIndexOf('.');
        String bean = dot < 0 ? name.substring(1) : name.substring(1, dot);
        Class<?> made = beans.containsBean(bean) ? AutoProxyUtils.determineTargetClass(beans, bean) : null;
        if (made == null) {
            throw annotated.rejected(
                    "there is no bean named '%s' for its fallback".formatted(bean),
                    "Correct the name, or add the bean",
                    null);
        }
        String wanted = dot < 0 ? KotlinFunctions.sourceNameOf(annotated.method()) : name.substring(dot + 1);
        Class<?> type = ClassUtils.getUserClass(made);
        Method method = FallbackMethods.find(annotated, type, wanted);
        return new FallbackHandler(method, type, call -> beans.getBean(bean), parameters(annotated));
    }

    /** Returns the fallback method. */
    Method method() {
        return method;
    }

    /** Returns the class of the bean that has the fallback. */
    Class<?> type() {
        return type;
    }

    private static int parameters(AnnotatedMethod annotated) {
        return annotated.method().getParameterCount();
    }

    /** A fallback that takes the holder is called only if there is one. */
    @Override
    public boolean handles(RuntimeException notAcquired) {
        return notAcquired instanceof LockBusyException
                || (notAcquired instanceof LockManagerDrainingException && busyType == null);
    }

    @Override
    public @Nullable Object instead(MethodInvocation invocation, RuntimeException notAcquired) throws Throwable {
        if (!handles(notAcquired)) {
            throw notAcquired;
        }
        List<@Nullable Object> arguments = new ArrayList<>(Arrays.asList(ValueClasses.arguments(invocation, method)));
        if (busyType != null && notAcquired instanceof LockBusyException busy) {
            arguments.add(busyAt, busyType == LockState.class ? busy.holder() : busy);
        }
        return invoke(target.apply(invocation), arguments.toArray());
    }

    /** Calls the bean through its proxy, or behind it if the proxy, on which fields are not set, cannot delegate. */
    private @Nullable Object invoke(Object bean, @Nullable Object[] arguments) throws Throwable {
        if (!(AopUtils.isAopProxy(bean) && bean instanceof Advised proxy)) {
            Method invocable = AopUtils.selectInvocableMethod(method, bean.getClass());
            return AopUtils.invokeJoinpointUsingReflection(bean, invocable, arguments);
        }
        Method delegating = BeanProxy.delegating(bean, method);
        if (delegating != null) {
            return AopUtils.invokeJoinpointUsingReflection(bean, delegating, arguments);
        }
        TargetSource source = proxy.getTargetSource();
        Object behind = Objects.requireNonNull(source.getTarget());
        try {
            return invoke(behind, arguments);
        } finally {
            if (!source.isStatic()) {
                source.releaseTarget(behind);
            }
        }
    }
}
