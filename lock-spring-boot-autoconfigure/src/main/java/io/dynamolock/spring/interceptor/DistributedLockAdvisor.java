/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import io.dynamolock.LockManager;
import io.dynamolock.spring.DeclaredLock;
import io.dynamolock.spring.DistributedLock;
import io.dynamolock.spring.InvalidDistributedLockException;
import io.dynamolock.spring.OnBusy;
import io.dynamolock.spring.ProxiedBeans;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.aopalliance.aop.Advice;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.Pointcut;
import org.springframework.aop.support.AbstractPointcutAdvisor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ApplicationContext;
import org.springframework.core.MethodIntrospector;
import org.springframework.util.function.SingletonSupplier;

/**
 * Advises methods annotated with {@link DistributedLock}. It does not need AspectJ. It resolves the lock manager and
 * its settings only when a locked method is called or validated, so it does not cause early initialization of other
 * beans.
 *
 * <p>Thread-safe.
 *
 * @since 0.1
 */
public final class DistributedLockAdvisor extends AbstractPointcutAdvisor {

    private final transient LockPointcut pointcut = new LockPointcut();
    private final transient SingletonSupplier<LockedMethodResolver> methods;
    private final transient Advice advice;
    private final transient IntSupplier order;

    /**
     * Creates the advisor of a bean factory.
     *
     * @param beans the factory of the lock managers and of the beans that name templates refer to
     * @param onBusy the action of methods that do not set one and are not scheduled
     * @param holdsThroughTransaction whether synchronous methods hold their lock until the transaction has completed
     *     that their caller is in
     * @param order the order among the advisors of a bean: a lower value is further outside
     * @param replacement the manager of all methods, whatever their annotation names; null for the managers that are
     *     named
     * @param application the application context, which publishes events about calls that do not run
     */
    public DistributedLockAdvisor(
            ConfigurableListableBeanFactory beans,
            Supplier<OnBusy> onBusy,
            BooleanSupplier holdsThroughTransaction,
            IntSupplier order,
            @Nullable LockManager replacement,
            ApplicationContext application) {
        this.methods = SingletonSupplier.of(() -> new LockedMethodResolver(
                beans,
                onBusy,
                holdsThroughTransaction,
                new LockManagerResolver(beans, replacement, new ScheduleCheck(beans), application),
                application));
        this.advice = new LockInterceptor(methods::obtain);
        this.order = order;
    }

    /**
     * Returns the locks of all methods that have been validated or called.
     *
     * @return the locks, in the order of their methods
     */
    public List<DeclaredLock> declaredLocks() {
        return methods.obtain().declared();
    }

    /** Returns the beans that get a proxy with this advisor. */
    ProxiedBeans proxied() {
        return pointcut.proxied();
    }

    /**
     * Reads all annotated methods of a class.
     *
     * @throws InvalidDistributedLockException if an annotation is invalid
     */
    Map<Method, LockedMethod> check(Class<?> type) {
        return MethodIntrospector.selectMethods(type, (MethodIntrospector.MetadataLookup<LockedMethod>)
                method -> methods.obtain().of(method, type));
    }

    @Override
    public Pointcut getPointcut() {
        return pointcut;
    }

    @Override
    public Advice getAdvice() {
        return advice;
    }

    @Override
    public int getOrder() {
        return order.getAsInt();
    }
}
