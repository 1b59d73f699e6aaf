/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import io.dynamolock.Lease;
import io.dynamolock.OnLost;
import io.dynamolock.spring.BeanTypes;
import io.dynamolock.spring.LockScope;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.AbstractBeanFactory;
import org.springframework.beans.factory.support.MergedBeanDefinitionPostProcessor;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.core.PriorityOrdered;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.util.ClassUtils;

/**
 * Rolls back a transaction that began in a locked method whose lease has been lost, instead of committing it.
 * {@link TransactionHold} does the same for a lock that was acquired in a transaction.
 *
 * @since 0.1
 */
public final class TransactionGuard
        implements MergedBeanDefinitionPostProcessor,
                PriorityOrdered,
                SmartInitializingSingleton,
                ApplicationListener<ContextRefreshedEvent> {

    private static final boolean PRESENT = ClassUtils.isPresent(
            "org.springframework.transaction.ConfigurableTransactionManager", TransactionGuard.class.getClassLoader());

    private final ConfigurableListableBeanFactory beans;

    /**
     * Creates the guard.
     *
     * @param beans the beans, whose transaction managers are guarded
     */
    public TransactionGuard(ConfigurableListableBeanFactory beans) {
        this.beans = beans;
    }

    /** Creates this before most others, which may need a transaction manager. */
    @Override
    public int getOrder() {
        return LOWEST_PRECEDENCE;
    }

    /** Makes this a post-processor that runs after all others. */
    @Override
    public void postProcessMergedBeanDefinition(RootBeanDefinition definition, Class<?> type, String name) {}

    /** Guards a transaction manager before another processor wraps it. */
    @Override
    public Object postProcessBeforeInitialization(Object bean, String name) {
        if (PRESENT) {
            Listener.observeOfSpring(bean);
        }
        return bean;
    }

    /** Guards what a factory bean has made. */
    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        if (PRESENT) {
            Listener.observe(bean);
        }
        return bean;
    }

    /** Guards transaction managers that were created before this processor, and those of parent contexts. */
    @Override
    public void afterSingletonsInstantiated() {
        BeanFactory each = beans;
        while (PRESENT && each instanceof ConfigurableListableBeanFactory factory) {
            guard(factory);
            each = factory.getParentBeanFactory();
        }
    }

    /** Guards transaction managers of a child context, which has its own guard only with the auto-configuration. */
    @Override
    public void onApplicationEvent(ContextRefreshedEvent event) {
        if (PRESENT
                && event.getApplicationContext() instanceof ConfigurableApplicationContext context
                && context.isActive()) {
            guard(context.getBeanFactory());
        }
    }

    /** Another thread could be late: the work of the child context begins after its start. */
    @Override
    public boolean supportsAsyncExecution() {
        return false;
    }

    /** Guards transaction managers that exist, and those to come, by a guard that refers to no other context. */
    private static void guard(ConfigurableListableBeanFactory beans) {
        if (beans instanceof AbstractBeanFactory factory
                && factory.getBeanPostProcessors().stream().noneMatch(TransactionGuard.class::isInstance)) {
            factory.addBeanPostProcessor(new TransactionGuard(beans));
        }
        Listener.observeAll(beans);
    }

    /** Loaded only if Spring's transactions are present. */
    private static final class Listener implements TransactionExecutionListener {

        static void observeAll(ConfigurableListableBeanFactory beans) {
            for (String name : beans.getBeanNamesForType(PlatformTransactionManager.class, false, false)) {
                observe(BeanTypes.made(name, beans));
            }
        }

        /** Others may not be ready before their initialization. */
        static void observeOfSpring(Object bean) {
            if (bean instanceof AbstractPlatformTransactionManager) {
                observe(bean);
            }
        }

        /** Leaves out scoped proxies, which may have no target yet: that is guarded on its creation. */
        static void observe(@Nullable Object bean) {
            if (bean instanceof PlatformTransactionManager
                    && bean instanceof ConfigurableTransactionManager manager
                    && !(bean instanceof AopInfrastructureBean)
                    && manager.getTransactionExecutionListeners().stream().noneMatch(Listener.class::isInstance)) {
                manager.addListener(new Listener());
            }
        }

        /** Called after all synchronizations, during which a lease can be lost, too. */
        @Override
        public void beforeCommit(TransactionExecution transaction) {
            TransactionHold.requireHeld();
            for (LockScope scope = LockScope.current(); scope != null; scope = scope.outer()) {
                if (scope.lease().policy() != OnLost.EVENT) {
                    requireNotLost(scope.lease());
                }
            }
        }

        /** Accepts a lease that the method itself has released. */
        private static void requireNotLost(Lease lease) {
            try {
                lease.ensureHeld();
            } catch (IllegalStateException released) {
                // as without a transaction
            }
        }
    }
}
