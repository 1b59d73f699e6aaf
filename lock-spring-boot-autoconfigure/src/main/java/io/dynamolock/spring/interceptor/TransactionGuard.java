/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import io.dynamolock.Lease;
import io.dynamolock.OnLost;
import io.dynamolock.spring.BeanTypes;
import io.dynamolock.spring.LockScope;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
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
public final class TransactionGuard implements BeanPostProcessor, SmartInitializingSingleton {

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

    /** Guards a transaction manager before another processor wraps it. */
    @Override
    public Object postProcessBeforeInitialization(Object bean, String name) {
        if (PRESENT) {
            Listener.observeOfSpring(bean);
        }
        return bean;
    }

    /** Guards what a factory bean has made. A scoped proxy has no target yet, which is guarded on its creation. */
    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        if (PRESENT && !(bean instanceof AopInfrastructureBean)) {
            Listener.observe(bean);
        }
        return bean;
    }

    /** Guards transaction managers that were created before this processor, for others that depend on them. */
    @Override
    public void afterSingletonsInstantiated() {
        if (PRESENT) {
            Listener.observeAll(beans);
        }
    }

    /** Loaded only if Spring's transactions are present. */
    private static final class Listener implements TransactionExecutionListener {

        static void observeAll(ConfigurableListableBeanFactory beans) {
            for (String name : beans.getBeanNamesForType(PlatformTransactionManager.class, false, false)) {
                Object created = BeanTypes.existing(name, beans);
                if (created != null) {
                    observe(created);
                }
            }
        }

        /** Others may not be ready before their initialization. */
        static void observeOfSpring(Object bean) {
            if (bean instanceof AbstractPlatformTransactionManager) {
                observe(bean);
            }
        }

        static void observe(Object bean) {
            if (bean instanceof PlatformTransactionManager
                    && bean instanceof ConfigurableTransactionManager manager
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
