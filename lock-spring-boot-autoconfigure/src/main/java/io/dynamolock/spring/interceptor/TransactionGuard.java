/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import io.dynamolock.Lease;
import io.dynamolock.OnLost;
import io.dynamolock.spring.LockScope;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.util.ClassUtils;

/**
 * Rolls back a transaction that began in a locked method whose lease has been lost, instead of committing it.
 * {@link TransactionHold} does the same for a lock that was acquired in a transaction.
 *
 * @since 0.1
 */
public final class TransactionGuard implements BeanPostProcessor {

    private static final boolean PRESENT = ClassUtils.isPresent(
            "org.springframework.transaction.ConfigurableTransactionManager", TransactionGuard.class.getClassLoader());

    /** Creates the guard. */
    public TransactionGuard() {}

    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        if (PRESENT) {
            Listener.observe(bean);
        }
        return bean;
    }

    /** Loaded only if Spring's transactions are present. */
    private static final class Listener implements TransactionExecutionListener {

        static void observe(Object bean) {
            if (bean instanceof PlatformTransactionManager && bean instanceof ConfigurableTransactionManager manager) {
                manager.addListener(new Listener());
            }
        }

        @Override
        public void beforeCommit(TransactionExecution transaction) {
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
