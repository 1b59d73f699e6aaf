/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.aop.framework.autoproxy.ProxyCreationContext;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.FactoryBean;

/**
 * The beans that got a proxy with an advisor, noted while the proxies are created, as another bean post-processor may
 * hide a proxy later. Thread-safe.
 *
 * @since 0.1
 */
public final class ProxiedBeans {

    private final Set<String> names = ConcurrentHashMap.newKeySet();

    /** Creates an empty set. */
    public ProxiedBeans() {}

    /**
     * Notes the bean whose proxy the current thread creates, if it does. To be called when the pointcut of the advisor
     * matches.
     *
     * @param type the class that the pointcut matches
     */
    public void add(Class<?> type) {
        String bean = ProxyCreationContext.getCurrentProxiedBeanName();
        if (bean != null) {
            names.add(nameOf(bean, type));
        }
    }

    /**
     * Returns whether a bean got a proxy.
     *
     * @param bean its name
     * @param type its class, which tells a {@link FactoryBean} from what it makes
     * @return false if it got none, or if a proxy was made by other means
     */
    public boolean contains(String bean, Class<?> type) {
        return names.contains(nameOf(bean, type));
    }

    private static String nameOf(String bean, Class<?> type) {
        return FactoryBean.class.isAssignableFrom(type) ? BeanFactory.FACTORY_BEAN_PREFIX + bean : bean;
    }
}
