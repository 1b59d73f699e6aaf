/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.leader;

import io.dynamolock.spring.AnnotatedClasses;
import io.dynamolock.spring.DistributedLock;
import io.dynamolock.spring.Leadership;
import io.dynamolock.spring.OnlyOnLeader;
import java.lang.reflect.Method;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.MethodMatcher;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.ComposablePointcut;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.StaticMethodMatcher;
import org.springframework.aop.support.annotation.AnnotationMethodMatcher;
import org.springframework.core.Ordered;

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
    private final transient Supplier<Leadership> leadership;

    /**
     * Creates the advisor.
     *
     * @param leadership returns the leadership that is asked
     */
    public OnlyOnLeaderAdvisor(Supplier<Leadership> leadership) {
        this.leadership = leadership;
        setOrder(ORDER);
        setPointcut(new ComposablePointcut(new AnnotatedClasses(OnlyOnLeader.class), new AnnotatedMethods()));
        setAdvice((MethodInterceptor) this::invoke);
    }

    /** Returns whether a class has the annotation anywhere. */
    boolean concerns(Class<?> type) {
        return getPointcut().getClassFilter().matches(type);
    }

    private @Nullable Object invoke(MethodInvocation call) throws Throwable {
        Leadership asked = leadership.get();
        if (asked.isLeader()) {
            return call.proceed();
        }
        skipped.increment();
        LOG.debug("Skipped {}: this process does not lead '{}'", call.getMethod(), asked.name());
        return null;
    }

    /**
     * Returns how many calls were skipped.
     *
     * @return the number since the start
     */
    public long skipped() {
        return skipped.sum();
    }

    /** Those that have the annotation, implement or override one with it, also by a method that the class inherits. */
    private static final class AnnotatedMethods extends StaticMethodMatcher {

        private final MethodMatcher declared = new AnnotationMethodMatcher(OnlyOnLeader.class, true);

        @Override
        public boolean matches(Method method, Class<?> targetClass) {
            return declared.matches(method, targetClass)
                    || AnnotatedClasses.implementedBy(
                                    AopUtils.getMostSpecificMethod(method, targetClass),
                                    targetClass,
                                    OnlyOnLeader.class)
                            .anyMatch(implemented -> declared.matches(implemented, targetClass));
        }
    }
}
