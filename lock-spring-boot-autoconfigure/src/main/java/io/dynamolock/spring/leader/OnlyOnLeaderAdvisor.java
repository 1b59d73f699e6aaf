/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.leader;

import io.dynamolock.spring.AnnotatedClasses;
import io.dynamolock.spring.DistributedLock;
import io.dynamolock.spring.KotlinFunctions;
import io.dynamolock.spring.Leadership;
import io.dynamolock.spring.OnlyOnLeader;
import io.dynamolock.spring.ProxiedBeans;
import java.lang.reflect.Method;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.support.ComposablePointcut;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.StaticMethodMatcher;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.AnnotatedElementUtils;

/**
 * Skips calls of methods with {@link OnlyOnLeader} while this process does not lead, before any lock or transaction. It
 * does not need AspectJ, and asks for the {@link Leadership} bean only when such a method is called.
 *
 * @since 0.1
 */
public final class OnlyOnLeaderAdvisor extends DefaultPointcutAdvisor {

    private static final Logger LOG = LoggerFactory.getLogger(OnlyOnLeaderAdvisor.class);

    /** Outside of {@link DistributedLock} and transactions by their defaults. */
    private static final int ORDER = Ordered.LOWEST_PRECEDENCE - 200;

    private final transient LongAdder skipped = new LongAdder();
    private final transient Supplier<Optional<Leadership>> leadership;
    private final transient @Nullable OnlyOnLeaderAdvisor ofParent;
    private final transient ProxiedBeans proxied = new ProxiedBeans();

    /**
     * Creates the advisor.
     *
     * @param leadership returns the leadership that is asked; empty if the application has ended
     * @param ofParent the advisor of the parent context, which counts the skipped calls of this one, too; null if there
     *     is none
     */
    public OnlyOnLeaderAdvisor(Supplier<Optional<Leadership>> leadership, @Nullable OnlyOnLeaderAdvisor ofParent) {
        this.leadership = leadership;
        this.ofParent = ofParent;
        setOrder(ORDER);
        setPointcut(new ComposablePointcut(new AnnotatedClasses(OnlyOnLeader.class), new AnnotatedMethods(proxied)));
        setAdvice((MethodInterceptor) this::invoke);
    }

    /** Returns the methods of a class, most specific ones only, that it skips. */
    Set<Method> methodsOf(Class<?> type) {
        return MethodIntrospector.selectMethods(
                type, (Method method) -> getPointcut().getMethodMatcher().matches(method, type));
    }

    /** Returns the beans that get a proxy with this advisor. */
    ProxiedBeans proxied() {
        return proxied;
    }

    /** Returns the leadership that calls ask, as they do. */
    Optional<Leadership> leadership() {
        return leadership.get();
    }

    private @Nullable Object invoke(MethodInvocation call) throws Throwable {
        Optional<Leadership> asked = leadership.get();
        if (asked.filter(Leadership::isLeader).isPresent()) {
            return call.proceed();
        }
        countSkipped();
        LOG.debug(
                "Skipped {}: this process does not lead{}",
                call.getMethod(),
                asked.map(leader -> " '" + leader.name() + "'").orElse(", as the application has ended"));
        return null;
    }

    /** The contexts of a hierarchy share the meter, which is that of the outermost one. */
    private void countSkipped() {
        for (OnlyOnLeaderAdvisor each = this; each != null; each = each.ofParent) {
            each.skipped.increment();
        }
    }

    /**
     * Returns how many calls were skipped, in this context and in those below it.
     *
     * @return the number since the start
     */
    public long skipped() {
        return skipped.sum();
    }

    /** Those that have the annotation, implement or override one with it, also by a method that the class inherits. */
    private static final class AnnotatedMethods extends StaticMethodMatcher {

        private final ProxiedBeans proxied;

        AnnotatedMethods(ProxiedBeans proxied) {
            this.proxied = proxied;
        }

        @Override
        public boolean matches(Method method, Class<?> targetClass) {
            Method called = KotlinFunctions.called(method, targetClass);
            boolean matches = isAnnotated(called)
                    || AnnotatedClasses.implementedBy(called, targetClass, OnlyOnLeader.class)
                            .anyMatch(AnnotatedMethods::isAnnotated);
            if (matches) {
                proxied.add(targetClass);
            }
            return matches;
        }

        private static boolean isAnnotated(Method method) {
            return AnnotatedElementUtils.hasAnnotation(method, OnlyOnLeader.class);
        }
    }
}
